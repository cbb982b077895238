// What lies is held, beside others that go on moving: it bears them, and gives way to them.
#include "worlds.hpp"

#include <clangor/motion/rigid/rest.hpp>

#include <random>

namespace piles_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

RigidBody box(const Vec3& size, const Vec3& at) { return shaped_body(Box{size}, placed(at)); }

// What two bodies gave each other within a time, on the first.
Vec3 between(const Motion& motion, int first, int second, double from, double to) {
    Vec3 sum = Vec3::Zero();
    const auto add = [&](const auto& events) {
        for (const auto& event : events)
            if (event.time >= from && event.time < to && event.sides[0].body == first && event.sides[1].body == second)
                sum += event.impulse;
    };
    add(motion.impacts);
    add(motion.touches);
    return sum;
}

// A ball that goes to and fro in a bowl, which rocks with it, on a block on a slab on the floor.
RigidWorld ball_in_a_bowl() {
    RigidWorld world{.bodies = {box({0.3, 0.02, 0.3}, {0, 0.01, 0}), box({0.2, 0.02, 0.2}, {0, 0.03, 0}),
                                bowl_body(placed({0, 0.04, 0})), ball_body({0.03, 0.08, 0}, 0.01, 0.002),
                                floor_body()}};
    world.bodies[3].friction = 0.01;
    return world;
}

}  // namespace

TEST_CASE("a slab lies still below a bowl in which a ball rolls, and the floor carries all of them") {
    const RigidWorld world = ball_in_a_bowl();
    const double duration = 3;
    const Motion motion = simulate(world, {.duration = duration});
    const Trajectory& slab = motion.bodies[0];
    CHECK(last_motion(slab) < 1);
    CHECK(last_motion(motion.bodies[3]) > 2);
    const double end = slab.times[slab.times.size() - 1];
    const double mass = world.bodies[0].mass;
    // At rest as it began: what it was given is its weight, as exactly as for a body that moves.
    CHECK((received(motion, 0) + mass * end * world.gravity).norm() < 1e-9 * mass * 9.81 * end);
    // The ball's to and fro is 2 % of the weight at most, and rows of 128 steps may begin before and end after.
    const double all = mass + world.bodies[1].mass + world.bodies[2].mass + world.bodies[3].mass;
    CHECK(between(motion, 0, 4, 1.5, 2.5).y() == clangor::test::Approx(all * 9.81).epsilon(0.03));
}

TEST_CASE("a stack that is held lets go of all that a ball knocks over") {
    // Thrown up at 9.81 m/s, it is back after two seconds; and it goes along by 0.1 m/s · 2 s to hit the edge.
    RigidWorld world;
    for (int i = 0; i < 4; ++i) world.bodies.push_back(box({0.03, 0.03, 0.03}, {0, 0.015 + 0.03 * i, 0}));
    world.bodies.push_back(ball_body({-0.6, 0.06, 0}, 0.02, 0.26));
    world.bodies.push_back(floor_body());
    world.bodies[4].velocity = {0.3, 9.81, 0};
    const Motion motion = simulate(world, {.duration = 3});
    double struck = 3;
    for (const Impact& impact : motion.impacts)
        if (impact.sides[1].body == 4) struck = std::min(struck, impact.time);
    REQUIRE(struck > 1.5);
    REQUIRE(struck < 2.1);
    for (int i = 0; i < 4; ++i) {
        CAPTURE(i);
        const Trajectory& path = motion.bodies[i];
        CHECK((pose_at(path, struck - 0.01).translation() - pose_at(path, 0.3).translation()).norm() == 0);
        const double end = path.times[path.times.size() - 1];
        if (i > 0) CHECK((pose_at(path, end).translation() - pose_at(path, 0.3).translation()).norm() > 0.005);
    }
}

TEST_CASE("what is held falls when that on which it leans is drawn away") {
    // Two boxes, one on the other, on a plate that stands for a second and then goes down, faster than they can fall.
    RigidWorld world{.bodies = {box({0.04, 0.04, 0.04}, {0, 0.52, 0}), box({0.03, 0.03, 0.03}, {0, 0.555, 0}),
                                box({0.2, 0.02, 0.2}, {0, 0.49, 0}), floor_body()}};
    RigidBody& plate = world.bodies[2];
    plate.movement = Movement::Driven;
    plate.path.times = Eigen::Vector4d(0, 1, 1.1, 3);
    plate.path.positions = Points(4, 3);
    plate.path.positions << 0, 0.49, 0, 0, 0.49, 0, 0, 0.09, 0, 0, 0.09, 0;
    plate.path.rotations = Rotations(4, 4);
    plate.path.rotations.setZero();
    plate.path.rotations.col(3).setOnes();
    const Motion motion = simulate(world, {.duration = 1.2});
    // Both are held until then, and fall ½ g t² of the 0.2 s left, less what the plate's start takes.
    for (int i = 0; i < 2; ++i) {
        CAPTURE(i);
        CHECK((pose_at(motion.bodies[i], 0.9).matrix() == pose_at(motion.bodies[i], 0.5).matrix()));
        const double fell =
            pose_at(motion.bodies[i], 0.9).translation().y() - pose_at(motion.bodies[i], 1.2).translation().y();
        CHECK(fell == clangor::test::Approx(0.5 * 9.81 * 0.04).epsilon(0.15));
    }
}

TEST_CASE("bodies hand their load on to all that they lean on, to the last digit") {
    // One on two, which stand on the floor (3): the first is loaded with 5 N·s more than its weight of 1.
    const auto row = [](int a, int b, double impulse) {
        rigid::ConstraintRow one{.a = a, .b = b, .contact = {.normal = Vec3::UnitY()}};
        one.normal_impulse = impulse;
        return one;
    };
    std::vector<rigid::ConstraintRow> rows = {row(0, 1, 0.25), row(0, 2, 0.75), row(1, 3, 1), row(2, 3, 2)};
    const std::vector<int> bodies = {0, 1, 2};
    const std::vector<rigid::Leaning> leaning = rigid::leaning_of(bodies, rows);
    REQUIRE(leaning.size() == 3);
    CHECK(leaning[0].body == 0);
    const Vec3 weight = Vec3::UnitY();
    rigid::share_out(bodies, leaning, {6 * weight, weight, weight}, rows);
    CHECK(rows[0].normal_impulse == 1.5);  // as 0.25 to 0.75
    CHECK(rows[1].normal_impulse == 4.5);
    CHECK(rows[2].normal_impulse == 2.5);
    CHECK(rows[3].normal_impulse == 5.5);  // together 5 + 3 weights
}

TEST_CASE("a body that leans on nothing is left out of those that are held") {
    rigid::ConstraintRow apart{.a = 0, .b = 1, .contact = {.normal = Vec3::UnitX()}};
    apart.normal_impulse = 1;
    rigid::ConstraintRow below{.a = 2, .b = 3, .contact = {.normal = Vec3::UnitY()}};
    below.normal_impulse = 1;
    const std::vector<rigid::Leaning> leaning = rigid::leaning_of({0, 1, 2}, {apart, below});
    REQUIRE(leaning.size() == 1);
    CHECK(leaning[0].body == 2);
}

TEST_CASE("a heap that is held in part is the same on any number of threads, to the last bit") {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    RigidWorld world;
    for (int i = 0; i < 24; ++i) {
        const Vec3 at(0.02 * (i % 3), 0.02 + 0.025 * double(i / 3), 0.006 * uniform(random));
        world.bodies.push_back(i % 3 == 0 ? ball_body(at, 0.006, 7e-3) : box(Vec3::Constant(0.014), at));
    }
    world.bodies.push_back(floor_body());
    const int before = thread_count();
    set_thread_count(1);
    const Motion alone = simulate(world, {.duration = 1.5});
    for (const int threads : {2, 3, 5}) {
        CAPTURE(threads);
        set_thread_count(threads);
        const Motion shared = simulate(world, {.duration = 1.5});
        REQUIRE(shared.touches.size() == alone.touches.size());
        for (std::size_t i = 0; i < alone.touches.size(); ++i)
            CHECK(shared.touches[i].impulse == alone.touches[i].impulse);
        for (std::size_t i = 0; i < world.bodies.size(); ++i)
            CHECK(shared.bodies[i].positions == alone.bodies[i].positions);
    }
    set_thread_count(before);
}

}  // namespace piles_test
