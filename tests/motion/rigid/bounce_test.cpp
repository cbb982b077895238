#include <approx.hpp>

#include "worlds.hpp"

#include <algorithm>

namespace bounce_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

constexpr double g = 9.81, radius = 0.02;

Motion bounces(double restitution, double duration, double step_hz = 0) {
    RigidWorld world{.bodies = {ball_body({0, 1 + radius, 0}, radius), floor_body()}};
    world.pairs = {{.first = 0, .second = 1, .friction = 0.0, .restitution = restitution}};
    return simulate(world, {.duration = duration, .step_hz = step_hz, .pose_hz = 4000});
}

double highest_between(const Motion& motion, double from, double to) {
    double highest = -1;
    for (double t = from; t < to; t += 1e-4)
        highest = std::max(highest, pose_at(motion.bodies[0], t).translation().y() - radius);
    return highest;
}

}  // namespace

TEST_CASE("an elastic ball returns to its height ten times") {
    const double period = 2 * std::sqrt(2 / g);  // between bounces
    const Motion motion = bounces(1, 10.5 * period);
    REQUIRE(motion.impacts.size() >= 10);
    for (int n = 0; n < 10; ++n) {
        const double first = period / 2 + n * period;
        CHECK(motion.impacts[n].time == clangor::test::Approx(first).epsilon(1e-5));
        CHECK(highest_between(motion, first, first + period) == clangor::test::Approx(1).epsilon(2e-5));
        CHECK(motion.impacts[n].approach_speed == clangor::test::Approx(std::sqrt(2 * g)).epsilon(1e-5));
    }
}

TEST_CASE("a ball of restitution one half returns to a quarter each time") {
    const Motion motion = bounces(0.5, 1.5);
    REQUIRE(motion.impacts.size() >= 5);
    double height = 1;
    for (std::size_t n = 0; n < 5; ++n) {
        CHECK(motion.impacts[n].approach_speed == clangor::test::Approx(std::sqrt(2 * g * height)).epsilon(1e-3));
        CHECK(motion.impacts[n].impulse.y() ==
              clangor::test::Approx(0.26 * 1.5 * std::sqrt(2 * g * height)).epsilon(1e-3));
        height /= 4;
        CHECK(highest_between(motion, motion.impacts[n].time,
                              n + 1 < motion.impacts.size() ? motion.impacts[n + 1].time : 1.5) ==
              clangor::test::Approx(height).epsilon(0.01));  // poses lie 0.25 ms apart
    }
}

TEST_CASE("bodies part at the speed that the rule says, which is asked with both sides in their own frames") {
    RigidWorld world{.bodies = {ball_body({-0.1, 0, 0}), ball_body({0.1, 0, 0})}, .gravity = Vec3::Zero()};
    const double radius = 0.02;
    world.bodies[0].path = at_rest(Eigen::Translation3d(-0.1, 0, 0) * Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()));
    world.bodies[0].velocity = {3, 0, 0};
    world.bodies[1].velocity = {-1, 0, 0};
    std::vector<Bounce> asked;
    world.bounces = [&](std::span<const Bounce> bounces) {
        asked.assign(bounces.begin(), bounces.end());
        return std::vector<double>(bounces.size(), 0.3 * bounces.front().approach_speed);
    };
    const Motion motion = simulate(world, {.duration = 0.2});
    REQUIRE(motion.impacts.size() == 1);
    REQUIRE(asked.size() == 1);
    CHECK(asked[0].approach_speed == clangor::test::Approx(4).epsilon(1e-6));
    // The first ball is turned by 90°: what is +x in the world is −y of its frame.
    CHECK((asked[0].sides[0].normal - Vec3(0, -1, 0)).norm() < 1e-9);
    CHECK((asked[0].sides[0].point - radius * Vec3(0, -1, 0)).norm() < 2e-3 * radius + 4e-3);
    CHECK((asked[0].sides[1].normal - Vec3(-1, 0, 0)).norm() < 1e-9);
    const double mass = world.bodies[0].mass;
    CHECK(motion.impacts[0].impulse.norm() == clangor::test::Approx(mass / 2 * 1.3 * 4).epsilon(1e-6));
}

TEST_CASE("two equal balls that meet head on swap velocities") {
    RigidWorld world{.bodies = {ball_body({-0.1, 0, 0}), ball_body({0.1, 0, 0})}, .gravity = Vec3::Zero()};
    world.bodies[0].velocity = {3, 0, 0};
    world.bodies[1].velocity = {-1, 0, 0};
    world.pairs = {{.first = 0, .second = 1, .restitution = 1.0}};
    const Motion motion = simulate(world, {.duration = 0.2});
    REQUIRE(motion.impacts.size() == 1);
    CHECK(motion.touches.empty());
    const Impact& impact = motion.impacts[0];
    CHECK(impact.time == clangor::test::Approx(0.16 / 4).epsilon(1e-9));
    CHECK(impact.impulse.x() == clangor::test::Approx(-0.26 * 4).epsilon(1e-9));
    CHECK(twist_at(motion.bodies[0], 0.15).linear.x() == clangor::test::Approx(-1).epsilon(1e-6));
    CHECK(twist_at(motion.bodies[1], 0.15).linear.x() == clangor::test::Approx(3).epsilon(1e-6));
    CHECK(impact.sides[0].normal.x() == clangor::test::Approx(1));
    CHECK((impact.sides[1].point - Vec3(-radius, 0, 0)).norm() < 1e-6);
}

TEST_CASE("the time of an impact is found between the steps") {
    const double exact = std::sqrt(2 / g);
    for (const double hz : {1000.0, 2310.0, 10000.0}) {
        const Motion motion = bounces(0.5, 0.5, hz);
        REQUIRE(!motion.impacts.empty());
        CHECK(std::abs(motion.impacts[0].time - exact) < 1e-9);  // free fall is a parabola for any step
    }
}

}  // namespace bounce_test
