#include "approx.hpp"

#include <clangor/motion/grains/grains.hpp>

#include <cmath>

namespace grains_rest_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double g = 9.81;

Eigen::Isometry3d at(const Vec3& place) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = place;
    return pose;
}

// A funnel with an outlet of 12 mm above a table, and a plug for it.
GrainWorld funnel(const GrainSurface& surface) {
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500, .surface = surface}}};
    const Surface cone = surface_of(SurfaceOfRevolution{{{0.006, 0.05}, {0.03, 0.074}, {0.03, 0.12}}});
    world.walls = {{.name = "funnel", .shape = cone, .surface = surface}, {.name = "table", .surface = surface}};
    return world;
}

GrainFill fill_of(std::int64_t count) {
    return {.low = {-0.028, 0.075, -0.028},
            .high = {0.028, 0.12, 0.028},
            .is_round = true,
            .count = count,
            .radius = 0.001,
            .stoppers = {{.name = "plug", .path = at_rest(at({0, 0.051, 0}))}}};
}

double largest_overlap(const std::vector<Grain>& grains) {
    double overlap = 0;
    for (std::size_t i = 0; i < grains.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            overlap = std::max(
                overlap, 1 - (grains[i].position - grains[j].position).norm() / (grains[i].radius + grains[j].radius));
    return overlap;
}

}  // namespace

TEST_CASE("a heap of grains comes to rest: none moves, none overlaps another, and no event is left") {
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500}},
                     .walls = {{.name = "cup", .shape = surface_of(Can{.radius = 0.02, .height = 0.05})}}};
    const GrainFill fill{.low = {-0.018, 0.003, -0.018},
                         .high = {0.018, 0.048, 0.018},
                         .is_round = true,
                         .count = 300,
                         .radius = 0.0015,
                         .spread = 0.2};
    world.grains = filled(world, fill);
    REQUIRE(world.grains.size() == 300);
    CHECK(largest_overlap(world.grains) < 1e-6);
    GrainSimulator simulator(world, {});
    simulator.advance(1, {});
    const std::int64_t asleep = simulator.report().asleep, events = simulator.report().events;
    CHECK(asleep >= 290);  // what is squeezed between others may jitter
    simulator.advance(2, {});
    CHECK(simulator.report().asleep >= asleep);
    CHECK(double(simulator.report().events - events) < 1e5);
    double moved = 0;
    const std::vector<Grain> after = simulator.grains();
    for (std::size_t i = 0; i < after.size(); ++i)
        moved = std::max(moved, (after[i].position - world.grains[i].position).norm());
    CHECK(moved < 0.0015);  // a heap that has settled stays: the loosest by less than a radius
    CHECK(simulator.report().escaped == 0);
}

TEST_CASE("grains that are filled in lie as densely as poured ones do, and are held from the first moment") {
    const double r = 0.001, radius = 0.015;
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500}},
                     .walls = {{.name = "cup", .shape = surface_of(Can{.radius = radius, .height = 0.05})}}};
    world.grains = filled(
        world,
        {.low = {-0.014, 0.001, -0.014}, .high = {0.014, 0.048, 0.014}, .is_round = true, .count = 1500, .radius = r});
    CHECK(largest_overlap(world.grains) < 1e-6);
    // Random loose packing has 0.55 to 0.60, away from walls and from the surface.
    const double inner = radius - 5 * r, low = 5 * r, high = 10 * r;
    double inside = 0;
    for (const Grain& grain : world.grains) {
        const Vec3& x = grain.position;
        inside += std::hypot(x[0], x[2]) < inner && x[1] > low && x[1] < high;
    }
    const double fraction = inside * 4 * pi / 3 * cube(r) / (pi * square(inner) * (high - low));
    CHECK(fraction > 0.53);
    CHECK(fraction < 0.62);
    const GrainSimulator simulator(world, {});
    CHECK(simulator.report().asleep >= 1470);  // Eq. 8 is solved to 1 %
}

TEST_CASE("a settled fill of few large grains is at rest: none of them hits another") {
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500, .surface = {.friction = 0.2}}},
                     .walls = {{.name = "mug", .shape = surface_of(Mug{})}}};
    world.grains = filled(world, {.low = {-0.033, 0.01, -0.033},
                                  .high = {0.033, 0.09, 0.033},
                                  .is_round = true,
                                  .count = 250,
                                  .radius = 0.0035});
    GrainSimulator simulator(world, {});
    long hits = 0;
    const auto count = [&](std::span<const GrainCollision> block) {
        hits += std::ranges::count_if(block, [](const GrainCollision& each) { return !each.lasts; });
    };
    simulator.advance(1, {.collisions = count});
    CHECK(simulator.report().asleep >= 240);
    CHECK(hits <= 25);  // a loose one may roll; nothing else does
}

TEST_CASE("what holds a heap up goes, and it falls") {
    // Three balls on a floor and one in the hollow between them; the floor is taken away.
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500, .surface = {.friction = 0.5}}},
                     .walls = {{.name = "floor"}}};
    for (int i = 0; i < 3; ++i) {
        const double angle = 2 * pi / 3 * i, away = 0.02 / std::sqrt(3.0);
        world.grains.push_back({.position = {away * std::cos(angle), 0.01, away * std::sin(angle)}, .radius = 0.01});
    }
    world.grains.push_back({.position = {0, 0.01 + 0.02 * std::sqrt(2.0 / 3), 0}, .radius = 0.01});
    GrainSimulator simulator(world, {});
    CHECK(simulator.report().asleep == 4);
    simulator.advance(0.5, {});
    CHECK(simulator.report().asleep == 4);
    CHECK(simulator.report().between_grains == 0);
    // The floor goes down faster than they fall.
    Trajectory down{.times = Eigen::VectorXd::LinSpaced(3, 0.5, 1.5),
                    .positions = Points::Zero(3, 3),
                    .rotations = Rotations::Zero(3, 4)};
    down.rotations.col(3).setOnes();
    down.positions(1, 1) = -5;
    down.positions(2, 1) = -10;
    simulator.set_path(0, down);
    simulator.advance(0.7, {});
    CHECK(simulator.report().asleep == 0);
    for (std::size_t i = 0; i < 4; ++i)
        CHECK(simulator.grains()[i].position[1] - world.grains[i].position[1] ==
              Approx(-0.5 * g * square(0.2)).epsilon(0.1));
}

TEST_CASE("a marble lies still on a floor and in a hollow, and rolls off a slope") {
    for (const double slope : {0.0, 0.05}) {
        GrainWorld world{.kinds = {{.name = "glass"}},
                         .grains = {{.position = {0, 0.01, 0}, .radius = 0.01}},
                         .walls = {{.name = "floor"}}};
        world.gravity = g * Vec3(std::sin(slope), -std::cos(slope), 0);
        GrainSimulator simulator(world, {});
        simulator.advance(0.5, {});
        CHECK(simulator.report().asleep == (slope == 0 ? 1 : 0));
        if (slope > 0) CHECK(simulator.grains()[0].position[0] > 0.9 * 0.5 * 5 / 7 * g * (slope - 0.0025) * 0.25);
    }
}

TEST_CASE("a ball that hits a heap wakes what it can lift, and nothing else") {
    GrainWorld world{.kinds = {{.name = "glass", .density = 2500}}, .walls = {{.name = "floor"}}};
    for (int i = 0; i < 5; ++i) world.grains.push_back({.position = {0.05 * i, 0.01, 0}, .radius = 0.01});
    world.grains.push_back({.position = {0, 0.01 + 0.03, 0}, .radius = 0.01});
    GrainSimulator simulator(world, {});
    CHECK(simulator.report().asleep == 5);
    simulator.advance(0.046, {});  // it falls by 1 cm in 45.2 ms
    CHECK(simulator.report().between_grains >= 1);
    CHECK(simulator.report().asleep == 4);
}

TEST_CASE("grains that rest in a funnel flow out of it as Beverloo says, and leave nothing hanging") {
    GrainWorld world = funnel({0.9, 1, 0.3, 0, 0.002});
    world.grains = filled(world, fill_of(400));
    REQUIRE(world.grains.size() == 400);
    GrainSimulator simulator(world, {.duration = 1});
    std::array<double, 2> times = {};
    for (int i = 1; i <= 200; ++i) {
        simulator.advance(0.005 * i, {});
        int through = 0;
        for (const Grain& grain : simulator.grains()) through += grain.position[1] < 0.05;
        if (through < 50) times[0] = 0.005 * i;
        if (through < 250) times[1] = 0.005 * i;
        if (i % 20 == 0) CHECK(largest_overlap(simulator.grains()) < 1e-6);
        if (through == 400) break;
    }
    // W = 0.58 ρ_b √g (D − 1.5 d)^{5/2} [Beverloo1961], with 0.6 of a grain's density for ρ_b; a cone lets more through
    // than the flat bottom of the formula, up to twice as much.
    const double mass = 2500 * 4 * pi / 3 * 1e-9, bulk = 0.6 * 2500;
    const double expected = 0.58 * bulk * std::sqrt(g) * std::pow(0.012 - 1.5 * 0.002, 2.5) / mass;
    const double flow = 200 / (times[1] - times[0]);
    CHECK(flow > 0.8 * expected);
    CHECK(flow < 2.2 * expected);
    int hanging = 0;
    for (const Grain& grain : simulator.grains()) hanging += grain.position[1] > 0.05;
    CHECK(hanging == 0);
}

TEST_CASE("a run that is saved and continued is the run that went on, to the last bit") {
    GrainWorld world = funnel({});
    world.grains = filled(world, fill_of(150));
    const GrainOptions options{.duration = 1};
    GrainSimulator whole(world, options), part(world, options);
    whole.advance(0.4, {});
    part.advance(0.15, {});
    whole.advance(0.4, {});
    GrainSimulator rest(world, options, part.state());
    rest.advance(0.4, {});
    CHECK(rest.report().between_grains == whole.report().between_grains);
    CHECK(rest.report().between_grains > 1000);
    for (std::size_t i = 0; i < world.grains.size(); ++i) {
        REQUIRE(rest.grains()[i].position == whole.grains()[i].position);
        REQUIRE(rest.grains()[i].spin == whole.grains()[i].spin);
    }
    GrainState damaged = part.state();
    damaged.bytes.resize(100);
    CHECK_THROWS_WITH_AS(GrainSimulator(world, options, damaged),
                         "the state of grains is not of this world: it is too short; begin anew", Error);
}

TEST_CASE("grains that something squeezes are stopped and told of: no run hangs") {
    // A piston comes down on balls of e = 1 in a closed box that has no room for them.
    GrainWorld world{.kinds = {{.name = "ball", .surface = {1, 0, 0, -1, 0}}}};
    for (int i = 0; i < 4; ++i)
        world.grains.push_back({.position = {0, 0.01 + 0.0201 * i, 0}, .velocity = {0, 1, 0}, .radius = 0.01});
    Trajectory down{.times = Eigen::VectorXd::LinSpaced(3, 0, 1),
                    .positions = Points::Zero(3, 3),
                    .rotations = Rotations::Zero(3, 4)};
    down.rotations.col(0).setOnes();  // turned over: the half space above
    down.positions.col(1) << 0.1, 0.05, 0;
    world.walls = {{.name = "floor"},
                   {.name = "piston", .path = down},
                   {.name = "left", .path = at_rest(at({-0.01, 0, 0}) * Eigen::AngleAxisd(-pi / 2, Vec3::UnitZ()))},
                   {.name = "right", .path = at_rest(at({0.01, 0, 0}) * Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()))}};
    GrainSimulator simulator(world, {.max_collisions = 200});
    simulator.advance(0.3, {});
    CHECK(simulator.report().stopped > 0);
    REQUIRE(simulator.report().warnings.size() >= 1);
    CHECK(simulator.report().warnings[0].find("something squeezes them") != std::string::npos);
}

}  // namespace grains_rest_test
