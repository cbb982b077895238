#include "../icosphere.hpp"

#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <functional>
#include <map>

namespace decimate_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

/// A square of n × n cells, two faces each, laid somewhere by `place`, which takes u and v in [0, 1].
Surface patch(int n, const std::function<Vec3(double, double)>& place) {
    Surface surface{Points((n + 1) * (n + 1), 3), Triangles(2 * n * n, 3)};
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            surface.vertices.row(i * (n + 1) + j) = place(double(i) / n, double(j) / n).transpose();
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = i * (n + 1) + j, b = a + n + 1;
            surface.faces.row(2 * (i * n + j)) << a, b, b + 1;
            surface.faces.row(2 * (i * n + j) + 1) << a, b + 1, a + 1;
        }
    return surface;
}

/// Six patches, welded: the surface of a box, its sides n cells along each edge.
Surface fine_box(int n, const Vec3& size) {
    Surface box;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {0.0, 1.0}) {
            const Surface wall = patch(n, [&](double u, double v) {
                Vec3 x;
                x[axis] = side;
                x[(axis + 1) % 3] = side > 0 ? u : v;
                x[(axis + 2) % 3] = side > 0 ? v : u;
                return Vec3(x.cwiseProduct(size));
            });
            const long vertices = box.vertices.rows(), faces = box.faces.rows();
            box.vertices.conservativeResize(vertices + wall.vertices.rows(), 3);
            box.faces.conservativeResize(faces + wall.faces.rows(), 3);
            box.vertices.bottomRows(wall.vertices.rows()) = wall.vertices;
            box.faces.bottomRows(wall.faces.rows()) = wall.faces.array() + static_cast<int>(vertices);
        }
    return clean(box).surface;
}

double rim_length(const Surface& surface) {
    std::map<std::pair<int, int>, int> uses;
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            const auto [low, high] = std::minmax(surface.faces(f, k), surface.faces(f, (k + 1) % 3));
            ++uses[{low, high}];
        }
    double length = 0;
    for (const auto& [edge, count] : uses)
        if (count == 1) length += (surface.vertices.row(edge.first) - surface.vertices.row(edge.second)).norm();
    return length;
}

}  // namespace

TEST_CASE("an oversampled ball keeps its radius, volume and inertia to a ten-thousandth with a third of its faces") {
    const double radius = 0.05;
    const Surface ball = test::icosphere(radius, 7);
    REQUIRE(ball.faces.rows() == 20 * 16384);
    const CleanSurface fewer = decimated(clean(ball));
    CHECK(fewer.surface.faces.rows() <= 120'000);
    CHECK(fewer.repairs.merged_faces == ball.faces.rows() - fewer.surface.faces.rows());
    CHECK(topology_of(fewer.surface).closed());
    CHECK(topology_of(fewer.surface).pieces == 1);
    for (int v = 0; v < fewer.surface.vertices.rows(); v += 97)
        CHECK(fewer.surface.vertices.row(v).norm() == Approx(radius).epsilon(1e-4));
    const double volume = 4.0 / 3 * pi * cube(radius);
    const MassProperties mass = mass_properties(fewer.surface);
    CHECK(mass.volume == Approx(volume).epsilon(1e-4));
    CHECK(mass.inertia(0, 0) == Approx(0.4 * volume * square(radius)).epsilon(2e-4));
    CHECK(fewer.repairs.merged_by < 1e-4 * radius);
    CHECK(fewer.repairs.messages().size() == 1);
}

TEST_CASE("flat sides and sharp edges: a box of 150 000 faces keeps its corners, edges and volume") {
    const Vec3 size(0.1, 0.06, 0.03);
    const CleanSurface fewer = decimated({fine_box(112, size), {}});
    CHECK(fewer.surface.faces.rows() <= 120'000);
    const Bounds bounds = bounds_of(fewer.surface.vertices);
    CHECK((bounds.high - bounds.low - size).norm() < 1e-6 * size.norm());
    CHECK(mass_properties(fewer.surface).volume == Approx(size.prod()).epsilon(1e-6));
    CHECK(area_of(fewer.surface) ==
          Approx(2 * (size.x() * size.y() + size.y() * size.z() + size.z() * size.x())).epsilon(1e-6));
    CHECK(topology_of(fewer.surface).closed());
    CHECK_FALSE(self_intersects(fewer.surface));
}

TEST_CASE("the noise of a scanner goes, and the walls of a thin shell keep their distance") {
    // Two spheres, 2 % of the radius apart, each vertex off by up to a hundredth of that.
    const double radius = 0.1, wall = 0.002;
    const auto rough = [&](double r) {
        Surface sphere = test::icosphere(r, 7);
        for (int v = 0; v < sphere.vertices.rows(); ++v) {
            const double noise = std::fmod(std::abs(std::sin(12.9898 * v) * 43758.5453), 1.0) - 0.5;
            sphere.vertices.row(v) *= 1 + 0.02 * noise * wall / r;
        }
        return sphere;
    };
    const Surface outer = rough(radius), inner = rough(radius - wall);
    Surface shell{Points(2 * outer.vertices.rows(), 3), Triangles(2 * outer.faces.rows(), 3)};
    shell.vertices << outer.vertices, inner.vertices;
    shell.faces << outer.faces, inner.faces.rowwise().reverse().array() + static_cast<int>(outer.vertices.rows());
    const CleanSurface fewer = decimated(clean(shell));
    CHECK(fewer.surface.faces.rows() < 200'000);  // of 655 360
    CHECK(topology_of(fewer.surface).solids == 1);
    const double volume = 4.0 / 3 * pi * (cube(radius) - cube(radius - wall));
    CHECK(mass_properties(fewer.surface).volume == Approx(volume).epsilon(2e-3));
    CHECK(fewer.repairs.merged_by <= 0.01 * wall);
}

TEST_CASE("the rim of an open scan stays where it is, and few faces are left alone") {
    const Surface sheet = patch(300, [](double u, double v) { return Vec3(u, 0.1 * std::sin(3 * u) * v * v, v); });
    const CleanSurface fewer = decimated({sheet, {}});
    CHECK(fewer.surface.faces.rows() < 120'000);
    CHECK(rim_length(fewer.surface) == Approx(rim_length(sheet)).epsilon(1e-12));
    CHECK(area_of(fewer.surface) == Approx(area_of(sheet)).epsilon(1e-5));

    const Surface small = patch(100, [](double u, double v) { return Vec3(u, v, 0); });
    CHECK(decimated({small, {}}).surface.faces == small.faces);
    CHECK(decimated({small, {}}).repairs.messages().empty());
}

}  // namespace decimate_test
