#include "../acceleration/exact_ball.hpp"

#include <clangor/radiation/spheres/spheres.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace solver_test {

using namespace clangor;

TEST_CASE("a ball that meets a wall sounds as the wave solver has it, within 2 %") {
    const Material copper{.density = 8940, .young = 123.4e9, .poisson = 0.34};
    const Surface ball = surface_of(clangor::Sphere{.radius = 0.0075});
    const MassProperties mass = mass_properties(ball);
    const AccelerationBake bake = bake_acceleration_noise(ball, mass, copper, Air{}, {.cell_size = 0.0075 / 8});
    const double a = *ball_radius(ball, mass), rate = 48000;  // of the same volume
    const PreparedNoise solved = prepare(bake.noise, rate);
    constexpr double whole_delay = 40;  // samples that the sound takes: the solved one is over the time of emission
    const Vec3 listener = Vec3(2, 1, -0.5).normalized() * (whole_delay / rate * 343.2);
    const SphereCollision bounce =
        collision_of(sphere_pair({a, copper}, {std::numeric_limits<double>::infinity(), copper}),
                     {.time = 0.01, .point = {-a, 0, 0}, .speed = 0.6, .restitution = 0.8});
    std::vector<float> expected(1024);
    add_click(expected, solved,
              {.time = 0.01, .duration = bounce.duration, .velocity_change = {0.6 * 1.8, 0, 0}, .listener = listener});
    std::vector<float> heard =
        sphere_sound(std::span(&bounce, 1), {.sample_rate_hz = rate, .listener = listener, .radii = {a}}, 1064 / rate)
            .pressure;
    heard.erase(heard.begin(), heard.begin() + 40);
    // the two are band-limited with other edges, 20.2 and 21.8 kHz, where little is left of a contact of 50 µs
    CHECK(test::relative_difference(heard, expected) < 0.02);
}

}  // namespace solver_test
