#include "worlds.hpp"

namespace friction_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

constexpr double g = 9.81;

Eigen::Quaterniond about_z(double angle) { return Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vec3::UnitZ())); }

}  // namespace

TEST_CASE("a sliding die stops after v²/(2µg)") {
    const double v = 0.8, mu = 0.4, edge = 0.02;
    RigidWorld world{.bodies = {shaped_body(Box{Vec3::Constant(edge)}, placed({0, edge / 2, 0})), floor_body()}};
    world.bodies[0].velocity = {v, 0, 0};
    world.pairs = {{.first = 0, .second = 1, .friction = mu, .restitution = 0.0}};
    const Motion motion = simulate(world, {.duration = 0.4});
    const Vec3 end = pose_at(motion.bodies[0], 0.4).translation();
    CHECK(end.x() == clangor::test::Approx(v * v / (2 * mu * g)).epsilon(0.002));
    CHECK(std::abs(end.z()) < 1e-6);
    CHECK(motion.impacts.empty());
    REQUIRE(!motion.touches.empty());
    // At first it slides at v, less µg times half of the first row.
    const Touch& first = motion.touches[0];
    CHECK(first.slip_speed == clangor::test::Approx(v - mu * g * first.duration / 2).epsilon(0.01));
    CHECK(first.travel_speed == clangor::test::Approx(first.slip_speed).epsilon(0.02));
    for (const Touch& touch : motion.touches) CHECK(touch.duration <= 10e-3 * (1 + 1e-6));
}

TEST_CASE("a ball that rolls down an incline accelerates at 5/7 g sin α, less what rolling costs") {
    const double alpha = 0.2, radius = 0.02, time = 0.8;
    // The floor bears 0.05 mm ahead of the middle: a couple of that lever times m g cos α against the rolling.
    const double acceleration = 5.0 / 7 * g * (std::sin(alpha) - 5e-5 / radius * std::cos(alpha));
    RigidWorld world{.bodies = {ball_body(about_z(-alpha) * Vec3(0, radius, 0), radius), floor_body()}};
    world.bodies[1].path = at_rest(placed(Vec3::Zero(), about_z(-alpha)));
    world.pairs = {{.first = 0, .second = 1, .friction = 0.8, .restitution = 0.3}};
    const Motion motion = simulate(world, {.duration = time});
    const Vec3 way = pose_at(motion.bodies[0], time).translation() - pose_at(motion.bodies[0], 0).translation();
    CHECK(way.norm() == clangor::test::Approx(0.5 * acceleration * time * time).epsilon(0.001));
    CHECK(motion.impacts.empty());
    const Touch& last = motion.touches.back();
    const double speed = acceleration * time;
    CHECK(last.slip_speed < 0.01 * speed);
    CHECK(last.travel_speed == clangor::test::Approx(speed).epsilon(0.02));
}

TEST_CASE("a body that has settled makes touches that carry its weight, and no impacts") {
    RigidWorld world{
        .bodies = {shaped_body(Box{{0.05, 0.03, 0.04}}, placed({0, 0.1, 0}, about_z(0.4))),
                   shaped_body(Cylinder{.radius = 0.012, .height = 0.002}, placed({0.2, 0.05, 0}, about_z(0.3)), 8000),
                   bowl_body(placed({-0.3, 0.03, 0}, about_z(0.1))), floor_body()}};
    for (RigidBody& body : world.bodies) body.restitution = 0.3;
    const double duration = 3, late = 2.5;
    const Motion motion = simulate(world, {.duration = duration});
    CHECK(motion.warnings.empty());
    for (int body = 0; body < 2; ++body) {
        double weight = 0;
        for (const Impact& impact : motion.impacts) CHECK((impact.sides[0].body != body || impact.time < late));
        for (const Touch& touch : motion.touches)
            if (touch.sides[0].body == body && touch.time >= late) weight += touch.impulse.y();
        const double expected = world.bodies[body].mass * g * (duration - late);
        CHECK(weight == clangor::test::Approx(expected).epsilon(0.045));  // a row of 10 ms more or less at either end
    }
    for (const Impact& impact : motion.impacts) CHECK(impact.time < late);
}

}  // namespace friction_test
