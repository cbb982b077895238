#include "worlds.hpp"

namespace free_motion_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

constexpr double g = 9.81;

}  // namespace

TEST_CASE("a free tumbling body keeps its angular momentum and its energy") {
    // About its middle axis, where tumbling is wildest.
    RigidWorld world{.bodies = {shaped_body(Box{{0.1, 0.06, 0.02}}, placed(Vec3::Zero()))}, .gravity = Vec3::Zero()};
    world.bodies[0].angular_velocity = {0.1, 20, 0.2};
    const Motion motion = simulate(world, {.duration = 2, .step_hz = 2000, .pose_hz = 2000});
    const Mat3 inertia = world.bodies[0].inertia;
    const Vec3 start = inertia * world.bodies[0].angular_velocity;
    const double energy = 0.5 * world.bodies[0].angular_velocity.dot(start);
    double flipped = 1;
    for (double t = 0.01025; t < 1.99; t += 0.05) {
        const Mat3 R = pose_at(motion.bodies[0], t).linear();
        const Vec3 omega = twist_at(motion.bodies[0], t).angular;
        const Vec3 momentum = R * inertia * R.transpose() * omega;
        CHECK((momentum - start).norm() < 2e-4 * start.norm());  // the twist is that of a mean over 0.5 ms
        CHECK(0.5 * omega.dot(momentum) == clangor::test::Approx(energy).epsilon(2e-4));
        flipped = std::min(flipped, R(1, 1));
    }
    CHECK(flipped < -0.9);  // it did turn over
}

TEST_CASE("a hanging bar swings with the period of a physical pendulum") {
    const double length = 0.3, angle = 0.05;
    const Eigen::Quaterniond tilt(Eigen::AngleAxisd(angle, Vec3::UnitZ()));
    RigidWorld world{.bodies = {shaped_body(Box{{0.01, length, 0.02}}, placed(tilt * Vec3(0, -length / 2, 0), tilt))}};
    world.bodies[0].hangs_at = Vec3(0, length / 2, 0);
    const double m = world.bodies[0].mass, I = world.bodies[0].inertia(2, 2) + m * square(length / 2);
    // T = 2π√(I/(m g d)), longer by α²/16 at this amplitude.
    const double period = 2 * pi * std::sqrt(I / (m * g * length / 2)) * (1 + angle * angle / 16);
    const Motion motion = simulate(world, {.duration = 10.6 * period, .step_hz = 1000});
    const auto swing = [&](double t) { return pose_at(motion.bodies[0], t).linear()(0, 1); };  // −sin of the angle
    // The zero crossings of the first and the tenth swing.
    const auto crossing = [&](double from) {
        double t = from;
        while (swing(t) * swing(t + 1e-3) > 0) t += 1e-3;
        return t + 1e-3 * swing(t) / (swing(t) - swing(t + 1e-3));
    };
    const double measured = (crossing(10.1 * period) - crossing(0.1 * period)) / 10;
    CHECK(measured == clangor::test::Approx(period).epsilon(1e-3));
    CHECK(std::abs(swing(10 * period)) == clangor::test::Approx(std::sin(angle)).epsilon(0.01));
    for (double t = 0; t < 10 * period; t += 0.1)
        CHECK((pose_at(motion.bodies[0], t) * *world.bodies[0].hangs_at).norm() < 1e-7);
    REQUIRE(motion.supports.size() == 1);
}

}  // namespace free_motion_test
