// Strikes: impulses from outside of the world.
#include "worlds.hpp"

#include <approx.hpp>

namespace pushes_test {

using namespace clangor;
using namespace clangor::testing;
using clangor::test::Approx;

namespace {

// How fast a body moves between two poses that were recorded [m/s], and turns about z [rad/s].
struct Rates {
    Vec3 velocity;
    double spin;
};
Rates rates_between(const Trajectory& path, double from, double to) {
    const auto index = [&](double t) {
        long i = 0;
        while (path.times[i] < t) ++i;
        return i;
    };
    const long a = index(from), b = index(to);
    const double time = path.times[b] - path.times[a];
    const auto angle = [&](long i) { return 2 * std::atan2(path.rotations(i, 2), path.rotations(i, 3)); };
    return {(path.positions.row(b) - path.positions.row(a)).transpose() / time, (angle(b) - angle(a)) / time};
}

}  // namespace

TEST_CASE("a push gives a free body J/M and r × J, at its time") {
    RigidWorld world{.bodies = {shaped_body(Box{{0.1, 0.06, 0.02}}, placed({0.3, 0.2, 0.1}))}, .gravity = Vec3::Zero()};
    const Vec3 J(0.002, -0.01, 0), at(0.04, 0.03, 0);
    world.pushes = {{.body = 0, .time = 0.1, .point = at, .impulse = J}};
    const Motion motion = simulate(world, {.duration = 0.3, .step_hz = 1000});
    const Rates before = rates_between(motion.bodies[0], 0, 0.1), after = rates_between(motion.bodies[0], 0.1, 0.3);
    CHECK(before.velocity.norm() == 0);
    CHECK((after.velocity - J / world.bodies[0].mass).norm() < 1e-9 * J.norm() / world.bodies[0].mass);
    CHECK(after.spin == Approx(at.cross(J).z() / world.bodies[0].inertia(2, 2)).epsilon(1e-9));
    CHECK(motion.impacts.empty());
}

TEST_CASE("point and impulse of a push turn with the body") {
    const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()));
    RigidWorld world{.bodies = {shaped_body(Box{{0.1, 0.06, 0.02}}, placed({0.3, 0.2, 0.1}, turn))},
                     .gravity = Vec3::Zero()};
    const Vec3 J(0.002, -0.01, 0.004);
    world.pushes = {{.body = 0, .time = 0.1, .point = Vec3::Zero(), .impulse = J}};
    const Motion motion = simulate(world, {.duration = 0.3, .step_hz = 1000});
    const Vec3 velocity = turn * J / world.bodies[0].mass;
    CHECK((rates_between(motion.bodies[0], 0.1, 0.3).velocity - velocity).norm() < 1e-9 * velocity.norm());
}

TEST_CASE("a push wakes what sleeps: it slides as far as friction lets it, v²/(2μg), and lies again") {
    RigidWorld world{.bodies = {shaped_body(Box{{0.1, 0.02, 0.1}}, placed({0, 0.01, 0})), floor_body()}};
    const double v = 0.6, mu = pair_friction(world.bodies[0], world.bodies[1]);
    world.pushes = {{.body = 0, .time = 1, .point = {0, -0.01, 0}, .impulse = {v * world.bodies[0].mass, 0, 0}}};
    const Motion motion = simulate(world, {.duration = 2});
    CHECK(std::abs(pose_at(motion.bodies[0], 0.99).translation().x()) < 1e-9);
    CHECK(pose_at(motion.bodies[0], 2).translation().x() == Approx(v * v / (2 * mu * 9.81)).epsilon(0.03));
    CHECK(last_motion(motion.bodies[0]) < 1.5);
}

TEST_CASE("what is fixed does not feel a push") {
    RigidWorld world{.bodies = {shaped_body(Box{{0.1, 0.02, 0.1}}, placed({0, 0.01, 0}))}};
    world.bodies[0].movement = Movement::Fixed;
    world.bodies.push_back(ball_body({0, 1, 0}));
    world.pushes = {{.body = 0, .time = 0.05, .impulse = {1, 0, 0}}};
    CHECK_FALSE(moves(simulate(world, {.duration = 0.1}).bodies[0]));
}

}  // namespace pushes_test
