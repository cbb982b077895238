#include <clangor/motion/collision_density/collision_density.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <threads.hpp>

#include <cmath>
#include <map>

namespace density_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

// Grains that fall through a room and meet at a rate that swells and fades; fast ones meet head-on along y.
std::vector<Encounter> recorded_fall(long count, std::uint64_t seed) {
    Random random(seed);
    std::vector<Encounter> encounters;
    for (long i = 0; i < count; ++i) {
        const double t = random.uniform();
        if (random.uniform() > 0.2 + 0.8 * square(std::sin(pi * t))) continue;
        const double speed = 0.2 * random.rayleigh();
        Vec3 normal = drawn_direction(random);
        if (speed > 0.3) normal = Vec3(0.3 * normal.x(), 1, 0.3 * normal.z()).normalized();
        const Vec3 point(0.03 * random.uniform(), 0.1 - 0.1 * t * random.uniform(), 0.02 * random.uniform());
        encounters.push_back({.time = t,
                              .point = point,
                              .normal = normal,
                              .speed = speed,
                              .friction = 0.2 * normal.unitOrthogonal(),
                              .kind = t < 0.5 ? 0 : 1});
    }
    std::ranges::sort(encounters, {}, &Encounter::time);
    return encounters;
}

constexpr DensityOptions halls{.window = 0.02, .cell = 0.01, .kinds = 2};

double mean_of(const std::vector<Encounter>& encounters, const std::function<double(const Encounter&)>& value) {
    double sum = 0;
    for (const Encounter& encounter : encounters) sum += value(encounter);
    return sum / double(encounters.size());
}

bool same(const Encounter& a, const Encounter& b) {
    return a.time == b.time && a.point == b.point && a.normal == b.normal && a.speed == b.speed &&
           a.friction == b.friction && a.kind == b.kind;
}

}  // namespace

TEST_CASE("densities count every encounter where and when it is") {
    const std::vector<Encounter> recorded = recorded_fall(20000, 1);
    const std::vector<LocalDensity> densities = local_densities(recorded, halls);
    double all = 0;
    for (const LocalDensity& density : densities) all += density.count();
    CHECK(all == double(recorded.size()));
    std::map<std::pair<long, std::array<long, 3>>, double> expected;
    for (const Encounter& e : recorded)
        ++expected[{long(std::floor(e.time / 0.02)),
                    {long(e.point.x() / 0.01), long(e.point.y() / 0.01), long(e.point.z() / 0.01)}}];
    REQUIRE(expected.size() == densities.size());
    for (const LocalDensity& density : densities) CHECK(density.count() == expected.at({density.window, density.cell}));
}

TEST_CASE("drawn encounters are as many, as fast and as directed as those recorded, within sampling error") {
    const std::vector<Encounter> recorded = recorded_fall(60000, 1);
    const std::vector<Encounter> others = drawn(local_densities(recorded, halls), halls, 5);
    const double n = double(recorded.size());
    CHECK(std::abs(double(others.size()) - n) < 4 * std::sqrt(n));

    // the rate in windows: differences of two counts, of which only one varies
    std::map<long, double> then, now;
    for (const Encounter& e : recorded) ++then[long(e.time / 0.02)];
    for (const Encounter& e : others) ++now[long(e.time / 0.02)];
    double chi_sq = 0;
    for (const auto& [window, count] : then) chi_sq += square(now[window] - count) / count;
    CHECK(then.size() == 50);
    CHECK(chi_sq > 27.99);  // 99 % of chi squared of 50
    CHECK(chi_sq < 79.49);

    // speeds in classes of a third of an octave that are wider than those of the density, and across its edges
    std::map<int, double> slow, fast;
    for (const Encounter& e : recorded) ++slow[int(std::floor(3 * std::log2(e.speed)))];
    for (const Encounter& e : others) ++fast[int(std::floor(3 * std::log2(e.speed)))];
    for (const auto& [octave, count] : slow)
        if (count > 400) CHECK(std::abs(fast[octave] - count) < 4.5 * std::sqrt(count) + 0.02 * count);

    for (const auto& value : std::vector<std::function<double(const Encounter&)>>{
             [](const Encounter& e) { return std::pow(e.speed, 2.4); },
             [](const Encounter& e) { return square(e.normal.y()); },
             [](const Encounter& e) { return e.speed * std::abs(e.normal.y()); },
             [](const Encounter& e) { return e.point.y(); }, [](const Encounter& e) { return e.kind + 1.0; }}) {
        CHECK(mean_of(others, value) == Approx(mean_of(recorded, value)).epsilon(0.02));
    }
}

TEST_CASE("fast encounters keep their directions: speeds and normals are drawn together") {
    const std::vector<Encounter> recorded = recorded_fall(60000, 1);
    const std::vector<Encounter> others = drawn(local_densities(recorded, halls), halls, 5);
    for (const auto* const encounters : {&recorded, &others}) {
        double upright[2] = {}, count[2] = {};
        for (const Encounter& e : *encounters) {
            upright[e.speed > 0.3] += std::abs(e.normal.y());
            ++count[e.speed > 0.3];
        }
        CHECK(std::abs(upright[0] / count[0] - 0.5) < 0.02);  // every solid angle alike, but for the class at 0.3 m/s
        CHECK(upright[1] / count[1] > 0.94);
    }
}

TEST_CASE("friction stays across the normal, and as large") {
    const std::vector<Encounter> recorded = recorded_fall(3000, 1);
    for (const Encounter& e : drawn(local_densities(recorded, halls), halls, 5)) {
        CHECK(std::abs(e.friction.dot(e.normal)) < 1e-12);
        CHECK(e.friction.norm() == Approx(0.2).epsilon(1e-6));
    }
}

TEST_CASE("drawn numbers of cells spread as Poisson's do") {
    // 1000 cells of 3 encounters
    std::vector<Encounter> recorded;
    for (int i = 0; i < 3000; ++i)
        recorded.push_back({.time = 0.01, .point = {0.01 * (i / 3) + 0.005, 0, 0}, .speed = 1});
    constexpr DensityOptions options;
    const auto others = drawn(local_densities(recorded, options), options, 9);
    std::vector<double> counts(1000);
    for (const Encounter& e : others) counts[std::size_t(e.point.x() / 0.01)] += 1;
    double mean = 0, dispersion = 0;
    for (const double k : counts) mean += k / 1000;
    for (const double k : counts) dispersion += square(k - mean) / mean;
    CHECK(dispersion > 887);  // 99 % of chi squared of 999
    CHECK(dispersion < 1118);
}

TEST_CASE("pieces of a record give the same as the whole, with any number of threads") {
    const std::vector<Encounter> recorded = recorded_fall(20000, 1);
    const std::vector<Encounter> whole = drawn(local_densities(recorded, halls), halls, 5);
    std::vector<Encounter> joined;
    for (const auto& [begin, end] : {std::pair{0.0, 0.3}, {0.3, 0.32}, {0.32, 2.0}}) {
        std::vector<Encounter> piece;
        for (const Encounter& e : recorded)
            if (e.time >= begin && e.time < end) piece.push_back(e);
        const testing::Threads threads(end > 1 ? 3 : 1);
        for (const Encounter& e : drawn(local_densities(piece, halls), halls, 5)) joined.push_back(e);
    }
    REQUIRE(joined.size() == whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) REQUIRE(same(joined[i], whole[i]));
}

TEST_CASE("a gas: mean approach √(πT), mean square 4T, and normals in every solid angle alike") {
    const GrainGas gas{.fill = 0.1, .radius = 0.001, .variance = 0.04};
    Random random(11);
    double speed = 0, speed_sq = 0, height = 0, height_sq = 0;
    constexpr int draws = 40000;
    for (int i = 0; i < draws; ++i) {
        const double v = drawn_gas_speed(gas, random);
        const Vec3 n = drawn_direction(random);
        speed += v / draws;
        speed_sq += v * v / draws;
        height += std::abs(n.z()) / draws;
        height_sq += square(n.z()) / draws;
    }
    CHECK(speed == Approx(std::sqrt(pi * 0.04)).epsilon(0.012));  // 4.5 standard errors each
    CHECK(speed_sq == Approx(0.16).epsilon(0.0225));
    CHECK(std::abs(height - 0.5) < 0.0065);
    CHECK(std::abs(height_sq - 1.0 / 3) < 0.0068);
}

TEST_CASE("thin gases: n²/2 pairs meet at the rate π d² of their mean relative speed") {
    const GrainGas thin{.fill = 1e-6, .radius = 0.002, .variance = 0.5};
    const double n = 1e-6 / (pi / 6 * cube(0.004));
    // the mean relative speed of two velocities of variance T is 4√(T/π)
    CHECK(gas_encounter_rate(thin) == Approx(n * n / 2 * pi * square(0.004) * 4 * std::sqrt(0.5 / pi)).epsilon(1e-5));
    CHECK(contact_value(0) == 1);
    CHECK(contact_value(0.3) == Approx(0.85 / 0.343).epsilon(1e-12));
    CHECK(contact_value(0.49) == Approx(contact_value(0.4900001)).epsilon(1e-5));
    CHECK(contact_value(0.6) > 3 * contact_value(0.49));
}

}  // namespace density_test
