#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>

namespace cut_along_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

double volume_of(const TetMesh& mesh, double& least) {
    double sum = 0;
    for (long c = 0; c < mesh.cells.rows(); ++c) {
        const auto x = [&](int k) { return Vec3(mesh.nodes.row(mesh.cells(c, k))); };
        const double volume = (x(1) - x(0)).cross(x(2) - x(0)).dot(x(3) - x(0)) / 6;
        least = std::min(least, volume);
        sum += volume;
    }
    return sum;
}

// The area of the boundary faces whose corners all lie in the patch, or nearly.
double area_within(const TetMesh& mesh, const PatchDistance& distance, double slack) {
    const Skin skin = skin_of(mesh);
    double area = 0;
    for (long f = 0; f < skin.faces.rows(); ++f) {
        const auto x = [&](int k) { return Vec3(skin.nodes.row(skin.faces(f, k))); };
        if (std::max({distance(x(0)), distance(x(1)), distance(x(2))}) <= slack)
            area += (x(1) - x(0)).cross(x(2) - x(0)).norm() / 2;
    }
    return area;
}

}  // namespace

TEST_CASE("a bar cut along a line: the same body, with faces up to that line") {
    const Surface surface = clean(surface_of(Box{{0.2, 0.01, 0.02}})).surface;
    const TetMesh mesh = tetrahedralize(surface, {}).mesh;
    const PatchDistance beyond_line = [](const Vec3& x) { return x[0] + 0.0373; };  // 62.7 mm from the end
    const TetMesh cut = cut_along(mesh, surface, beyond_line);
    double least = 1;
    CHECK(volume_of(cut, least) == Approx(0.2 * 0.01 * 0.02));
    CHECK(least > 0);
    CHECK(topology_of(flat(skin_of(cut))).closed());
    // The mantle up to the line and the end: 2(10 + 20) · 62.7 + 10 · 20 mm². Crossings within a fiftieth of an
    // end of their edge are taken to be there.
    CHECK(area_within(cut, beyond_line, 0.1e-3) == Approx(0.06 * 0.0627 + 0.0002).epsilon(0.005));
    // Without the cut, faces end earlier: some millimetres of 63.
    CHECK(area_within(mesh, beyond_line, 0.1e-3) < 0.99 * (0.06 * 0.0627 + 0.0002));
}

TEST_CASE("a patch smaller than an element gets elements of its own") {
    const Surface surface = clean(surface_of(Plate{.width = 0.3, .depth = 0.2, .thickness = 0.01})).surface;
    const TetMesh mesh = tetrahedralize(surface, {}).mesh;
    const double radius = 0.003;
    const PatchDistance spot = [&](const Vec3& x) { return (x - Vec3(0.031, 0.005, 0.017)).norm() - radius; };
    const TetMesh cut = cut_along(mesh, surface, spot, radius);
    double least = 1;
    CHECK(volume_of(cut, least) == Approx(0.3 * 0.2 * 0.01));
    CHECK(least > 0);
    CHECK(topology_of(flat(skin_of(cut))).closed());
    // A polygon in a circle of 28 mm².
    const double area = area_within(cut, spot, 0.05 * radius);
    CHECK(area > 0.6 * pi * square(radius));
    CHECK(area < 1.05 * pi * square(radius));
    CHECK(cut.cells.rows() < mesh.cells.rows() + 1500);
}

}  // namespace cut_along_test
