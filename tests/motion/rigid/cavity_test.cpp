#include "worlds.hpp"

namespace cavity_test {

using namespace clangor;
using namespace clangor::testing;

namespace {

RigidBody fixed_bowl() {
    RigidBody bowl = bowl_body(placed({0, 0.01, 0}));
    bowl.name = "bowl";
    bowl.movement = Movement::Fixed;
    return bowl;
}

}  // namespace

TEST_CASE("the distance of a bowl is that of a spherical cap") {
    const Bowl bowl;
    const double R = (square(bowl.radius) + square(bowl.depth)) / (2 * bowl.depth);
    const CollisionShapePtr shape = fixed_bowl().shape;
    for (const double angle : {0.0, 0.2, 0.5, 0.7})
        for (const double turn : {0.1, 1.3, 4.0})
            for (const double off : {-0.004, -0.003, -0.002, 0.002, 0.0025, 0.004}) {
                const Vec3 out(std::sin(angle) * std::cos(turn), -std::cos(angle), std::sin(angle) * std::sin(turn));
                const double exact = std::abs(off) - bowl.thickness / 2;
                // 10 µm: what the spline adds over cells of 1.3 mm at this curvature; the facets alone are 50 µm off.
                CHECK(std::abs(signed_distance(*shape, Vec3(0, R, 0) + (R + off) * out) - exact) < 1.5e-5);
            }
    CHECK(signed_distance(*shape, {0, 0.03, 0}) > 0.004);  // the cavity is empty
}

TEST_CASE("a coin dropped into a bowl stays in it") {
    RigidWorld world{.bodies = {shaped_body(Cylinder{.radius = 0.012, .height = 0.002},
                                            placed({0.02, 0.15, 0.01}, Eigen::Quaterniond(Eigen::AngleAxisd(
                                                                           0.7, Vec3(1, 0.3, 0.2).normalized()))),
                                            8000),
                                fixed_bowl(), floor_body()}};
    world.bodies[0].name = "coin";
    const Motion motion = simulate(world, {.duration = 2});
    CHECK(motion.warnings.empty());
    for (double t = 0.2; t < 2; t += 0.01) {
        const Vec3 at = pose_at(motion.bodies[0], t).translation();
        CHECK(std::hypot(at.x(), at.z()) < 0.08);
        CHECK(at.y() > 0.01);
    }
    for (const Impact& impact : motion.impacts) {
        CHECK(impact.sides[1].body == 1);
        CHECK(impact.time < 1.7);
    }
    CHECK(motion.impacts.size() >= 3);
}

TEST_CASE("a ball bounces off a wall that is much thinner than it, wherever it falls on it") {
    const double thickness = 0.001, radius = 0.1, depth = 0.02, r = 0.008, drop = 0.05;
    const Surface wall = two_sided(clean(surface_of(Dome{.radius = radius, .depth = depth})).surface, thickness);
    const RigidBody lid{.name = "lid",
                        .shape = collision_shape(wall),
                        .movement = Movement::Fixed,
                        .path = at_rest(placed({0, 0.002, 0}))};
    const double R = (square(radius) + square(depth)) / (2 * depth);
    for (const double x : {0.0, 0.01, 0.03, 0.05, 0.08}) {
        CAPTURE(x);
        const RigidWorld world{.bodies = {ball_body({x, drop, 0}, r, 0.017), lid, floor_body()}};
        const Motion motion = simulate(world, {.duration = 0.12});
        REQUIRE_FALSE(motion.impacts.empty());
        CHECK(motion.impacts[0].sides[1].body == 1);
        // Where its middle is r + ½h from the cap's sphere inside.
        const double height = 0.002 + R - std::sqrt(square(R - r - thickness / 2) - square(x));
        const double fall = std::sqrt(2 * (drop - height) / 9.81);
        CHECK(motion.impacts[0].time == doctest::Approx(fall).scale(1e-300).epsilon(0.01));  // cells of 0.5 mm
    }
}

TEST_CASE("a ball that rolls around in a bowl makes no impacts") {
    const Bowl bowl;
    const double R = (square(bowl.radius) + square(bowl.depth)) / (2 * bowl.depth), r = 0.008;
    const double path = R - bowl.thickness / 2 - r, angle = 0.5;
    const Vec3 start = Vec3(0, R + 0.01, 0) + path * Vec3(std::sin(angle), -std::cos(angle), 0);
    RigidWorld world{.bodies = {ball_body(start, r, 0.017), fixed_bowl()}};
    // On a level circle: g tan(angle) = v²/ρ, of a point that does not turn; a rolling one goes round lower, which is
    // fine.
    world.bodies[0].velocity = {0, 0, std::sqrt(9.81 * std::tan(angle) * path * std::sin(angle))};
    world.pairs = {{.first = 0, .second = 1, .friction = 0.3, .restitution = 0.5}};
    const Motion motion = simulate(world, {.duration = 1.5});
    CHECK(motion.impacts.empty());
    double touching = 0;
    for (const Touch& touch : motion.touches) touching += touch.duration;
    CHECK(touching > 1.45);
}

TEST_CASE("a ball that circles a smooth bowl presses on it evenly") {
    const Bowl bowl;
    const double R = (square(bowl.radius) + square(bowl.depth)) / (2 * bowl.depth), r = 0.008, mass = 0.017;
    const double path = R - bowl.thickness / 2 - r, angle = 0.5;
    RigidWorld world{
        .bodies = {ball_body(Vec3(0, R + 0.01, 0) + path * Vec3(std::sin(angle), -std::cos(angle), 0), r, mass),
                   fixed_bowl()}};
    world.bodies[0].velocity = {0, 0, std::sqrt(9.81 * std::tan(angle) * path * std::sin(angle))};
    world.pairs = {{.first = 0, .second = 1, .friction = 0.0, .restitution = 0.5}};
    const Motion motion = simulate(world, {.duration = 1});
    CHECK(motion.warnings.empty());
    CHECK(motion.impacts.empty());
    for (std::size_t i = 1; i + 1 < motion.touches.size(); ++i)
        if (motion.touches[i].duration > 9e-3)  // 2 %: 15 µm of the surface felt within 5 mm of way
            CHECK(motion.touches[i].impulse.norm() / motion.touches[i].duration ==
                  clangor::test::Approx(mass * 9.81 / std::cos(angle)).epsilon(0.02));
}

TEST_CASE("a ring through a ring stays linked") {
    const Shape ring = Cylinder{.radius = 0.02, .height = 0.003, .inner_radius = 0.017};
    const Eigen::Quaterniond across(Eigen::AngleAxisd(pi / 2, Vec3::UnitX())),
        along(Eigen::AngleAxisd(pi / 2, Vec3::UnitZ()));
    RigidWorld world{.bodies = {shaped_body(ring, placed({0, 0.2, 0}, across), 7800),
                                shaped_body(ring, placed({0, 0.17, 0}, along), 7800)}};
    world.bodies[0].movement = Movement::Fixed;
    const Motion motion = simulate(world, {.duration = 1});
    // Its middle hangs one inner and one outer radius, less both walls, below that of the other.
    CHECK(pose_at(motion.bodies[1], 1).translation().y() == clangor::test::Approx(0.2 - 2 * 0.017).epsilon(0.005));
    CHECK(!motion.impacts.empty());
}

}  // namespace cavity_test
