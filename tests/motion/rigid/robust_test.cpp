#include "worlds.hpp"

#include <limits>

namespace robust_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

std::string message_of(const RigidWorld& world) {
    try {
        simulate(world, {.duration = 0.1});
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

bool has(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("bodies that overlap at the start are parted, without flying off") {
    RigidWorld world{.bodies = {ball_body({0, 0.02, 0}), ball_body({0.03, 0.02, 0}), floor_body()}};
    world.bodies[1].name = "second";
    const Motion motion = simulate(world, {.duration = 0.3});
    REQUIRE(motion.warnings.size() == 1);
    CHECK(has(motion.warnings[0], "\"ball\" and \"second\""));
    CHECK(has(motion.warnings[0], "10 mm"));
    const Vec3 apart = pose_at(motion.bodies[0], 0.3).translation() - pose_at(motion.bodies[1], 0.3).translation();
    CHECK(apart.norm() > 0.0399);
    CHECK(apart.norm() < 0.0401);
    CHECK(twist_at(motion.bodies[0], 0.29).linear.norm() < 1e-3);
}

TEST_CASE("a body that leaves the world is frozen and named") {
    RigidWorld world{.bodies = {ball_body({0, 1, 0})}};
    world.bodies[0].velocity = {200e3, 0, 0};
    const Motion motion = simulate(world, {.duration = 0.1});
    REQUIRE(motion.warnings.size() == 1);
    CHECK(has(motion.warnings[0], "\"ball\" left the world"));
    CHECK(motion.bodies[0].positions.allFinite());
}

TEST_CASE("bodies without mass, inertia or numbers are refused by name") {
    RigidWorld world{.bodies = {ball_body({0, 1, 0}), floor_body()}};
    const RigidBody good = world.bodies[0];
    for (const double mass : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
        world.bodies[0].mass = mass;
        CHECK(has(message_of(world), "\"ball\""));
        CHECK(has(message_of(world), "mass"));
    }
    world.bodies[0] = good;
    world.bodies[0].inertia(1, 1) = -1;
    CHECK(has(message_of(world), "inertia"));
    world.bodies[0] = good;
    world.bodies[0].velocity.x() = std::numeric_limits<double>::quiet_NaN();
    CHECK(has(message_of(world), "\"ball\""));
    world.bodies[0] = good;
    CHECK(message_of(world).empty());
    Surface open = surface_of(Bowl{});
    open.faces.conservativeResize(open.faces.rows() - 1, 3);
    CHECK_THROWS_AS(collision_shape(open), Error);
}

TEST_CASE("a driven hammer gives a ball twice its speed") {
    const double speed = 1.5;
    RigidWorld world{.bodies = {ball_body({0, 0, 0}), shaped_body(Box{Vec3::Constant(0.04)}, placed({-0.1, 0, 0}))},
                     .gravity = Vec3::Zero()};
    world.bodies[1].movement = Movement::Driven;
    Trajectory path{Eigen::VectorXd::LinSpaced(11, 0, 1), Points::Zero(11, 3), Rotations::Zero(11, 4)};
    path.positions.col(0) = speed * path.times.array() - 0.1;
    path.rotations.col(3).setOnes();
    world.bodies[1].path = path;
    world.pairs = {{.first = 0, .second = 1, .restitution = 1.0}};
    const Motion motion = simulate(world, {.duration = 0.2});
    REQUIRE(motion.impacts.size() == 1);
    CHECK(motion.impacts[0].time == clangor::test::Approx(0.06 / speed).epsilon(1e-6));
    CHECK(motion.impacts[0].approach_speed == clangor::test::Approx(speed).epsilon(1e-6));
    CHECK(twist_at(motion.bodies[0], 0.15).linear.x() == clangor::test::Approx(2 * speed).epsilon(1e-6));
}

}  // namespace robust_test
