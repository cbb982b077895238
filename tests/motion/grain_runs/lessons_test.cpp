#include "motion/grains/made_gas.hpp"

#include <clangor/motion/grain_runs/grain_runs.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace lessons_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("a run of an elastic gas teaches kinetic theory: the ratio is one, speeds are those of a gas") {
    for (const double number_density : {0.3, 0.8}) {
        CAPTURE(number_density);
        const GrainWorld world = made_gas(7, number_density, {1, 0, 0, -1, 0});
        const double edge = world.periodic->x() / 2;  // of cells with 170 balls, of which fills hardly scatter
        const GrainDatabank bank = taught({}, world, {.duration = 20, .frame_hz = 20, .edge = edge});
        double expected = 0, count = 0, slow = 0;
        for (const DatabankEntry& entry : bank.entries) {
            expected += entry.expected;
            count += entry.count;
        }
        REQUIRE(count > 20000);
        // fills of cells scatter, and what is learnt goes with their squares
        CHECK(count / expected == Approx(1).epsilon(0.03));
        const FlowCell cell{.fill = pi / 6 * number_density, .variance = 1};
        CHECK(encounter_ratio(bank, cell, 0.5) == Approx(1).epsilon(0.05));
        GrainFlow flow{.radius = 0.5, .edge = edge, .cells = {cell}};
        double speed = 0, n = 0;
        for (const Encounter& e : drawn(flow, bank, {.time = 0, .begin = 0, .end = 20}, 1)) {
            speed += e.speed;
            ++n;
            slow += e.speed < 1;
        }
        CHECK(speed / n == Approx(std::sqrt(pi)).epsilon(0.02));
        CHECK(slow / n == Approx(1 - std::exp(-0.25)).epsilon(0.05));
    }
}

TEST_CASE("encounters are those between grains, by their kinds, with friction across the normal") {
    GrainWorld world{.kinds = {{.name = "sand"}, {.name = "gravel"}}};
    world.grains = {{.kind = 0}, {.kind = 1}};
    const std::vector<GrainCollision> collisions = {
        {.time = 1, .normal = {0, 1, 0}, .impulse = {0.3, 2, 0}, .normal_speed = 0.5, .first = 1, .second = 0},
        {.time = 2, .normal = {0, 1, 0}, .impulse = {0, 2, 0}, .normal_speed = 0.5, .first = 1, .wall = 0}};
    const std::vector<Encounter> encounters = encounters_of(collisions, world);
    REQUIRE(encounters.size() == 1);
    CHECK(encounters[0].time == 1);
    CHECK(encounters[0].kind == 2);
    CHECK((encounters[0].friction - Vec3(0.15, 0, 0)).norm() < 1e-15);
}

}  // namespace lessons_test
