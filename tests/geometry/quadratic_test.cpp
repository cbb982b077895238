#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <Eigen/LU>

#include <cmath>

namespace quadratic_test {

using namespace clangor;

namespace {

constexpr int edges[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

/// det ∂x/∂ξ of a 10-node element, by central differences of the interpolation itself, which are exact for quadratics.
double jacobian(const TetMesh& mesh, int cell, const Vec3& xi) {
    const auto x = [&](const Vec3& at) {
        const double L[4] = {1 - at.sum(), at[0], at[1], at[2]};
        Vec3 sum = Vec3::Zero();
        for (int i = 0; i < 4; ++i) sum += L[i] * (2 * L[i] - 1) * mesh.nodes.row(mesh.cells(cell, i)).transpose();
        for (int e = 0; e < 6; ++e)
            sum += 4 * L[edges[e][0]] * L[edges[e][1]] * mesh.nodes.row(mesh.cells(cell, 4 + e)).transpose();
        return sum;
    };
    Mat3 J;
    const double h = 0.05;
    for (int k = 0; k < 3; ++k) J.col(k) = (x(xi + h * Vec3::Unit(k)) - x(xi - h * Vec3::Unit(k))) / (2 * h);
    return J.determinant();
}

double curved_volume(const TetMesh& mesh) {
    // Five points, which integrate cubics exactly, and the determinant is one.
    double volume = 0;
    for (int c = 0; c < mesh.cells.rows(); ++c) {
        double sum = -0.8 * jacobian(mesh, c, Vec3::Constant(0.25)) + 0.45 * jacobian(mesh, c, Vec3::Constant(1.0 / 6));
        for (int k = 0; k < 3; ++k) sum += 0.45 * jacobian(mesh, c, Vec3::Constant(1.0 / 6) + Vec3::Unit(k) / 3);
        volume += sum / 6;
    }
    return volume;
}

double least_jacobian_at_nodes(const TetMesh& mesh) {
    double least = 1e300;
    for (int c = 0; c < mesh.cells.rows(); ++c) {
        for (const auto& [i, j] : edges) {
            const Vec3 corners[4] = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
            least = std::min({least, jacobian(mesh, c, corners[i]), jacobian(mesh, c, (corners[i] + corners[j]) / 2)});
        }
    }
    return least;
}

}  // namespace

TEST_CASE("mid-edge nodes stand on the edges 01 12 20 03 13 23, corners come first") {
    const Surface box = surface_of(Box{});
    const TetMesh linear = tetrahedralize(box, {.edge_length = 0.08}).mesh;
    const TetMesh mesh = quadratic(linear, box);
    REQUIRE(mesh.cells.cols() == 10);
    CHECK(mesh.nodes.topRows(linear.nodes.rows()) == linear.nodes);
    CHECK(mesh.cells.leftCols(4) == linear.cells);
    double worst = 0;  // a box has no curved side
    for (int c = 0; c < mesh.cells.rows(); ++c)
        for (int e = 0; e < 6; ++e)
            worst = std::max(
                worst,
                (mesh.nodes.row(mesh.cells(c, 4 + e)) -
                 (linear.nodes.row(linear.cells(c, edges[e][0])) + linear.nodes.row(linear.cells(c, edges[e][1]))) / 2)
                    .norm());
    CHECK(worst < 1e-15);
    CHECK(curved_volume(mesh) == clangor::test::Approx(1e-3).epsilon(1e-12));
}

TEST_CASE("curved elements fill a ball to third order") {
    const Surface ball = surface_of(Sphere{0.05});
    const double volume = mass_properties(ball).volume;
    double errors[2];
    for (int i = 0; i < 2; ++i) {
        const TetMesh mesh = quadratic(tetrahedralize(ball, {.edge_length = i == 0 ? 0.025 : 0.0125}).mesh, ball);
        CHECK(least_jacobian_at_nodes(mesh) > 0);
        errors[i] = std::abs(curved_volume(mesh) / volume - 1);
    }
    CAPTURE(errors[0]);
    CAPTURE(errors[1]);
    CHECK(errors[0] < 1e-3);
    CHECK(std::log2(errors[0] / errors[1]) > 3);
    // The surface itself is a polyhedron inside the ball, 3e²/8a² too small with edges of e = 1.8 mm.
    CHECK(volume == clangor::test::Approx(4.0 / 3 * pi * cube(0.05)).epsilon(1e-3));
}

TEST_CASE("elements bend along the rims of a cylinder") {
    const double radius = 0.02, height = 0.03;
    const Surface cylinder = surface_of(Cylinder{radius, height});
    const TetMesh linear = tetrahedralize(cylinder, {.edge_length = 0.01}).mesh;
    const TetMesh mesh = quadratic(linear, cylinder);
    int on_rim = 0;
    for (int n = static_cast<int>(linear.nodes.rows()); n < mesh.nodes.rows(); ++n) {
        const Vec3 x = mesh.nodes.row(n);
        if (std::abs(std::abs(x.y()) - height / 2) < 1e-12 && std::hypot(x.x(), x.z()) > 0.999 * radius) ++on_rim;
    }
    CHECK(on_rim >= 2 * 12);  // 2π·20 mm in edges of 10 mm, on two rims
    CHECK(curved_volume(mesh) == clangor::test::Approx(mass_properties(cylinder).volume).epsilon(2e-3));
    CHECK(least_jacobian_at_nodes(mesh) > 0);
}

TEST_CASE("elements coarser than the surface's curvature do not fold") {
    const Surface bowl = surface_of(Bowl{.thickness = 0.012});
    const TetMesh mesh = quadratic(tetrahedralize(bowl, {.edge_length = 0.03}).mesh, bowl);
    CHECK(least_jacobian_at_nodes(mesh) > 0);
    CHECK(curved_volume(mesh) == clangor::test::Approx(mass_properties(bowl).volume).epsilon(5e-3));
}

TEST_CASE("a coarsely faceted surface is followed, facets and all") {
    // A ball of 20 faces: its edges turn by 42°, so that they are sharp, and the body is the polyhedron itself.
    const double phi = std::numbers::phi;
    Surface solid{Points(12, 3), Triangles(20, 3)};
    solid.vertices << -1, phi, 0, 1, phi, 0, -1, -phi, 0, 1, -phi, 0, 0, -1, phi, 0, 1, phi, 0, -1, -phi, 0, 1, -phi,
        phi, 0, -1, phi, 0, 1, -phi, 0, -1, -phi, 0, 1;
    solid.faces << 0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8, 3,
        9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1;
    solid.vertices *= 0.03;
    const TetMesh mesh = quadratic(tetrahedralize(solid, {.edge_length = 0.03}).mesh, solid);
    CHECK(curved_volume(mesh) == clangor::test::Approx(mass_properties(solid).volume).epsilon(1e-10));
    CHECK(least_jacobian_at_nodes(mesh) > 0);
}

}  // namespace quadratic_test
