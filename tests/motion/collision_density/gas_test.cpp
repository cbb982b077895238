#include "motion/grains/made_gas.hpp"

#include <clangor/motion/collision_density/collision_density.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace density_gas_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("hard balls that are followed one by one meet as often, as fast and as evenly as kinetic theory says") {
    for (const double number_density : {0.1, 0.5, 0.8}) {
        CAPTURE(number_density);
        const GrainWorld world = made_gas(7, number_density, {1, 0, 0, -1, 0});
        GrainSimulator simulator(world, {});
        simulator.advance(4, {});  // melts
        const double n = double(world.grains.size()), volume = n / number_density,
                     duration = number_density < 0.3 ? 80 : 20;
        double count = 0, speed = 0, speed_sq = 0, slow = 0, height = 0, height_sq = 0;
        simulator.advance(4 + duration, {.collisions = [&](std::span<const GrainCollision> block) {
                              for (const GrainCollision& c : block) {
                                  ++count;
                                  speed += c.normal_speed;
                                  speed_sq += square(c.normal_speed);
                                  slow += c.normal_speed < 1;
                                  height += std::abs(c.normal.y());
                                  height_sq += square(c.normal.y());
                              }
                          }});
        // three of 3n ways to move have no energy: the box is at rest
        const GrainGas gas{.fill = pi / 6 * number_density,
                           .radius = 0.5,
                           .variance = 2 * kinetic_energy(simulator.grains()) / (3 * (n - 1))};
        const double scatter = 4 / std::sqrt(count);
        CHECK(count / (volume * duration) == Approx(gas_encounter_rate(gas)).epsilon(0.005 + scatter));
        CHECK(speed / count == Approx(std::sqrt(pi * gas.variance)).epsilon(0.002 + 0.53 * scatter));
        CHECK(speed_sq / count == Approx(4 * gas.variance).epsilon(0.002 + scatter));
        CHECK(std::abs(slow / count - (1 - std::exp(-0.25 / gas.variance))) < 0.002 + 0.42 * scatter);
        CHECK(std::abs(height / count - 0.5) < 0.002 + 0.29 * scatter);
        CHECK(std::abs(height_sq / count - 1.0 / 3) < 0.002 + 0.3 * scatter);
    }
}

}  // namespace density_gas_test
