#include "approx.hpp"

#include <clangor/motion/grains/grains.hpp>

#include <cmath>

namespace grains_walls_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double g = 9.81;
constexpr GrainSurface elastic{1, 0, 0, -1, 0};

std::vector<GrainCollision> collisions_of(const GrainWorld& world, double duration) {
    std::vector<GrainCollision> all;
    simulate(world, {.duration = duration}, {.collisions = [&](std::span<const GrainCollision> block) {
                 all.insert(all.end(), block.begin(), block.end());
             }});
    return all;
}

GrainWorld world_of(const std::variant<GrainPlane, Surface>& wall, const GrainSurface& surface, const Grain& grain) {
    return {.kinds = {{.name = "ball", .density = 2500, .surface = surface}},
            .grains = {grain},
            .walls = {{.name = "wall", .shape = wall, .surface = surface}}};
}

Eigen::Isometry3d placed(const Vec3& at, double turn, const Vec3& axis) {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    pose.translation() = at;
    pose.linear() = Eigen::AngleAxisd(turn, axis).toRotationMatrix();
    return pose;
}

}  // namespace

TEST_CASE("a ball that falls on an edge and on a corner meets them as spheres do") {
    const double r = 0.01, drop = 0.3;
    const Surface box = surface_of(Box{Vec3::Constant(0.1)});
    for (const double offset : {0.0, 0.002, 0.007}) {
        CAPTURE(offset);
        // Above the edge x = z-axis at (0.05, 0.05), outside by `offset`: it meets the edge at sin α = offset/r.
        const Vec3 start(0.05 + offset, 0.05 + drop, 0.012);
        std::vector<GrainCollision> hits = collisions_of(world_of(box, elastic, {.position = start, .radius = r}), 0.3);
        REQUIRE(hits.size() >= 1);
        const double cosine = std::sqrt(1 - square(offset / r));
        CHECK(std::abs(hits[0].time - std::sqrt(2 * (drop - r * cosine) / g)) < 1e-9);
        CHECK((hits[0].normal - Vec3(offset / r, cosine, 0)).norm() < 1e-9);
        CHECK(hits[0].normal_speed == Approx(g * hits[0].time * cosine).epsilon(1e-9));
        CHECK((hits[0].point - Vec3(0.05, 0.05, 0.012)).norm() < 1e-9);
        // Above the corner, outside along both edges.
        const Vec3 above(0.05 + offset, 0.05 + drop, 0.05 + offset / 2);
        hits = collisions_of(world_of(box, elastic, {.position = above, .radius = r}), 0.3);
        REQUIRE(hits.size() >= 1);
        const double height = std::sqrt(r * r - 1.25 * square(offset));
        CHECK(std::abs(hits[0].time - std::sqrt(2 * (drop - height) / g)) < 1e-9);
        CHECK((hits[0].point - Vec3::Constant(0.05)).norm() < 1e-9);
    }
}

TEST_CASE("a thin sheet holds balls off from both sides, at its faces and at its rim") {
    const Surface sheet = surface_of(Sheet{.width = 0.2, .depth = 0.2});
    GrainWorld world =
        world_of(sheet, elastic, {.position = {0.01, -0.05, 0.02}, .velocity = {0, 2, 0}, .radius = 0.01});
    world.gravity = Vec3::Zero();
    const std::vector<GrainCollision> below = collisions_of(world, 0.1);
    REQUIRE(below.size() == 1);
    CHECK(below[0].time == Approx(0.02).epsilon(1e-9));
    CHECK(below[0].normal[1] == -1);
    world.grains[0] = {.position = {0.15, 0.006, 0}, .velocity = {-1, 0, 0}, .radius = 0.01};
    const std::vector<GrainCollision> rim = collisions_of(world, 0.1);
    REQUIRE(rim.size() >= 1);
    CHECK(rim[0].time == Approx(0.05 - 0.008).epsilon(1e-9));
    CHECK((rim[0].normal - Vec3(0.8, 0.6, 0)).norm() < 1e-9);
}

TEST_CASE("a ball in a closed box with gravity keeps its energy over thousands of bounces, and stays inside") {
    GrainWorld world = world_of(surface_of(Box{{0.1, 0.2, 0.15}}), elastic,
                                {.position = {0.01, 0.02, -0.01}, .velocity = {3, 1, -2}, .radius = 0.02});
    world.walls[0].path = at_rest(placed({0.3, 0.2, 0.1}, 0.7, Vec3(1, 2, 3).normalized()));
    world.grains[0].position += Vec3(0.3, 0.2, 0.1);
    GrainSimulator simulator(world, {.contact_time = 1e-9});
    const auto energy = [&](const Grain& grain) { return 0.5 * grain.velocity.squaredNorm() + g * grain.position[1]; };
    const double before = energy(world.grains[0]);
    simulator.advance(100, {});
    CHECK(simulator.report().with_walls > 3000);
    CHECK(simulator.report().escaped == 0);
    CHECK(std::abs(energy(simulator.grains()[0]) / before - 1) < 1e-10);
}

TEST_CASE("a ball that bounces with friction leaves at the angle of Walton's law") {
    // Along the floor: sliding takes μ (1 + e) v_n, rolling on takes 2/7 of the slip (β = 0), whichever is less.
    const double e = 0.7, mu = 0.2, vn = 2;
    for (const double vt : {0.3, 1.0, 3.0, 6.0}) {
        CAPTURE(vt);
        GrainWorld world = world_of(GrainPlane{}, {e, 0, mu, 0, 0},
                                    {.position = {0, 0.03, 0}, .velocity = {vt, -vn, 0}, .radius = 0.01});
        world.gravity = Vec3::Zero();
        GrainSimulator simulator(world, {});
        simulator.advance(0.05, {});
        const Grain after = simulator.grains()[0];
        const double lost = std::min(mu * (1 + e) * vn, 2.0 / 7 * vt);
        CHECK(after.velocity[0] == Approx(vt - lost).epsilon(1e-12));
        CHECK(after.velocity[1] == Approx(e * vn).epsilon(1e-12));
        CHECK(after.spin[2] == Approx(-2.5 * lost / 0.01).epsilon(1e-12));  // I = 2/5 m r²
    }
}

TEST_CASE("a ball that slides on a floor rolls on with 5/7 of its speed") {
    const double v = 1;
    GrainWorld world =
        world_of(GrainPlane{}, {0.5, 0, 0.3, 0, 0}, {.position = {0, 0.01, 0}, .velocity = {v, 0, 0}, .radius = 0.01});
    GrainSimulator simulator(world, {});
    simulator.advance(0.5, {});  // 2 v/(7 μ g) = 0.1 s
    const Grain rolling = simulator.grains()[0];
    // Exact, since the friction has no moment about the floor.
    CHECK(rolling.velocity[0] == Approx(5.0 / 7 * v).epsilon(1e-9));
    CHECK(rolling.spin[2] == Approx(-5.0 / 7 * v / 0.01).epsilon(1e-9));
    // It slid under μ g until then: x = 12/49 v²/(μ g), and rolled for the rest. Hops of t_c round either by a part.
    const double slid = 2 * v / (7 * 0.3 * g);
    CHECK(rolling.position[0] == Approx(12.0 / 49 * v * v / (0.3 * g) + 5.0 / 7 * v * (0.5 - slid)).epsilon(1e-3));
}

TEST_CASE("a ball rolls down a slope with 5/7 of g sin, and slides down a steep one") {
    for (const double slope : {0.2, 0.5, 1.1}) {
        CAPTURE(slope);
        const double mu = 0.3, duration = 0.5;
        GrainWorld world = world_of(GrainPlane{}, {0.5, 0, mu, 0, 0}, {.position = {0, 0.01, 0}, .radius = 0.01});
        world.gravity = g * Vec3(std::sin(slope), -std::cos(slope), 0);
        GrainSimulator simulator(world, {});
        simulator.advance(duration, {});
        const double rolls = 5.0 / 7 * std::sin(slope), slides = std::sin(slope) - mu * std::cos(slope);
        const double expected = g * (std::tan(slope) > 3.5 * mu ? slides : rolls) * duration;
        // It touches every t_c or so: the speed is known to g t_c = 3 mm/s.
        CHECK(simulator.grains()[0].velocity[0] == Approx(expected).epsilon(3e-3));
    }
}

TEST_CASE("a plate that moves at a steady speed sends a ball back as seen by one who moves along") {
    for (const bool is_mesh : {false, true}) {
        CAPTURE(is_mesh);
        std::variant<GrainPlane, Surface> shape = GrainPlane{};
        if (is_mesh) shape = surface_of(Sheet{.width = 0.2, .depth = 0.2});
        GrainWorld world =
            world_of(shape, elastic, {.position = {0, 0.11, 0}, .velocity = {0.2, -1, 0}, .radius = 0.01});
        world.gravity = Vec3::Zero();
        const double speed = 0.5;
        Trajectory path{.times = Eigen::VectorXd::LinSpaced(11, 0, 1),
                        .positions = Points::Zero(11, 3),
                        .rotations = Rotations::Zero(11, 4)};
        path.positions.col(1) = speed * path.times;
        path.rotations.col(3).setOnes();
        world.walls[0].path = path;
        const std::vector<GrainCollision> hits = collisions_of(world, 0.2);
        REQUIRE(hits.size() == 1);
        CHECK(hits[0].time == Approx(0.1 / 1.5).epsilon(1e-6));  // touches are found to 1e-7 of the radius
        CHECK(hits[0].normal_speed == Approx(1.5).epsilon(1e-9));
        GrainSimulator simulator(world, {});
        simulator.advance(0.2, {});
        CHECK(simulator.grains()[0].velocity[1] == Approx(1 + 2 * speed).epsilon(1e-9));
        CHECK(simulator.grains()[0].velocity[0] == Approx(0.2).epsilon(1e-9));
    }
}

TEST_CASE("a ball meets a turning paddle where and as fast as it is there") {
    // A sheet in x and z turns about z at ω; a ball without gravity comes down at x = 0.05.
    const double omega = 4, r = 0.004, x = 0.05, v = 1, height = 0.1;
    GrainWorld world = world_of(surface_of(Sheet{.width = 0.2, .depth = 0.2}), elastic,
                                {.position = {x, height, 0}, .velocity = {0, -v, 0}, .radius = r});
    world.gravity = Vec3::Zero();
    Trajectory path{.times = Eigen::VectorXd::LinSpaced(101, 0, 1),
                    .positions = Points::Zero(101, 3),
                    .rotations = Rotations::Zero(101, 4)};
    for (int i = 0; i <= 100; ++i) {
        path.rotations(i, 2) = std::sin(omega * path.times[i] / 2);
        path.rotations(i, 3) = std::cos(omega * path.times[i] / 2);
    }
    world.walls[0].path = path;
    const std::vector<GrainCollision> hits = collisions_of(world, 0.2);
    REQUIRE(hits.size() >= 1);
    // (height − v t) cos ωt − x sin ωt = r
    double low = 0, high = height / v;
    for (int i = 0; i < 60; ++i) {
        const double t = 0.5 * (low + high);
        ((height - v * t) * std::cos(omega * t) - x * std::sin(omega * t) > r ? low : high) = t;
    }
    CHECK(hits[0].time == Approx(low).epsilon(1e-5));
    const double arm = x * std::cos(omega * low) + (height - v * low) * std::sin(omega * low);
    CHECK(hits[0].normal_speed == Approx(v * std::cos(omega * low) + omega * arm).epsilon(1e-5));
}

TEST_CASE("balls in a shaken box stay inside, and take what the walls give them") {
    GrainWorld world{.kinds = {{.name = "seed", .density = 1200}}};
    const double r = 0.002;
    for (int i = 0; i < 60; ++i)
        world.grains.push_back(
            {.position = Vec3(0.006 * (i % 4) - 0.009, 0.006 * (i / 20) - 0.006, 0.006 * (i / 4 % 5) - 0.012),
             .radius = r});
    const int samples = 401;
    Trajectory path{.times = Eigen::VectorXd::LinSpaced(samples, 0, 1),
                    .positions = Points::Zero(samples, 3),
                    .rotations = Rotations::Zero(samples, 4)};
    for (int i = 0; i < samples; ++i) {
        const double phase = 2 * pi * 5 * path.times[i], turn = 0.5 * std::sin(phase);
        path.positions.row(i) = Vec3(0.03 * (1 - std::cos(phase)), 0.01 * std::sin(2 * phase), 0);
        path.rotations.row(i) << std::sin(turn / 2), 0, 0, std::cos(turn / 2);
    }
    world.walls.push_back({.name = "maraca", .shape = surface_of(Box{{0.03, 0.03, 0.04}}), .path = path});
    GrainSimulator simulator(world, {});
    Vec3 given = Vec3::Zero();
    for (int step = 1; step <= 100; ++step) {
        simulator.advance(step * 0.01, {.collisions = [&](std::span<const GrainCollision> block) {
                              for (const GrainCollision& c : block)
                                  if (c.wall >= 0) given += c.impulse;
                          }});
        const Eigen::Isometry3d pose = pose_at(path, step * 0.01);
        for (const Grain& grain : simulator.grains()) {
            const Vec3 inside = pose.inverse() * grain.position;
            REQUIRE((inside.cwiseAbs() - Vec3(0.013, 0.013, 0.018)).maxCoeff() < 1e-3 * r);
        }
    }
    CHECK(simulator.report().with_walls > 1000);
    CHECK(simulator.report().stopped == 0);
    // What the walls and gravity gave is the momentum that they have.
    const double mass = 4 * pi / 3 * cube(r) * 1200;
    Vec3 momentum = Vec3::Zero();
    for (const Grain& grain : simulator.grains()) momentum += mass * grain.velocity;
    CHECK((momentum - given - 60 * mass * Vec3(0, -g, 0)).norm() < 1e-9 * given.norm() + 1e-12);
}

TEST_CASE("a ball in a box that speeds up is pressed by m a against its wall, and by m g against its floor") {
    const double r = 0.004, a = 20, duration = 0.4, mass = 4 * pi / 3 * cube(r) * 2500;
    GrainWorld world = world_of(surface_of(Box{{0.1, 0.04, 0.04}}), {0.5, 0, 0.2, 0, 0},
                                {.position = {-0.046, -0.016, 0}, .radius = r});
    const int samples = 201;
    Trajectory path{.times = Eigen::VectorXd::LinSpaced(samples, 0, duration),
                    .positions = Points::Zero(samples, 3),
                    .rotations = Rotations::Zero(samples, 4)};
    path.positions.col(0) = 0.5 * a * path.times.array().square();
    path.rotations.col(3).setOnes();
    world.walls[0].path = path;
    GrainSimulator simulator(world, {});
    Vec3 settling = Vec3::Zero(), given = Vec3::Zero();
    const auto sum = [](Vec3& total) {
        return GrainSink{.collisions = [&](std::span<const GrainCollision> block) {
            for (const GrainCollision& c : block) total += c.impulse;
        }};
    };
    simulator.advance(0.1, sum(settling));
    simulator.advance(duration, sum(given));
    // It hops for a contact time, 2 ms, at most: so much of 0.3 s is not known.
    CHECK(given[0] == Approx(mass * a * 0.3).epsilon(0.01));
    // The wall carries it on upwards and downwards by friction, as far as it slides: the sum is what bears the weight.
    CHECK(given[1] == Approx(mass * g * 0.3).epsilon(0.01));
    const Grain after = simulator.grains()[0];
    CHECK(after.position[0] - path.positions(samples - 1, 0) == Approx(-0.046).epsilon(1e-3));
    CHECK(simulator.report().events < 3000);
}

TEST_CASE(
    "a ball that goes round with a drum is pressed by m ω² (R − r) towards its axis, and stays where it is in it") {
    const double r = 0.004, R = 0.05, omega = 12, mass = 4 * pi / 3 * cube(r) * 2500;
    GrainWorld world = world_of(
        surface_of(Can{.radius = R, .height = 0.06}), {0.5, 0, 0.3, 0, 0},
        {.position = {R - r - 1e-4, r, 0}, .velocity = {0, 0, -omega * (R - r)}, .spin = {0, omega, 0}, .radius = r});
    const int samples = 401;
    Trajectory path{.times = Eigen::VectorXd::LinSpaced(samples, 0, 2),
                    .positions = Points::Zero(samples, 3),
                    .rotations = Rotations::Zero(samples, 4)};
    for (int i = 0; i < samples; ++i) {
        path.rotations(i, 1) = std::sin(omega * path.times[i] / 2);
        path.rotations(i, 3) = std::cos(omega * path.times[i] / 2);
    }
    world.walls[0].path = path;
    GrainSimulator simulator(world, {});
    double inwards = 0, upwards = 0;
    simulator.advance(0.5, {});
    simulator.advance(1.5, {.collisions = [&](std::span<const GrainCollision> block) {
                          for (const GrainCollision& c : block) {
                              const Vec3 place = c.point + r * c.normal;
                              inwards -= c.impulse.dot(Vec3(place[0], 0, place[2]).normalized());
                              upwards += c.impulse[1];
                          }
                      }});
    CHECK(inwards == Approx(mass * square(omega) * (R - r) * 1.0).epsilon(0.01));
    CHECK(upwards == Approx(mass * g * 1.0).epsilon(0.01));
    const Grain after = simulator.grains()[0];
    CHECK(Vec3(after.velocity[0], 0, after.velocity[2]).norm() == Approx(omega * (R - r)).epsilon(0.02));
    CHECK(std::hypot(after.position[0], after.position[2]) == Approx(R - r).epsilon(0.005));  // between flat faces
    // Half a round in 0.26 s: it has gone as far as the drum.
    const double angle = std::atan2(-after.position[2], after.position[0]);
    CHECK(std::abs(std::remainder(angle - omega * 1.5, 2 * pi)) < 0.1);
}

TEST_CASE("an elastic ball in a box that turns keeps its energy as seen from the box, for hundreds of bounces") {
    const double omega = 9;
    const Vec3 axis = Vec3(1, 2, 2) / 3;
    GrainWorld world = world_of(surface_of(Box{{0.1, 0.08, 0.06}}), elastic,
                                {.position = {0.01, 0.004, -0.006}, .velocity = {1, 0.6, -0.4}, .radius = 0.006});
    world.gravity = Vec3::Zero();
    const int samples = 501;
    Trajectory path{.times = Eigen::VectorXd::LinSpaced(samples, 0, 20),
                    .positions = Points::Zero(samples, 3),
                    .rotations = Rotations::Zero(samples, 4)};
    for (int i = 0; i < samples; ++i) {
        path.rotations.row(i).head<3>() = std::sin(omega * path.times[i] / 2) * axis;
        path.rotations(i, 3) = std::cos(omega * path.times[i] / 2);
    }
    world.walls[0].path = path;
    GrainSimulator simulator(world, {});
    // Jacobi's integral: ½ u² − ½ |ω×x|², with u as seen from the box.
    const auto energy = [&](const Grain& grain) {
        const Vec3 carried = omega * axis.cross(grain.position);
        return 0.5 * (grain.velocity - carried).squaredNorm() - 0.5 * carried.squaredNorm();
    };
    const double before = energy(world.grains[0]);
    simulator.advance(20, {});
    CHECK(simulator.report().with_walls > 200);
    CHECK(simulator.report().escaped == 0);
    CHECK(energy(simulator.grains()[0]) == Approx(before).epsilon(1e-6));  // touches are found to 1e-7 of the radius
}

TEST_CASE("edges, corners and fine faces of a wall that moves are met as those of one that stands") {
    // The same, seen by one who moves along, without gravity.
    const Vec3 drift(0.7, -0.4, 0.3);
    for (const bool is_inside : {false, true}) {
        CAPTURE(is_inside);
        const Surface shape = is_inside ? surface_of(Sphere{0.04}) : surface_of(Box{Vec3::Constant(0.03)});
        for (int k = 0; k < 40; ++k) {
            CAPTURE(k);
            Vec3 from(std::sin(2.1 * k + 1), std::sin(3.7 * k + 2), std::sin(5.3 * k));
            from = (is_inside ? 0.02 : 0.08) * from.normalized();
            const Vec3 aim(0.012 * std::sin(7.9 * k), 0.012 * std::sin(9.7 * k + 1), 0.012 * std::sin(11.3 * k + 2));
            GrainWorld world =
                world_of(shape, elastic, {.position = from, .velocity = (aim - from) * 40, .radius = 0.004});
            world.gravity = Vec3::Zero();
            const std::vector<GrainCollision> still = collisions_of(world, 0.1);
            Trajectory path{.times = Eigen::VectorXd::LinSpaced(2, 0, 0.1),
                            .positions = Points::Zero(2, 3),
                            .rotations = Rotations::Zero(2, 4)};
            path.positions.row(1) = 0.1 * drift;
            path.rotations.col(3).setOnes();
            world.walls[0].path = path;
            world.grains[0].velocity += drift;
            const std::vector<GrainCollision> moving = collisions_of(world, 0.1);
            REQUIRE(moving.size() == still.size());
            REQUIRE(!still.empty());
            // Touches are found to 1e-7 of the radius; bounces in a ball spread that.
            CHECK(std::abs(moving[0].time - still[0].time) < 1e-8);
            CHECK((moving[0].normal - still[0].normal).norm() < 1e-5);
            CHECK((moving[0].point - drift * moving[0].time - still[0].point).norm() < 1e-7);
        }
    }
}

TEST_CASE("grains in a box sleep while it stands, wake when it moves, and come to rest when it stands again") {
    GrainWorld world{.kinds = {{.name = "seed", .density = 1200, .surface = {.restitution = 0.5}}}};
    Trajectory path{.times = Eigen::VectorXd::LinSpaced(161, 0, 1.6),
                    .positions = Points::Zero(161, 3),
                    .rotations = Rotations::Zero(161, 4)};
    for (int i = 20; i < 60; ++i) path.positions(i, 0) = 0.01 * (1 - std::cos(2 * pi * (path.times[i] - 0.2) / 0.1));
    path.rotations.col(3).setOnes();
    world.walls = {{.name = "box", .shape = surface_of(Box{{0.03, 0.03, 0.03}}), .path = path}};
    world.grains =
        filled(world, {.low = Vec3::Constant(-0.014), .high = Vec3::Constant(0.014), .count = 60, .radius = 0.002});
    GrainSimulator simulator(world, {});
    CHECK(simulator.report().asleep >= 58);
    simulator.advance(0.18, {});
    CHECK(simulator.report().asleep >= 58);
    const std::int64_t before = simulator.report().events;
    simulator.advance(0.25, {});
    CHECK(simulator.report().asleep == 0);
    simulator.advance(1.55, {});
    CHECK(simulator.report().asleep >= 55);
    CHECK(simulator.report().escaped == 0);
    CHECK(before < 2000);
    const std::int64_t rest = simulator.report().events;
    simulator.advance(1.6, {});
    CHECK(simulator.report().events - rest < 2000);
}

}  // namespace grains_walls_test
