#include <clangor/geometry/geometry.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace curvature_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

Surface reversed(Surface surface) {
    surface.faces.col(1).swap(surface.faces.col(2));
    return surface;
}

}  // namespace

TEST_CASE("mean curvature of a sphere is 1/a outside and −1/a inside") {
    const double a = 0.05;
    const Eigen::VectorXd H = mean_curvatures(surface_of(Sphere{.radius = a}));
    // Mixed areas on a nearly regular mesh of edge h = 0.035 a: the error is of order (h/a)² = 0.12 %, and the twelve
    // vertices of five faces are the worst.
    CHECK(H.minCoeff() == Approx(1 / a).epsilon(0.005));
    CHECK(H.maxCoeff() == Approx(1 / a).epsilon(0.005));
    CHECK(mean_curvatures(reversed(surface_of(Sphere{.radius = a}))).maxCoeff() == Approx(-1 / a).epsilon(0.005));
}

TEST_CASE("mean curvature of a cylinder's side is 1/(2a), of its flat ends 0") {
    const double a = 0.02, height = 0.2;
    const Surface surface = surface_of(Cylinder{.radius = a, .height = height});
    const Eigen::VectorXd H = mean_curvatures(surface);
    int on_side = 0, on_end = 0;
    for (int v = 0; v < H.size(); ++v) {
        const double r = std::hypot(surface.vertices(v, 0), surface.vertices(v, 2));
        const double y = std::abs(surface.vertices(v, 1));
        if (r > 0.99 * a && y < 0.45 * height) {
            // Right-angled faces make the operator the exact one of the 128-gon.
            CHECK(H[v] == Approx(1 / (2 * a)).epsilon(1e-3));
            ++on_side;
        }
        if (r < 0.5 * a && y > 0.49 * height) {
            CHECK(std::abs(H[v]) < 1e-9 / a);
            ++on_end;
        }
    }
    CHECK(on_side > 100);
    CHECK(on_end > 1);
}

TEST_CASE("mean curvature of a torus is that of its two principal circles") {
    // Turning a circle of radius b about an axis at distance R: H = (R + 2b cos θ)/(2b(R + b cos θ)).
    const double R = 1.0, b = 0.3;
    const int n = 200, m = 100;
    Surface torus{Points(n * m, 3), Triangles(2 * n * m, 3)};
    for (int i = 0; i < n; ++i) {
        for (int j = 0; j < m; ++j) {
            const double phi = 2 * pi * i / n, theta = 2 * pi * j / m, r = R + b * std::cos(theta);
            torus.vertices.row(i * m + j) << r * std::cos(phi), b * std::sin(theta), r * std::sin(phi);
            const int i1 = (i + 1) % n, j1 = (j + 1) % m;
            torus.faces.row(2 * (i * m + j)) << i * m + j, i * m + j1, i1 * m + j1;
            torus.faces.row(2 * (i * m + j) + 1) << i * m + j, i1 * m + j1, i1 * m + j;
        }
    }
    REQUIRE(mass_properties(torus).volume > 0);
    const Eigen::VectorXd H = mean_curvatures(torus);
    for (int j = 0; j < m; ++j) {
        const double c = std::cos(2 * pi * j / m);
        CHECK(H[j] == Approx((R + 2 * b * c) / (2 * b * (R + b * c))).epsilon(5e-3));  // O(h²) at h = 0.03
    }
}

}  // namespace curvature_test
