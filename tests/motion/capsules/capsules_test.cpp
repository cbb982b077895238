#include <clangor/motion/capsules/capsules.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <random>

namespace capsules_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

Points line(const Vec3& from, const Vec3& to, int points) {
    Points all(points, 3);
    for (int i = 0; i < points; ++i) all.row(i) = (from + (to - from) * i / (points - 1)).transpose();
    return all;
}

Points shifted(Points points, const Vec3& by) { return points.rowwise() + by.transpose(); }

CapsuleChain still(const Points& points, double radius) {
    return {.before = points, .after = points, .radius = radius};
}

MovingShape placed(std::variant<Plane, DistanceShape> shape, const Vec3& at) {
    MovingShape placed{.shape = std::move(shape)};
    placed.world_before.translation() = placed.world_after.translation() = at;
    return placed;
}

DistanceShape ball(double radius) {
    return {.distance = [radius](const Vec3& p) { return p.norm() - radius; }, .reach = radius};
}

Vec3 any_vector(std::mt19937& random, double size) {
    std::uniform_real_distribution<double> uniform(-size, size);
    return {uniform(random), uniform(random), uniform(random)};
}

}  // namespace

TEST_CASE("segments that cross are nearest where their common perpendicular is") {
    // Along x at y = 0, and through (0.3, d, 0) turned by θ about y.
    const double d = 0.004, theta = 0.7;
    const Vec3 along(std::cos(theta), 0, std::sin(theta)), through(0.3, d, 0);
    const NearestOnSegments at =
        nearest_on_segments({0, 0, 0}, {1, 0, 0}, through - 0.25 * along, through + 0.75 * along);
    CHECK(at.first == Approx(0.3).epsilon(2e-3));  // the pull to the middle: ε/sin²θ of the way there
    CHECK(at.second == Approx(0.25).epsilon(2e-3));
}

TEST_CASE("the distance of random segments is that of a fine search") {
    std::mt19937 random(5);
    for (int trial = 0; trial < 300; ++trial) {
        const Vec3 p0 = any_vector(random, 1), p1 = any_vector(random, 1), q0 = any_vector(random, 1),
                   q1 = any_vector(random, 1);
        const NearestOnSegments at = nearest_on_segments(p0, p1, q0, q1);
        const auto distance = [&](double s, double t) { return (p0 + s * (p1 - p0) - q0 - t * (q1 - q0)).norm(); };
        double least = 1e9;
        for (int i = 0; i <= 200; ++i)
            for (int j = 0; j <= 200; ++j) least = std::min(least, distance(i / 200.0, j / 200.0));
        CHECK(distance(at.first, at.second) < least + 1e-3);
        CHECK(distance(at.first, at.second) > least - 0.02);  // the raster's own width
    }
}

TEST_CASE("segments that lie side by side touch in the middle of where they do, steadily as they turn") {
    double before = 0.75;
    for (double turn = -0.02; turn <= 0.02; turn += 1e-4) {
        const Vec3 along(std::cos(turn), std::sin(turn), 0);
        const NearestOnSegments at =
            nearest_on_segments({0, 0, 0}, {1, 0, 0}, Vec3(1, 0.1, 0) - 0.5 * along, Vec3(1, 0.1, 0) + 0.5 * along);
        if (std::abs(turn) < 1e-9) CHECK(at.first == Approx(0.75).epsilon(1e-4));  // the ends' pull, ε
        if (turn > -0.02) CHECK(std::abs(at.first - before) < 0.06);
        before = at.first;
    }
}

TEST_CASE("rods that cross touch once, with the gap between their surfaces") {
    const double gap = -1e-5;
    const std::vector<CapsuleChain> rods = {
        still(line({-0.1, 0, 0}, {0.1, 0, 0}, 22), 0.002),
        still(line({0.0013, 0.005 + gap, -0.1}, {0.0013, 0.005 + gap, 0.1}, 16), 0.003)};
    const std::vector<CapsuleTouch> touches = CapsuleCollisions().touches(rods, {});
    REQUIRE(touches.size() == 1);
    CHECK(touches[0].gap == Approx(gap).epsilon(1e-3));
    CHECK((touches[0].normal - Vec3(0, -1, 0)).norm() < 1e-3);
    CHECK((touches[0].point - Vec3(0.0013, 0.002 + 0.5 * gap, 0)).norm() < 1e-5);
    CHECK(CapsuleCollisions().touches({{rods[0]}}, {}).empty());
}

TEST_CASE("where two rods touch at points between segments, they touch once") {
    const std::vector<CapsuleChain> rods = {still(line({-0.1, 0, 0}, {0.1, 0, 0}, 21), 0.002),
                                            still(line({0, 0.0039, -0.1}, {0, 0.0039, 0.1}, 21), 0.002)};
    CHECK(CapsuleCollisions().touches(rods, {}).size() == 1);
}

TEST_CASE("rods side by side touch at every segment") {
    const std::vector<CapsuleChain> rods = {still(line({0, 0, 0}, {0.2, 0, 0}, 21), 0.002),
                                            still(line({0.003, 0.0039, 0}, {0.203, 0.0039, 0}, 21), 0.002)};
    const std::vector<CapsuleTouch> touches = CapsuleCollisions().touches(rods, {});
    CHECK(touches.size() >= 20);
    CHECK(touches.size() <= 40);
    for (const CapsuleTouch& touch : touches) CHECK(touch.gap == doctest::Approx(-1e-4));
}

TEST_CASE("a rod wound upon itself touches itself where its turns do, and not its neighbours along it") {
    // A helix whose turns rise by 0.9 of the wire's thickness: every point touches the turn above.
    const double radius = 0.002, coil = 0.02;
    const int turns = 3, per_turn = 60;
    Points helix(turns * per_turn + 1, 3);
    for (int i = 0; i < helix.rows(); ++i) {
        const double angle = 2 * pi * i / per_turn;
        helix.row(i) << coil * std::cos(angle), 1.8 * radius * i / per_turn, coil * std::sin(angle);
    }
    const std::vector<CapsuleTouch> touches = CapsuleCollisions().touches({{still(helix, radius)}}, {});
    CHECK(touches.size() >= size_t((turns - 1) * per_turn));
    for (const CapsuleTouch& touch : touches) {
        CHECK(std::abs(touch.second.segment - touch.first.segment) >= per_turn - 1);
        CHECK(std::abs(touch.second.segment - touch.first.segment) <= per_turn + 1);
        CHECK(touch.gap == Approx(-0.2 * radius).epsilon(0.02));
    }
    const Points ring = helix.topRows(per_turn);
    CHECK(
        CapsuleCollisions().touches({{{.before = ring, .after = ring, .radius = radius, .closed = true}}}, {}).empty());
}

TEST_CASE("a rod on a plane touches it at its points, as deep as they are") {
    const std::vector<CapsuleChain> rod = {still(line({0, 1.002, 0}, {0.1, 1.0015, 0}, 11), 0.002)};
    const std::vector<CapsuleTouch> touches = CapsuleCollisions().touches(rod, {placed(Plane{}, {0, 1, 0})});
    REQUIRE(touches.size() == 10);
    CHECK(touches.back().gap == Approx(-0.0005).epsilon(1e-9));
    CHECK(touches.back().first.segment == 9);
    CHECK(touches.back().first.along == 1);
    CHECK((touches[0].normal - Vec3::UnitY()).norm() < 1e-12);
}

TEST_CASE("a ball between the points of a rod touches it once, at the foot of the perpendicular") {
    const std::vector<CapsuleChain> rod = {still(line({0, 0, 0}, {0.3, 0, 0}, 4), 0.002)};
    const std::vector<CapsuleTouch> touches =
        CapsuleCollisions().touches(rod, {placed(ball(0.01), {0.137, -0.0119, 0})});
    REQUIRE(touches.size() == 1);
    CHECK(touches[0].first.segment == 1);
    CHECK(touches[0].first.along == Approx(0.37).epsilon(1e-3));
    CHECK(touches[0].gap == Approx(-1e-4).epsilon(1e-3));
    CHECK((touches[0].normal - Vec3::UnitY()).norm() < 1e-3);
}

TEST_CASE("rods that fly through each other within one step touch on the side from which they come") {
    std::mt19937 random(7);
    int met = 0;
    for (int trial = 0; trial < 3000; ++trial) {
        const double radius = 1e-3;
        const Points a = line(any_vector(random, 0.02), any_vector(random, 0.02), 2);
        const Points b = line(any_vector(random, 0.02), any_vector(random, 0.02), 2);
        const Vec3 flight = any_vector(random, 1).normalized() * 0.1;  // a hundred radii
        const std::vector<CapsuleChain> rods = {{.before = a, .after = shifted(a, flight), .radius = radius},
                                                still(b, radius)};
        double nearest = 1, start = 1;
        for (int k = 0; k <= 2000; ++k) {
            const Vec3 by = flight * k / 2000;
            const Vec3 p0 = a.row(0).transpose() + by, p1 = a.row(1).transpose() + by, q0 = b.row(0), q1 = b.row(1);
            const NearestOnSegments at = nearest_on_segments(p0, p1, q0, q1);
            const double distance = (p0 + at.first * (p1 - p0) - q0 - at.second * (q1 - q0)).norm();
            nearest = std::min(nearest, distance);
            if (k == 0) start = distance;
        }
        if (start < 2.1 * radius || std::abs(nearest - 2 * radius) < 1e-4) continue;  // too close to call
        const std::vector<CapsuleTouch> touches = CapsuleCollisions().touches(rods, {});
        CHECK(touches.size() == (nearest < 2 * radius ? 1 : 0));
        if (touches.empty()) continue;
        ++met;
        CHECK(touches[0].normal.dot(flight) < 0);
        CHECK(touches[0].gap < touches[0].gap_before);
    }
    CHECK(met > 100);
}

TEST_CASE("a rod that flies through a thin plate within one step touches the side from which it comes") {
    const auto plate = [](const Vec3& p) {  // 2 mm thick, across x
        const Vec3 out = p.cwiseAbs() - Vec3(0.001, 0.1, 0.1);
        return out.cwiseMax(0.0).norm() + std::min(0.0, out.maxCoeff());
    };
    std::mt19937 random(9);
    for (int trial = 0; trial < 300; ++trial) {
        const Vec3 side = any_vector(random, 0.03);
        const Points a =
            shifted(line(any_vector(random, 0.01), any_vector(random, 0.01), 6), {-0.02, side.y(), side.z()});
        const std::vector<CapsuleChain> rod = {
            {.before = a, .after = shifted(a, Vec3(0.05, side.z() / 2, 0)), .radius = 5e-4}};
        const std::vector<CapsuleTouch> touches =
            CapsuleCollisions().touches(rod, {placed(DistanceShape{plate, 0.15}, Vec3::Zero())});
        REQUIRE(touches.size() >= 6);
        for (const CapsuleTouch& touch : touches) CHECK(touch.normal.x() < -0.9);
    }
}

TEST_CASE("the hierarchy finds what comparing every pair finds, in the same order") {
    std::mt19937 random(11);
    std::vector<CapsuleChain> rods;
    for (int rod = 0; rod < 12; ++rod) {
        Points points(40, 3);
        Vec3 at = any_vector(random, 0.05);
        for (int i = 0; i < 40; ++i) points.row(i) = (at += any_vector(random, 0.006)).transpose();
        rods.push_back({.before = points, .after = shifted(points, any_vector(random, 1e-3)), .radius = 1e-3});
    }
    const std::vector<CapsuleTouch> all = CapsuleCollisions().touches(rods, {});
    CHECK(all.size() > 50);
    // Every pair of rods by itself, in which all boxes overlap as the margin is wide.
    size_t found = 0;
    for (size_t a = 0; a < rods.size(); ++a) {
        for (size_t b = a; b < rods.size(); ++b) {
            std::vector<CapsuleChain> two = {rods[a]};
            if (b != a) two.push_back(rods[b]);
            const std::vector<CapsuleTouch> some = CapsuleCollisions().touches(two, {}, {.margin = 1});
            for (const CapsuleTouch& touch : some)
                found += touch.gap <= 0 && (b == a || touch.first.chain != touch.second.chain);
        }
    }
    CHECK(found == all.size());
    for (size_t i = 1; i < all.size(); ++i) CHECK(all[i - 1].key < all[i].key);
}

}  // namespace capsules_test
