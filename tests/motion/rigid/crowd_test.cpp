// Many bodies: islands that know nothing of each other, on any number of threads.
#include "worlds.hpp"

#include <clangor/motion/rigid/contacts.hpp>

#include <random>

namespace crowd_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

// Dice, coins and, if wanted, balls and small bowls, in layers over a place of the floor, each turned at random.
std::vector<RigidBody> poured(int count, const Vec3& over, unsigned seed, int kinds = 2) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    static const RigidBody kind_of[] = {
        shaped_body(Box{Vec3::Constant(0.014)}, placed(Vec3::Zero()), 1200),
        shaped_body(Cylinder{.radius = 0.0115, .height = 0.002}, placed(Vec3::Zero()), 8500),
        ball_body(Vec3::Zero(), 0.006, 7e-3),
        shaped_body(Bowl{.radius = 0.016, .depth = 0.014, .thickness = 0.002}, placed(Vec3::Zero()), 2300)};
    std::vector<RigidBody> bodies;
    for (int i = 0; i < count; ++i) {
        const Vec3 at = over + Vec3(0.03 * (i % 3), 0.05 + 0.03 * (i / 9), 0.03 * (i / 3 % 3)) +
                        0.002 * Vec3(uniform(random), 0, uniform(random));
        const Vec3 axis(uniform(random), uniform(random), uniform(random));
        RigidBody body = kind_of[i % kinds];
        body.path = at_rest(placed(at, Eigen::Quaterniond(Eigen::AngleAxisd(3 * uniform(random), axis.normalized()))));
        bodies.push_back(body);
    }
    return bodies;
}

RigidWorld on_a_floor(std::vector<RigidBody> bodies) {
    bodies.push_back(floor_body());
    return {.bodies = std::move(bodies), .pairs = {}};
}

void check_same(const Trajectory& one, const Trajectory& other) {
    CHECK(one.times == other.times);
    CHECK(one.positions == other.positions);
    CHECK(one.rotations == other.rotations);
}

}  // namespace

TEST_CASE("a crowd moves the same on any number of threads, to the last bit") {
    const RigidWorld world = on_a_floor(poured(36, Vec3::Zero(), 1, 4));
    const int before = thread_count();
    set_thread_count(1);
    const Motion alone = simulate(world, {.duration = 0.5});
    CHECK(alone.impacts.size() > 100);
    for (const int threads : {2, 3, 5, 16}) {
        CAPTURE(threads);
        set_thread_count(threads);
        const Motion shared = simulate(world, {.duration = 0.5});
        REQUIRE(shared.impacts.size() == alone.impacts.size());
        REQUIRE(shared.touches.size() == alone.touches.size());
        for (std::size_t i = 0; i < alone.impacts.size(); ++i) {
            CHECK(shared.impacts[i].time == alone.impacts[i].time);
            CHECK(shared.impacts[i].impulse == alone.impacts[i].impulse);
        }
        for (std::size_t i = 0; i < alone.touches.size(); ++i)
            CHECK(shared.touches[i].impulse == alone.touches[i].impulse);
        for (std::size_t i = 0; i < world.bodies.size(); ++i) check_same(shared.bodies[i], alone.bodies[i]);
    }
    set_thread_count(before);
}

TEST_CASE("two heaps far apart move as each of them does alone, to the last bit") {
    const std::vector<RigidBody> here = poured(12, Vec3::Zero(), 2, 4), there = poured(11, {3, 0.02, 1}, 3, 4);
    std::vector<RigidBody> both = here;
    both.insert(both.end(), there.begin(), there.end());
    const RigidOptions options{.duration = 0.8, .step_hz = 6000};
    const Motion together = simulate(on_a_floor(both), options);
    const Motion first = simulate(on_a_floor(here), options), second = simulate(on_a_floor(there), options);
    CHECK(first.impacts.size() > 30);
    CHECK(together.impacts.size() == first.impacts.size() + second.impacts.size());
    for (std::size_t i = 0; i < here.size(); ++i) check_same(together.bodies[i], first.bodies[i]);
    for (std::size_t i = 0; i < there.size(); ++i) check_same(together.bodies[here.size() + i], second.bodies[i]);
}

TEST_CASE("what each of a crowd received is its change of momentum, gravity apart") {
    // They fall on a tilted plate and on one another, slide over its edge and fall on.
    RigidWorld world{.bodies = poured(18, {-0.05, 0.02, -0.03}, 4), .pairs = {}};
    world.bodies.push_back(
        shaped_body(Plate{.width = 0.2, .depth = 0.3},
                    placed(Vec3::Zero(), Eigen::Quaterniond(Eigen::AngleAxisd(-0.7, Vec3::UnitZ())))));
    world.bodies.back().movement = Movement::Fixed;
    for (RigidBody& body : world.bodies) body.friction = 0.1;
    const double duration = 0.7;
    const Motion motion = simulate(world, {.duration = duration, .pose_hz = 1e6});
    const double h = 1 / motion.step_hz;
    std::vector<double> last_contact(world.bodies.size(), 0);
    const auto note = [&](const auto& contacts, double length) {
        for (const auto& contact : contacts)
            for (const ContactSide& side : contact.sides)
                last_contact[side.body] = std::max(last_contact[side.body], contact.time + length);
    };
    note(motion.impacts, 2e-3);  // steps of one impact are joined for 1.5 ms
    note(motion.touches, 11e-3);
    int flying = 0;
    for (int i = 0; i < 18; ++i) {
        const RigidBody& body = world.bodies[i];
        const Trajectory& path = motion.bodies[i];
        const long last = path.times.size() - 1;
        if (last_contact[i] == 0 || last_contact[i] > path.times[last] - 2 * h) continue;
        ++flying;
        const auto centre = [&](long k) { return Vec3(pose_at(path, path.times[k]) * body.centre); };
        const Vec3 end = (centre(last) - centre(last - 1)) / h + h / 2 * world.gravity;  // of a parabola
        const Vec3 given = received(motion, i) + body.mass * path.times[last] * world.gravity;
        CHECK((body.mass * end - given).norm() < 1e-9 * body.mass * 9.81 * duration);  // as of a single body
    }
    CHECK(flying > 9);
}

TEST_CASE("a heap of dice and coins sleeps, and the floor carries it to the last digit") {
    const RigidWorld world = on_a_floor(poured(18, Vec3::Zero(), 5));
    const double duration = 4;
    const Motion motion = simulate(world, {.duration = duration});
    for (int i = 0; i < 18; ++i) {
        CAPTURE(i);
        const Trajectory& path = motion.bodies[i];
        REQUIRE(last_motion(path) < 3);  // falls of 0.1 m; a coin that is spun goes on for a second or two
        const double end = path.times[path.times.size() - 1], mass = world.bodies[i].mass;
        CHECK((received(motion, i) + mass * end * world.gravity).norm() < 1e-9 * mass * 9.81 * end);
    }
}

TEST_CASE("a mug that stands on the floor stays where it stands") {
    // Its rim bears it at one point after another as it rocks; where each of them lifted it a little, it rocked for
    // ever, and ever more.
    const RigidWorld world{.bodies = {shaped_body(Mug{}, placed(Vec3::Zero())), floor_body()}};
    const Motion motion = simulate(world, {.duration = 1});
    CHECK(last_motion(motion.bodies[0]) < 0.5);
    const Eigen::Isometry3d end = pose_at(motion.bodies[0], 1);
    CHECK(end.translation().norm() < 1e-4);
    CHECK((end.linear() - Mat3::Identity()).norm() < 2e-3);  // 0.1 mm over its height
}

TEST_CASE("the points that may touch give the contacts that a search of all points gives") {
    const CollisionShapePtr bowl = collision_shape(Bowl{.radius = 0.03, .depth = 0.02});
    const CollisionShapePtr coin = collision_shape(Cylinder{.radius = 0.012, .height = 0.002});
    const CollisionShapePtr ball = collision_shape(Sphere{0.01});
    std::mt19937 random(6);
    std::uniform_real_distribution<double> uniform(-1, 1);
    const auto some = [&] { return Vec3(uniform(random), uniform(random), uniform(random)); };
    const double margin = 1e-4, reach = 2e-3;
    int touching = 0;
    for (int trial = 0; trial < 60; ++trial) {
        const CollisionShape& other = trial % 2 == 0 ? *coin : *ball;
        const Eigen::Isometry3d still = placed(Vec3::Zero());
        const Vec3 at(0.02 * uniform(random), 0.012 + 0.01 * uniform(random), 0.02 * uniform(random));
        const Eigen::Quaterniond turn(Eigen::AngleAxisd(2 * uniform(random), some().normalized()));
        const Eigen::Isometry3d start = placed(at, turn);
        rigid::Nearby near = rigid::nearby({*bowl, still}, {other, start}, margin, reach);
        const Vec3 way = some().normalized() * std::min(near.reach, reach);
        for (int step = 0; step <= 10; ++step) {
            const Eigen::Isometry3d now = placed(at + 0.1 * step * way, turn);
            near.moved = near.gone = 0.1 * step * way.norm();
            const std::vector<rigid::Contact> all = rigid::contacts_between({*bowl, still}, {other, now}, margin);
            if (near.apart) {
                CHECK(all.empty());
                continue;
            }
            const std::vector<rigid::Contact> found =
                rigid::contacts_between({*bowl, still}, {other, now}, margin, {}, near);
            REQUIRE(found.size() == all.size());
            for (std::size_t i = 0; i < all.size(); ++i) CHECK(found[i].on_a == all[i].on_a);
            touching += all.empty() ? 0 : 1;
        }
    }
    CHECK(touching > 50);
}

}  // namespace crowd_test
