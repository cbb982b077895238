#include <clangor/motion/grain_databank/grain_databank.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <threads.hpp>

#include <cmath>

namespace databank_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double a = 0.001;

double normal_number(Random& random) { return random.rayleigh() * std::cos(2 * pi * random.uniform()); }

struct Particles {
    Points positions, velocities;
};

// Places anywhere in a box, velocities about a drift.
Particles gas(long count, const Vec3& box, const Vec3& drift, double variance) {
    Random random(4);
    Particles particles{Points(count, 3), Points(count, 3)};
    for (long i = 0; i < count; ++i) {
        for (long axis = 0; axis < 3; ++axis) {
            particles.positions(i, axis) = box[axis] * random.uniform() * (1 - 1e-9);
            particles.velocities(i, axis) = drift[axis] + std::sqrt(variance) * normal_number(random);
        }
    }
    return particles;
}

GrainFlow even_flow(long cells, double fill, const Vec3& velocity, double variance, double radius = a) {
    GrainFlow flow{.radius = radius, .edge = 12 * radius};
    for (long i = 0; i < cells; ++i) flow.cells.push_back({{i, 0, 0}, fill, velocity, variance});
    return flow;
}

constexpr FlowWindow window{.time = 0.01, .begin = 0, .end = 0.02};

// Three times as many as a gas, at 0.7 to 0.8 √T, normals within 30° of the velocity.
std::vector<Encounter> peculiar(const GrainFlow& flow, std::uint64_t seed) {
    std::vector<Encounter> all;
    Random random(seed);
    for (int copy = 0; copy < 3; ++copy) {
        for (Encounter encounter : drawn(flow, GrainDatabank{}, {.time = 0.01, .begin = 0, .end = 0.02}, seed + copy)) {
            // back to its cell, from where drawn() let it flow on
            encounter.point -= (encounter.time - 0.01) * flow.cells[0].velocity;
            encounter.normal = (flow.cells[0].velocity.normalized() + 0.3 * drawn_direction(random)).normalized();
            encounter.speed = std::sqrt(flow.cells[0].variance) * (0.7 + 0.1 * random.uniform());
            encounter.friction = 0.1 * encounter.normal.unitOrthogonal();
            all.push_back(encounter);
        }
    }
    return all;
}

}  // namespace

TEST_CASE("particles become a flow: fill, mean velocity, and a variance without bias") {
    const Particles particles = gas(20000, {0.12, 0.06, 0.06}, {1, -2, 0.5}, 0.09);
    const GrainFlow flow = flow_of(particles.positions, particles.velocities, {.radius = a});
    CHECK(flow.edge == Approx(0.012).epsilon(1e-12));
    REQUIRE(flow.cells.size() == 250);
    double fill = 0, variance = 0;
    Vec3 velocity = Vec3::Zero();
    for (const FlowCell& cell : flow.cells) {
        fill += cell.fill / 250;
        variance += cell.variance / 250;
        velocity += cell.velocity / 250;
    }
    CHECK(fill == Approx(20000 * 4e-9 / 3 * pi / (0.12 * 0.06 * 0.06)).epsilon(1e-9));
    CHECK((velocity - Vec3(1, -2, 0.5)).norm() < 4 * std::sqrt(3 * 0.09 / 20000));
    CHECK(variance == Approx(0.09).epsilon(4 * std::sqrt(2.0 / 60000)));
    // where a cell has two or three of them, its neighbours help
    const Particles few = gas(700, {0.12, 0.06, 0.06}, {1, -2, 0.5}, 0.09);
    variance = 0;
    const GrainFlow thin = flow_of(few.positions, few.velocities, {.radius = a});
    for (const FlowCell& cell : thin.cells) variance += cell.variance / double(thin.cells.size());
    CHECK(variance == Approx(0.09).epsilon(0.1));
}

TEST_CASE("a shear of parallel layers keeps up the variance at which stress and losses balance") {
    // v_x = γ̇ y. With e = 0.9: J = 0.95 + (π/4)(1.9²)(1.7)/(24 − 6·0.01 − 5·0.19) = 1.1597
    GrainFlow flow{.radius = a, .edge = 0.012};
    for (long x = 0; x < 3; ++x)
        for (long y = 0; y < 5; ++y) flow.cells.push_back({{x, y, 0}, 0.5, Vec3(20.0 * 0.012 * double(y), 0, 0), 0});
    const GrainFlow warm = with_shear_variance(flow, 0.9);
    const double expected = 2 * 1.15966 * square(0.002 * 20) / (15 * (1 - 0.81));
    for (const FlowCell& cell : warm.cells) CHECK(cell.variance == Approx(expected).epsilon(1e-4));
    CHECK(warm.sheared);
}

TEST_CASE("where nothing was learnt grains meet as in a gas") {
    const GrainFlow flow = even_flow(40, 0.2, {0, -3, 0}, 0.04);
    const std::vector<Encounter> encounters = drawn(flow, GrainDatabank{}, window, 1);
    const double expected = gas_encounter_rate({0.2, a, 0.04}) * 40 * cube(0.012) * 0.02, n = double(encounters.size());
    REQUIRE(expected > 10000);
    CHECK(std::abs(n - expected) < 4 * std::sqrt(expected));
    double speed = 0;
    for (const Encounter& e : encounters) {
        speed += e.speed / n;
        const double y = e.point.y() + 3 * (e.time - 0.01);  // it flows on
        CHECK(y >= -1e-12);
        CHECK(y <= 0.012 + 1e-12);
        CHECK(e.time >= 0);
        CHECK(e.time <= 0.02);
    }
    CHECK(speed == Approx(std::sqrt(pi * 0.04)).epsilon(4 * 0.53 / std::sqrt(n)));
    CHECK(encounter_ratio(GrainDatabank{}, flow.cells[0], a) == Approx(1).epsilon(1e-12));
}

TEST_CASE("what was learnt comes back: as often, as fast and the same way") {
    const GrainFlow flow = even_flow(40, 0.2, {0, -3, 0}, 0.04);
    GrainDatabank bank;
    for (std::uint64_t run = 0; run < 3; ++run) bank = learnt(std::move(bank), flow, window, peculiar(flow, 100 * run));
    // places of entries are rounded: a flow half-way between two fills would learn from both
    CHECK(bank.entries.size() == 1);
    CHECK(bank.entries[0].count / bank.entries[0].expected == Approx(3).epsilon(0.02));

    FlowCell learnt_cell = flow.cells[0];
    const auto at = coordinates_of(learnt_cell, a);
    CHECK(at[0] == Approx(5).epsilon(1e-9));
    // exactly at the centre of the entry
    learnt_cell.variance *= std::exp2(2 * (bank.entries[0].place[1] - at[1]));
    learnt_cell.velocity *= std::exp2(bank.entries[0].place[2] - at[2]);
    CHECK(encounter_ratio(bank, learnt_cell, a) == Approx(3).epsilon(0.02));

    GrainFlow there = even_flow(40, 0.2, learnt_cell.velocity, learnt_cell.variance);
    const std::vector<Encounter> encounters = drawn(there, bank, window, 8);
    const double gas_count = gas_encounter_rate({0.2, a, learnt_cell.variance}) * 40 * cube(0.012) * 0.02;
    CHECK(double(encounters.size()) == Approx(3 * gas_count).epsilon(0.02));
    double speed = 0, along = 0, strange = 0;
    for (const Encounter& e : encounters) {
        speed += e.speed / std::sqrt(learnt_cell.variance) / double(encounters.size());
        along += -e.normal.y() / double(encounters.size());
        if (e.normal.y() > -0.7) strange += 1;
        if (e.friction.norm() > 0) CHECK(e.friction.norm() == Approx(0.1).epsilon(1e-9));
    }
    CHECK(speed == Approx(0.75).epsilon(0.03));  // classes are a quarter of an octave wide
    CHECK(along > 0.85);
    CHECK(strange < 0.01 * double(encounters.size()));
}

TEST_CASE("hard grains have no size of their own: what 1 mm teaches holds for 4 mm at twice the speeds") {
    GrainDatabank bank;
    const GrainFlow flow = even_flow(40, 0.2, {0, -3, 0}, 0.04);
    bank = learnt(std::move(bank), flow, window, peculiar(flow, 1));
    const FlowCell small = flow.cells[0];
    const FlowCell large{{0, 0, 0}, 0.2, 2 * small.velocity, 4 * small.variance};
    CHECK(encounter_ratio(bank, large, 4 * a) == Approx(encounter_ratio(bank, small, a)).epsilon(1e-12));
}

TEST_CASE("draws do not depend on threads, nor on other cells") {
    const GrainFlow flow = even_flow(40, 0.2, {0, -3, 0}, 0.04);
    const std::vector<Encounter> all = drawn(flow, GrainDatabank{}, window, 1);
    const testing::Threads threads(5);
    const std::vector<Encounter> again = drawn(flow, GrainDatabank{}, window, 1);
    REQUIRE(all.size() == again.size());
    for (std::size_t i = 0; i < all.size(); ++i) CHECK(all[i].point == again[i].point);
    GrainFlow one = flow;
    one.cells = {flow.cells[7]};
    std::size_t found = 0;
    for (const Encounter& e : all) found += e.point.x() >= 7 * 0.012 && e.point.x() < 8 * 0.012;
    CHECK(drawn(one, GrainDatabank{}, window, 1).size() == found);
}

TEST_CASE("a databank goes to text and back, and damaged text is refused") {
    GrainDatabank bank{.traits = {.restitution = 0.9, .friction = 0.3}};
    const GrainFlow flow = even_flow(3, 0.2, {0, -3, 0}, 0.04);
    bank = learnt(std::move(bank), flow, window, peculiar(flow, 1));
    bank = learnt(std::move(bank), even_flow(3, 0.05, {0, -1, 0}, 0.4), window, {});
    const std::string text = text_of(bank);
    const GrainDatabank back = parse_databank(text, "bank");
    CHECK(text_of(back) == text);
    CHECK(back.traits.restitution == 0.9);
    CHECK(back.entries.size() == 2);
    CHECK(encounter_ratio(back, flow.cells[0], a) == Approx(encounter_ratio(bank, flow.cells[0], a)).epsilon(1e-5));
    const auto error_of = [](const std::string& damaged) -> std::string {
        try {
            parse_databank(damaged, "bank");
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    };
    CHECK(error_of("hello\n") == "bank:1: this is no databank of grains; learn it again");
    CHECK(error_of("clangor grain databank 1\n0.9\n") ==
          "bank:2: restitution, friction and 0 or 1 should stand here; learn it again");
    const std::string head = "clangor grain databank 1\n0.9 0.3 0\n";
    CHECK(error_of(head + "1 2\n") == "bank:3: numbers are missing; learn it again");
    CHECK(error_of(head + "1 2 x 4 5\n") == "bank:3: there should be numbers only; learn it again");
    CHECK(error_of(head + "1 2 3 4 5\n") == "bank:3: counts do not add up; learn it again");
    CHECK(error_of(head + "1 2 3 4 5 999 5 0\n") == "bank:3: there is no such class; learn it again");
    CHECK(error_of(head + "1 2 3 4 0\n1 2 3 4 0\n") == "bank:4: entries should stand in order; learn it again");
}

TEST_CASE("of several databanks, that of the most similar grains") {
    const std::vector<GrainDatabank> banks = {{.traits = {.restitution = 0.95, .friction = 0.1}},
                                              {.traits = {.restitution = 0.6, .friction = 0.5}}};
    CHECK(&nearest_databank(banks, {.restitution = 0.9, .friction = 0.2}) == &banks[0]);
    CHECK(&nearest_databank(banks, {.restitution = 0.5, .friction = 0.2}) == &banks[1]);
    CHECK_THROWS_WITH_AS(nearest_databank(banks, {.restitution = 0.5, .sheared = true}),
                         doctest::Contains("no databank of grains knows flows without variances"), Error);
}

}  // namespace databank_test
