#include "worlds.hpp"

namespace balance_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

Eigen::Quaterniond turned(double angle, const Vec3& axis) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

// A die, coins in a bowl, a hanging bar that a ball hits, and a driven block that pushes.
RigidWorld crowd() {
    RigidWorld world;
    const auto add = [&](RigidBody body, const char* name) {
        body.name = name;
        world.bodies.push_back(std::move(body));
    };
    add(shaped_body(Box{Vec3::Constant(0.02)}, placed({0.3, 0.1, 0}, turned(0.6, {1, 2, 3}))), "die");
    add(bowl_body(placed({0, 0.004, 0})), "bowl");
    add(shaped_body(Cylinder{.radius = 0.012, .height = 0.002}, placed({0.01, 0.1, 0}, turned(0.4, {1, 0, 1})), 8000),
        "coin");
    add(shaped_body(Cylinder{.radius = 0.012, .height = 0.002}, placed({0.01, 0.14, 0.01}, turned(0.9, {0.2, 0, 1})),
                    8000),
        "coin 2");
    add(shaped_body(Box{{0.01, 0.2, 0.03}}, placed({-0.5, 0.4, 0}), 7800), "bar");
    world.bodies.back().hangs_at = Vec3(0, 0.1, 0);
    add(ball_body({-0.45, 0.45, 0}), "ball");
    world.bodies.back().velocity = {-1, 0.2, 0};
    add(floor_body(), "floor");
    world.bodies[0].velocity = {0.5, 0, 0.3};
    world.bodies[0].angular_velocity = {10, -20, 5};
    return world;
}

}  // namespace

TEST_CASE("what a body received is its change of momentum, gravity apart") {
    // A die and a bowl fall on a tilted plate, tumble, slide over its edge and fall: at the end nothing touches them.
    RigidWorld world{
        .bodies = {shaped_body(Box{Vec3::Constant(0.02)}, placed({0, 0.06, 0}, turned(0.6, {1, 2, 3}))),
                   shaped_body(Bowl{.radius = 0.03, .depth = 0.02}, placed({0, 0.1, 0.03}, turned(2.0, {3, 0, 1}))),
                   shaped_body(Plate{.width = 0.1, .depth = 0.3}, placed(Vec3::Zero(), turned(-0.5, {0, 0, 1})))}};
    world.bodies[0].angular_velocity = {10, -20, 5};
    world.bodies[2].movement = Movement::Fixed;
    for (RigidBody& body : world.bodies) body.restitution = 0.1;
    const double duration = 0.6;
    const Motion motion = simulate(world, {.duration = duration, .pose_hz = 1e6});
    CHECK(motion.impacts.size() > 4);
    CHECK(motion.touches.size() > 4);
    const double h = 1 / motion.step_hz;
    for (int i = 0; i < 2; ++i) {
        const RigidBody& body = world.bodies[i];
        const Trajectory& path = motion.bodies[i];
        const long last = path.times.size() - 1;
        REQUIRE(path.positions(last, 1) < -0.1);
        const auto centre = [&](long k) { return Vec3(pose_at(path, path.times[k]) * body.centre); };
        const Vec3 end = (centre(last) - centre(last - 1)) / h + h / 2 * world.gravity;  // of a parabola
        const Vec3 change = body.mass * (end - body.velocity);
        const Vec3 given = received(motion, i) + body.mass * path.times[last] * world.gravity;
        CHECK((change - given).norm() <
              1e-9 * body.mass * 9.81 * duration);  // positions are rounded to 1e-16 m, over h
    }
}

TEST_CASE("a hanging bar's string carries its weight and what a ball gives it") {
    const RigidWorld world = crowd();
    const double duration = 0.8;
    const Motion motion = simulate(world, {.duration = duration, .pose_hz = 1e6});
    CHECK(motion.impacts.size() > 8);
    const RigidBody& bar = world.bodies[4];
    const Trajectory& path = motion.bodies[4];
    const long last = path.times.size() - 1;
    const Vec3 end = twist_at(path, path.times[last - 1]).linear;
    const Vec3 given = received(motion, 4) + bar.mass * path.times[last] * world.gravity;
    // The end velocity is a difference of positions: one step of the bar's acceleration, about g, is unknown.
    CHECK((bar.mass * end - given).norm() < bar.mass * 2 * 9.81 / motion.step_hz);
    CHECK(motion.supports[4].y() > 0.9 * bar.mass * 9.81 * duration);
}

TEST_CASE("the two sides of each contact are equal and opposite in the world") {
    const Motion motion = simulate(crowd(), {.duration = 0.5});
    const auto check = [&](const auto& event) {
        for (const double sign : {1.0, -1.0}) {
            const ContactSide& side = event.sides[sign > 0 ? 0 : 1];
            const Mat3 world_from_body = pose_at(motion.bodies[side.body], event.time).linear();
            CHECK((world_from_body * side.impulse - sign * event.impulse).norm() <= 1e-12 * event.impulse.norm());
            CHECK(side.normal.norm() == clangor::test::Approx(1));
            CHECK(sign * (world_from_body * side.normal).dot(event.impulse) <= 1e-12);  // it pushes, never pulls
        }
    };
    for (const Impact& impact : motion.impacts) check(impact);
    for (const Touch& touch : motion.touches) check(touch);
}

TEST_CASE("the same world moves the same, to the last bit") {
    const RigidWorld world = crowd();
    const Motion once = simulate(world, {.duration = 0.3});
    simulate({.bodies = {ball_body({0, 0.1, 0}), floor_body()}}, {.duration = 0.2});
    const Motion again = simulate(crowd(), {.duration = 0.3});
    REQUIRE(once.impacts.size() == again.impacts.size());
    REQUIRE(once.touches.size() == again.touches.size());
    for (std::size_t i = 0; i < once.impacts.size(); ++i) CHECK(once.impacts[i].impulse == again.impacts[i].impulse);
    for (std::size_t i = 0; i < once.bodies.size(); ++i) {
        CHECK(once.bodies[i].positions == again.bodies[i].positions);
        CHECK(once.bodies[i].rotations == again.bodies[i].rotations);
    }
}

}  // namespace balance_test
