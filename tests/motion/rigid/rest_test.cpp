// What has come to rest lies still, is silent, and wakes when something touches it.
#include "worlds.hpp"

namespace rest_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

Eigen::Quaterniond turned(double angle, const Vec3& axis) {
    return Eigen::Quaterniond(Eigen::AngleAxisd(angle, axis.normalized()));
}

// Three dice and a slab that fall onto one another on the floor.
RigidWorld heap() {
    RigidWorld world;
    world.bodies = {shaped_body(Box{{0.12, 0.015, 0.12}}, placed({0, 0.04, 0}, turned(0.2, {1, 0, 1})))};
    for (int i = 0; i < 3; ++i)
        world.bodies.push_back(shaped_body(Box{Vec3::Constant(0.02)},
                                           placed({0.01 * i, 0.1 + 0.05 * i, 0.005 * i}, turned(0.5 + i, {1, 2, 3}))));
    world.bodies.push_back(floor_body());
    return world;
}

}  // namespace

TEST_CASE("a heap comes to rest, and then nothing of it moves, slips or rolls") {
    const RigidWorld world = heap();
    const Motion motion = simulate(world, {.duration = 4});
    double rest = 0;
    for (int i = 0; i < 4; ++i) rest = std::max(rest, last_motion(motion.bodies[i]));
    CHECK(rest < 3);  // falls of 0.3 m, restitution 0.5: a second of bounces, then a die that rolls off another
    int touches = 0;
    for (const Touch& touch : motion.touches) {
        if (touch.time < rest) continue;
        ++touches;
        CHECK(touch.slip_speed == 0);
        CHECK(touch.travel_speed == 0);
    }
    CHECK(touches > 0);
    for (const Impact& impact : motion.impacts) CHECK(impact.time < rest);
}

TEST_CASE("a bowl that is dropped upright stops rocking, and lies") {
    // On its round bottom it is held by one point; for minutes it went from bump to bump of its shape, 7 µm high.
    for (const double height : {0.02, 0.1, 0.5}) {
        CAPTURE(height);
        const RigidWorld world{.bodies = {bowl_body(placed({0, height, 0})), floor_body()}};
        const Motion motion = simulate(world, {.duration = 6});
        CHECK(last_motion(motion.bodies[0]) < 4);  // it rocks on its bottom for some seconds
        for (const Touch& touch : motion.touches)
            if (touch.time > last_motion(motion.bodies[0])) CHECK(touch.slip_speed + touch.travel_speed == 0);
    }
}

TEST_CASE("the floor carries the weight of what sleeps on it, to the last digit") {
    const RigidWorld world = heap();
    const Motion motion = simulate(world, {.duration = 6});
    for (int i = 0; i < 4; ++i) {
        const RigidBody& body = world.bodies[i];
        const Trajectory& path = motion.bodies[i];
        const double duration = path.times[path.times.size() - 1];
        REQUIRE(last_motion(path) < duration - 1);  // it ends at rest, as it began
        CHECK((received(motion, i) + body.mass * duration * world.gravity).norm() < 1e-9 * body.mass * 9.81 * duration);
    }
}

TEST_CASE("a sleeping box wakes when a ball falls on it, as one that never slept") {
    // The ball is thrown up and comes down after two seconds; the box stands until then.
    RigidWorld world{
        .bodies = {shaped_body(Box{{0.1, 0.02, 0.1}}, placed({0, 0.01, 0})), ball_body({0, 0.04, 0}), floor_body()}};
    world.bodies[1].velocity = {0, 9.81, 0};
    const Motion motion = simulate(world, {.duration = 2.5});
    const auto on_box = [&](const Impact& impact) { return impact.sides[0].body == 0 && impact.sides[1].body == 1; };
    const auto first = std::find_if(motion.impacts.begin(), motion.impacts.end(), on_box);
    REQUIRE(first != motion.impacts.end());
    // Down again at its height after 2v/g = 2 s, at the speed of its throw.
    CHECK(first->time == clangor::test::Approx(2).epsilon(1e-3));
    CHECK(first->approach_speed == clangor::test::Approx(9.81).epsilon(1e-3));
    // The floor answers for the box within a few steps.
    bool answered = false;
    for (const Impact& impact : motion.impacts)
        answered = answered || (impact.time >= first->time && impact.sides[0].body == 0 && impact.sides[1].body == 2);
    for (const Touch& touch : motion.touches)
        answered = answered || (std::abs(touch.time - first->time) < 0.02 && touch.sides[0].body == 0 &&
                                touch.sides[1].body == 2 && touch.impulse.norm() > 0.1 * first->impulse.norm());
    CHECK(answered);
}

TEST_CASE("a box on a slope that is too steep for friction does not fall asleep") {
    const double slope = 0.3, friction = 0.28;  // tan 0.3 = 0.309
    RigidWorld world{.bodies = {shaped_body(Box{{0.05, 0.02, 0.05}}, placed(Vec3::Zero())), floor_body()}};
    world.gravity = 9.81 * Vec3(std::sin(slope), -std::cos(slope), 0);
    world.bodies[0].path = at_rest(placed({0, 0.01, 0}));
    world.bodies[0].friction = world.bodies[1].friction = friction;
    const Motion motion = simulate(world, {.duration = 1});
    // ½ g (sin − µ cos) t²
    const double slid = 0.5 * 9.81 * (std::sin(slope) - friction * std::cos(slope));
    CHECK((pose_at(motion.bodies[0], 1).translation().x()) == clangor::test::Approx(slid).epsilon(0.02));
}

TEST_CASE("what is placed half a millimetre above the floor stands on it, without an impact") {
    const RigidWorld world{.bodies = {shaped_body(Box{Vec3::Constant(0.06)}, placed({0, 0.0305, 0})), floor_body()}};
    const Motion motion = simulate(world, {.duration = 0.3});
    CHECK(motion.impacts.empty());
    CHECK(pose_at(motion.bodies[0], 0).translation().y() == clangor::test::Approx(0.03).epsilon(1e-6));
}

TEST_CASE("what is placed a centimetre above the floor falls") {
    const RigidWorld world{.bodies = {shaped_body(Box{Vec3::Constant(0.06)}, placed({0, 0.04, 0})), floor_body()}};
    const Motion motion = simulate(world, {.duration = 0.3});
    REQUIRE(!motion.impacts.empty());
    CHECK(motion.impacts[0].approach_speed == clangor::test::Approx(std::sqrt(2 * 9.81 * 0.01)).epsilon(0.01));
}

TEST_CASE("the first seconds of a longer motion are those of a shorter one, to the last bit") {
    const RigidWorld world = heap();
    const Motion shorter = simulate(world, {.duration = 1.3}), longer = simulate(world, {.duration = 2.9});
    CHECK(shorter.step_hz == longer.step_hz);
    for (std::size_t i = 0; i < shorter.impacts.size(); ++i) {
        CHECK(shorter.impacts[i].time == longer.impacts[i].time);
        CHECK(shorter.impacts[i].impulse == longer.impacts[i].impulse);
    }
    for (std::size_t i = 0; i < world.bodies.size(); ++i)
        for (double t = 0; t < 1.29; t += 0.0137)
            CHECK(pose_at(shorter.bodies[i], t).matrix() == pose_at(longer.bodies[i], t).matrix());
}

}  // namespace rest_test
