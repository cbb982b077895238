#include <clangor/radiation/compact/triangle_potentials.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace triangle_potentials_test {

using namespace clangor;
using compact::solid_angle;
using compact::triangle_potentials;
using compact::TrianglePotentials;

namespace {

const std::array<Vec3, 3> corners = {Vec3(0.1, -0.3, 0.2), Vec3(1.2, 0.1, 0.4), Vec3(0.3, 0.9, 0.1)};

Vec3 normal_of(const std::array<Vec3, 3>& c) { return (c[1] - c[0]).cross(c[2] - c[0]).normalized(); }

std::array<Vec3, 3> seen_from(const Vec3& x) { return {corners[0] - x, corners[1] - x, corners[2] - x}; }

// The same integrals by the midpoint rule on cells × cells pairs of small triangles.
TrianglePotentials summed(const std::array<Vec3, 3>& c, int cells) {
    const Vec3 n = normal_of(c);
    const double small_area = 0.5 * (c[1] - c[0]).cross(c[2] - c[0]).norm() / square(cells);
    TrianglePotentials sum;
    const auto add = [&](double i, double j) {
        const std::array<double, 3> N = {1 - (i + j) / cells, i / cells, j / cells};
        const Vec3 y = N[0] * c[0] + N[1] * c[1] + N[2] * c[2];
        const double r = y.norm();
        sum.single_layer += small_area / r;
        for (int k = 0; k < 3; ++k) sum.double_layer[k] += small_area * N[k] * n.dot(y) / cube(r);
    };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; i + j < cells; ++j) {
            add(i + 1.0 / 3, j + 1.0 / 3);
            if (i + j + 1 < cells) add(i + 2.0 / 3, j + 2.0 / 3);
        }
    return sum;
}

double total(const TrianglePotentials& p) { return p.double_layer[0] + p.double_layer[1] + p.double_layer[2]; }

}  // namespace

TEST_CASE("one octant is an eighth of the full solid angle, positive from behind the face") {
    const std::array<Vec3, 3> octant = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    CHECK(solid_angle(octant) == clangor::test::Approx(4 * pi / 8).epsilon(1e-14));
    CHECK(solid_angle({octant[0], octant[2], octant[1]}) == clangor::test::Approx(-4 * pi / 8).epsilon(1e-14));
}

TEST_CASE("closed-form potentials of a triangle agree with a fine sum, on either side of it") {
    for (const Vec3& x : {Vec3(0.5, 0.2, 0.9), Vec3(0.4, 0.3, -0.2), Vec3(2.0, -1.0, 0.3)}) {
        const auto seen = seen_from(x);
        const TrianglePotentials exact = triangle_potentials(seen, normal_of(corners));
        const TrianglePotentials sum = summed(seen, 400);
        // The midpoint rule errs by (cell/distance)²/24 < (1/400/0.4)²/24·(a few) ≈ 1e-5.
        CHECK(exact.single_layer == clangor::test::Approx(sum.single_layer).epsilon(2e-5));
        for (int i = 0; i < 3; ++i)
            CHECK(exact.double_layer[i] == clangor::test::Approx(sum.double_layer[i]).epsilon(1e-4));
        CHECK(total(exact) == clangor::test::Approx(solid_angle(seen)).epsilon(1e-12));
    }
}

TEST_CASE("potential of an equilateral triangle at its own centre") {
    // Side 1: each edge is h = 1/(2√3) away and gives h ∫dl/√(l²+h²) = 2h asinh(√3).
    const double height = std::sqrt(0.75);
    const std::array<Vec3, 3> triangle = {Vec3(-0.5, -height / 3, 0), Vec3(0.5, -height / 3, 0),
                                          Vec3(0, 2 * height / 3, 0)};
    const double expected = 3 * (2 / (2 * std::sqrt(3.0))) * std::asinh(std::sqrt(3.0));
    CHECK(triangle_potentials(triangle, {0, 0, 1}).single_layer == clangor::test::Approx(expected).epsilon(1e-13));
}

TEST_CASE("seen from one of its corners, a triangle has a finite single layer and no double layer") {
    // Right isosceles triangle with legs 1, from the right angle: ∫₀^{π/2} ρ(ϑ) dϑ with ρ = 1/(cos ϑ + sin ϑ), which
    // is √2 ln(1+√2).
    const TrianglePotentials p = triangle_potentials({Vec3::Zero(), Vec3(1, 0, 0), Vec3(0, 1, 0)}, {0, 0, 1});
    CHECK(p.single_layer == clangor::test::Approx(std::sqrt(2.0) * std::log(1 + std::sqrt(2.0))).epsilon(1e-13));
    for (const double w : p.double_layer) CHECK(w == 0.0);
}

}  // namespace triangle_potentials_test
