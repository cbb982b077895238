#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace closest_point_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("on a box the closest point is the clamped one, to double precision") {
    const Vec3 size(0.3, 0.2, 0.07), place(12, -7, 3);
    Surface box = surface_of(Box{.size = size});
    box.vertices.rowwise() += place.transpose();
    const ClosestPointQuery closest(box);
    std::mt19937 random(7);
    std::uniform_real_distribution<double> spread(-0.5, 0.5);
    for (int i = 0; i < 2000; ++i) {
        const Vec3 local(spread(random), spread(random), spread(random));
        const Vec3 clamped = local.cwiseMax(-size / 2).cwiseMin(size / 2);
        if (clamped == local) continue;  // inside
        const ClosestPoint found = closest(place + local);
        CHECK((found.point - place - clamped).norm() < 1e-14);  // the vertices' own rounding 12 m away
        CHECK(found.distance == Approx((local - clamped).norm()).epsilon(1e-12));
        const Vec3 rebuilt = found.barycentric[0] * box.vertices.row(box.faces(found.face, 0)) +
                             found.barycentric[1] * box.vertices.row(box.faces(found.face, 1)) +
                             found.barycentric[2] * box.vertices.row(box.faces(found.face, 2));
        CHECK((rebuilt - found.point).norm() < 1e-14);
        CHECK(found.barycentric.minCoeff() >= -1e-15);
        CHECK(found.barycentric.sum() == Approx(1.0).epsilon(1e-14));
    }
}

TEST_CASE("points near the middle of a sphere, where all faces compete, find the true closest face") {
    const Surface sphere = surface_of(Sphere{.radius = 1.0});
    const ClosestPointQuery closest(sphere);
    std::mt19937 random(3);
    std::uniform_real_distribution<double> spread(-1e-5, 1e-5);
    for (int i = 0; i < 5; ++i) {
        const Vec3 query(spread(random), spread(random), spread(random));
        double best = std::numeric_limits<double>::infinity();
        for (int f = 0; f < sphere.faces.rows(); ++f) {
            // So near the middle, the foot of the perpendicular lies inside each face.
            const Vec3 a = sphere.vertices.row(sphere.faces(f, 0)), b = sphere.vertices.row(sphere.faces(f, 1)),
                       c = sphere.vertices.row(sphere.faces(f, 2));
            best = std::min(best, std::abs((b - a).cross(c - a).normalized().dot(query - a)));
        }
        CHECK(closest(query).distance == Approx(best).epsilon(1e-14));
    }
}

TEST_CASE("a point lifted off the middle of any face of a mug or bell finds that spot again") {
    for (const Shape& shape : {Shape(Mug{}), Shape(Bell{})}) {
        const Surface surface = surface_of(shape);
        const ClosestPointQuery closest(surface);
        const double lift = 1e-6;  // far less than any face's size, so that no other face comes nearer
        int wrong = 0;
        for (int f = 0; f < surface.faces.rows(); ++f) {
            const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
                       c = surface.vertices.row(surface.faces(f, 2));
            const Vec3 middle = (a + b + c) / 3;
            const ClosestPoint found = closest(middle + lift * (b - a).cross(c - a).normalized());
            wrong +=
                found.face != f || (found.point - middle).norm() > 1e-15 || std::abs(found.distance - lift) > 1e-15;
        }
        CHECK(wrong == 0);
    }
}

TEST_CASE("tiny, far and degenerate surfaces, and far queries") {
    Surface tiny = surface_of(Box{.size = {1, 1, 1}});
    tiny.vertices *= 1e-6;
    CHECK(ClosestPointQuery(tiny)(Vec3(1e-6, 0, 0)).distance == Approx(0.5e-6).epsilon(1e-12));
    CHECK(ClosestPointQuery(tiny)(Vec3(1e12, 0, 0)).distance == Approx(1e12).epsilon(1e-12));
    CHECK(ClosestPointQuery(tiny)(Vec3(0, 1e25, 0)).distance == Approx(1e25).epsilon(1e-12));

    Surface needle{Points(3, 3), Triangles(1, 3)};
    needle.vertices << 0, 0, 0, 1, 0, 0, 0.5, 0, 0;
    needle.faces << 0, 1, 2;
    CHECK((ClosestPointQuery(needle)(Vec3(0.25, 1, 0)).point - Vec3(0.25, 0, 0)).norm() < 1e-15);
}

TEST_CASE("several threads get the same answers as one") {
    const Surface bowl = surface_of(Bowl{});
    const ClosestPointQuery closest(bowl);
    const int count = 2000;
    const auto query = [](int i) { return Vec3(0.1 * std::sin(i * 1.3), 0.1 * std::sin(i * 0.7), 0.1 * std::cos(i)); };
    std::vector<ClosestPoint> together(count);
    parallel_for(count, [&](long i) { together[i] = closest(query(static_cast<int>(i))); });
    int different = 0;
    for (int i = 0; i < count; ++i) {
        const ClosestPoint alone = closest(query(i));
        different += alone.face != together[i].face || alone.point != together[i].point;
    }
    CHECK(different == 0);
}

}  // namespace closest_point_test
