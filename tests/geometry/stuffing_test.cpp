#include <clangor/geometry/geometry.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/stuffing.hpp>
#include <clangor/geometry/winding_number.hpp>

#include <geometry/made_surfaces.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace stuffing_test {

using namespace clangor;
using namespace made_surfaces;
using namespace clangor::geometry;
using clangor::test::Approx;

namespace {

const Bounds around_unit{Vec3::Constant(-1), Vec3::Constant(1)};

Surface boundary_of(const FeaturedMesh& mesh) { return flat(skin_of(mesh.mesh)); }

int euler_characteristic(const Surface& closed) {
    return static_cast<int>(closed.vertices.rows()) - static_cast<int>(closed.faces.rows()) / 2;
}

}  // namespace

TEST_CASE("a closed surface winds once around its inside, two that overlap twice, and not at all around the outside") {
    const Surface ball = surface_of(Sphere{.radius = 1});
    const WindingNumber around(ball);
    const WindingNumber both(joined(ball, moved(ball, {0.5, 0, 0})));
    for (const Vec3& x : {Vec3(0, 0, 0), Vec3(0.3, -0.2, 0.6), Vec3(0, 0.95, 0)})
        CHECK(around(x) == Approx(1).epsilon(0.02));
    for (const Vec3& x : {Vec3(0, 0, 1.05), Vec3(2, 1, 0), Vec3(30, 0, 0)}) CHECK(std::abs(around(x)) < 0.01);
    CHECK(both({0.25, 0, 0}) == Approx(2).epsilon(0.01));
    CHECK(both({-0.9, 0, 0}) == Approx(1).epsilon(0.02));
}

TEST_CASE("a cube that lacks one side winds five sixths around its middle") {
    // Each side fills a sixth of all directions, seen from there.
    Surface box = surface_of(Box{.size = {1, 1, 1}});
    Triangles without(box.faces.rows(), 3);
    int rows = 0;
    for (int f = 0; f < box.faces.rows(); ++f) {
        const Vec3 middle = (box.vertices.row(box.faces(f, 0)) + box.vertices.row(box.faces(f, 1)) +
                             box.vertices.row(box.faces(f, 2))) /
                            3;
        if (middle.y() < 0.499) without.row(rows++) = box.faces.row(f);
    }
    const WindingNumber around({box.vertices, without.topRows(rows)});
    CHECK(around(Vec3::Zero()) == Approx(5.0 / 6).epsilon(0.01));
}

TEST_CASE("a ball from a lattice is whole, and its volume is right to second order") {
    double before = 0;
    for (const double spacing : {0.4, 0.2, 0.1}) {
        const FeaturedMesh mesh = stuffed([](const Vec3& x) { return 0.9 - x.norm(); }, around_unit, spacing, {});
        const Surface boundary = boundary_of(mesh);
        CHECK(topology_of(boundary).closed());
        CHECK(topology_of(boundary).pieces == 1);
        CHECK(euler_characteristic(boundary) == 2);
        CHECK(min_dihedral_deg(mesh.mesh) > 5);
        const double error = 1 - mass_properties(boundary).volume / (4 * pi / 3 * cube(0.9));
        CHECK(error > 0);  // corners lie on the ball
        if (before > 0) CHECK(before / error == Approx(4).epsilon(0.15));
        before = error;
    }
}

TEST_CASE("a ring from a lattice has one hole") {
    const auto depth = [](const Vec3& x) { return 0.25 - std::hypot(std::hypot(x.x(), x.z()) - 0.6, x.y()); };
    const Surface boundary = boundary_of(stuffed(depth, around_unit, 0.1, {}));
    CHECK(topology_of(boundary).closed());
    CHECK(euler_characteristic(boundary) == 0);
    CHECK(mass_properties(boundary).volume == Approx(2 * pi * pi * 0.6 * square(0.25)).epsilon(0.03));
}

TEST_CASE("a wall as thick as the spacing comes out whole, however it lies") {
    for (const Vec3& normal : {Vec3(0, 0, 1), Vec3(1, 1, 0), Vec3(1, 2, 3), Vec3(-3, 1, 0.2)}) {
        const Vec3 n = normal.normalized();
        const auto depth = [&](const Vec3& x) {  // a disc of radius 0.8
            const double along = x.dot(n), aside = (x - along * n).norm();
            return std::min(0.05 - std::abs(along - 0.013), 0.8 - aside);
        };
        const Surface boundary = boundary_of(stuffed(depth, around_unit, 0.1, {}));
        CHECK(topology_of(boundary).closed());
        CHECK(topology_of(boundary).pieces == 1);
        CHECK(euler_characteristic(boundary) == 2);
        CHECK(mass_properties(boundary).volume == Approx(pi * square(0.8) * 0.1).epsilon(0.05));
    }
}

TEST_CASE("of two balls the larger is kept") {
    const auto depth = [](const Vec3& x) {
        return std::max(0.4 - (x - Vec3(0.5, 0, 0)).norm(), 0.3 - (x + Vec3(0.5, 0, 0)).norm());
    };
    const FeaturedMesh mesh = largest_piece(stuffed(depth, around_unit, 0.1, {}));
    const Surface boundary = boundary_of(mesh);
    CHECK(topology_of(boundary).pieces == 1);
    CHECK(mass_properties(boundary).volume == Approx(4 * pi / 3 * cube(0.4)).epsilon(0.1));
    CHECK(std::ssize(mesh.freedom) == mesh.mesh.nodes.rows());
}

}  // namespace stuffing_test
