#include <clangor/radiation/bem/pair_integrals.hpp>
#include <clangor/radiation/bem/static_potentials.hpp>
#include <clangor/radiation/bem/triangle_rules.hpp>
#include <clangor/radiation/bem/unit_phase.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace integrals_test {

using namespace clangor;
using namespace clangor::bem;
using Complex = std::complex<double>;

namespace {

Element element(const Vec3& a, const Vec3& b, const Vec3& c) {
    Surface surface{Points(3, 3), Triangles(1, 3)};
    surface.vertices << a.transpose(), b.transpose(), c.transpose();
    surface.faces << 0, 1, 2;
    Elements one = elements_of(surface, {0, 1, 2}, 3);
    Element e = one.all[0];
    for (Vec3& corner : e.corners) corner += one.origin;
    e.centroid += one.origin;
    return e;
}

const Element slanted = element({0.1, -0.3, 0.2}, {1.2, 0.1, 0.4}, {0.3, 0.9, 0.1});

// Midpoints of cells² equal small triangles, in barycentric coordinates.
std::vector<std::array<double, 3>> fine_points(int cells) {
    std::vector<std::array<double, 3>> points;
    const auto add = [&](double i, double j) { points.push_back({1 - (i + j) / cells, i / cells, j / cells}); };
    for (int i = 0; i < cells; ++i)
        for (int j = 0; i + j < cells; ++j) {
            add(i + 1.0 / 3, j + 1.0 / 3);
            if (i + j + 1 < cells) add(i + 2.0 / 3, j + 2.0 / 3);
        }
    return points;
}

// ∫ N_j G and ∫ N_j ∂G/∂n_y by the midpoint rule.
PointPotentials summed(const Vec3& x, const Element& y, double k, int cells) {
    PointPotentials sum;
    const double area = y.area / square(cells);
    for (const auto& at : fine_points(cells)) {
        const Vec3 apart = y.at(at) - x;
        const double R = apart.norm();
        const Complex G = std::polar(1.0, -k * R) / (4 * pi * R);
        for (std::size_t j = 0; j < 3; ++j) {
            sum.single_layer[j] += area * at[j] * G;
            sum.double_layer[j] -= area * at[j] * y.normal.dot(apart) * Complex(1, k * R) * G / square(R);
        }
    }
    return sum;
}

// The same over x as well.
PairIntegrals summed(const Element& x, const Element& y, double k, int cells) {
    PairIntegrals sum;
    for (const auto& at : fine_points(cells)) {
        const PointPotentials inner = summed(x.at(at), y, k, cells);
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t j = 0; j < 3; ++j) {
                sum.single_layer[i][j] += x.area / square(cells) * at[i] * inner.single_layer[j];
                sum.double_layer[i][j] += x.area / square(cells) * at[i] * inner.double_layer[j];
            }
    }
    return sum;
}

double largest_difference(const PairIntegrals::Block& a, const PairIntegrals::Block& b) {
    double difference = 0, scale = 0;
    for (std::size_t i = 0; i < 3; ++i)
        for (std::size_t j = 0; j < 3; ++j) {
            difference = std::max(difference, std::abs(a[i][j] - b[i][j]));
            scale = std::max(scale, std::abs(b[i][j]));
        }
    return difference / scale;
}

}  // namespace

TEST_CASE("static potentials of linear densities agree with a fine sum, on either side and beside the triangle") {
    for (const Vec3& x : {Vec3(0.5, 0.2, 0.9), Vec3(0.4, 0.3, -0.2), Vec3(2.0, -1.0, 0.3)}) {
        const StaticPotentials exact =
            static_potentials({slanted.corners[0] - x, slanted.corners[1] - x, slanted.corners[2] - x}, slanted.normal);
        const PointPotentials sum = summed(x, slanted, 0.0, 400);
        for (std::size_t j = 0; j < 3; ++j) {
            // The midpoint rule errs by (cell/distance)²/24 ≈ 1e-5 here, some times that for the steeper kernel.
            CHECK(exact.single_layer[j] / (4 * pi) == clangor::test::Approx(sum.single_layer[j].real()).epsilon(5e-5));
            CHECK(-exact.double_layer[j] / (4 * pi) == clangor::test::Approx(sum.double_layer[j].real()).epsilon(2e-4));
        }
    }
}

TEST_CASE("an octant is an eighth of all directions, and a triangle has no double layer in its own plane") {
    const std::array<Vec3, 3> octant = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    const auto angle = static_potentials(octant, Vec3(1, 1, 1).normalized()).double_layer;
    CHECK(angle[0] + angle[1] + angle[2] == clangor::test::Approx(4 * pi / 8).epsilon(1e-14));
    // Rounding puts the inner point a little above or below the plane: it must not see half of all directions.
    const Vec3 inside = slanted.at({0.3, 0.3, 0.4});
    const auto own = static_potentials(
        {slanted.corners[0] - inside, slanted.corners[1] - inside, slanted.corners[2] - inside}, slanted.normal);
    for (const double d : own.double_layer) CHECK(d == 0.0);
}

TEST_CASE("single layer of a triangle at its own centroid, while the wave is longer than the triangle") {
    // S = (1/4π) ∮ (1 − e^{−ikρ})/(ik) dϑ about the centroid of (0,0), (1,0), (0,1), by 80 Gauss points an edge: exact
    // to 1e-12.
    const Element right = element({0, 0, 0}, {1, 0, 0}, {0, 1, 0});
    const auto check = [&](double k, Complex expected, double tolerance) {
        const PointPotentials at = point_potentials(right.centroid, right, k);
        const Complex S = at.single_layer[0] + at.single_layer[1] + at.single_layer[2];
        CHECK(std::abs(S - expected) / std::abs(expected) < tolerance);
        for (const Complex d : at.double_layer) CHECK(std::abs(d) < 1e-15);
    };
    // What is not in closed form is −k²R/2 and more, with a kink at R = 0 that six points miss by 3 %: 0.03 (kh)²/20.
    check(0.5, {0.19006689861240855, -0.019802494211273388}, 1e-3);
    check(2.0, {0.1687844745976088, -0.0739125249248617}, 1e-2);
}

TEST_CASE("pairs of triangles: every way of integrating agrees with a fine sum, however near they are") {
    const double k = 0.8;  // 5.5 triangles a wavelength
    const auto check = [&](const Element& x, const Element& y, int cells, double tolerance) {
        const PairIntegrals exact = summed(x, y, k, cells), ours = pair_integrals(x, y, k);
        CHECK(largest_difference(ours.single_layer, exact.single_layer) < tolerance);
        CHECK(largest_difference(ours.double_layer, exact.double_layer) < tolerance);
    };
    const auto moved = [&](const Vec3& by) {
        return element(slanted.corners[0] + by, slanted.corners[1] + by, slanted.corners[2] + by);
    };
    // Closed form and twelve points, closed form and quarters, six points each. The sum errs by (1/cells)²/4 in
    // products of linear functions, four times that where the gap is a few cells wide.
    check(slanted, moved({0.9, 0.8, 0.9}), 24, 1e-3);
    check(slanted, moved({0.2, 0.1, 0.3}), 40, 1e-3);
    check(slanted, moved({3.0, 1.5, 1.0}), 24, 6e-4);
    check(moved({-3.0, 1.5, -2.0}), slanted, 24, 6e-4);
}

TEST_CASE("a triangle with itself: the energy of an evenly charged one") {
    // F(s) = ∫∫ 1/R over all pairs of points of an equilateral triangle of side s is C s³. Growing by ds moves each
    // edge out by ds/(2√3), so dF/ds = 2 · 3/(2√3) ∫_edge V dl with V the potential there, and F(1) is a third of that.
    const Element e = element({0, 0, 0}, {1, 0, 0}, {0.5, std::sqrt(0.75), 0});
    double edge_mean = 0;  // of V along the edge y = 0, by the midpoint rule
    constexpr int steps = 2000;
    for (int i = 0; i < steps; ++i) {
        const Vec3 x((i + 0.5) / steps, 0, 0);
        const auto V = static_potentials({e.corners[0] - x, e.corners[1] - x, e.corners[2] - x}, e.normal).single_layer;
        edge_mean += (V[0] + V[1] + V[2]) / steps;
    }
    const double expected = 2 * 3 / (2 * std::sqrt(3.0)) * edge_mean / 3 / (4 * pi);
    const PairIntegrals pair = pair_integrals(e, e, 1e-6);
    double sum = 0;
    for (const auto& row : pair.single_layer)
        for (const Complex g : row) sum += g.real();
    // Twelve points on a potential with infinite slope at the edges.
    CHECK(sum == clangor::test::Approx(expected).epsilon(3e-3));
}

TEST_CASE("rules integrate the polynomials that their names promise") {
    // Mean of λ₀^a λ₁^b over a triangle: 2 a! b!/(a + b + 2)!
    const auto mean = [](std::span<const RulePoint> rule, int a, int b) {
        double sum = 0;
        for (const RulePoint& p : rule) sum += p.weight * std::pow(p.at[0], a) * std::pow(p.at[1], b);
        return sum;
    };
    const auto check = [&](std::span<const RulePoint> rule, int degree) {
        for (int a = 0; a <= degree; ++a)
            for (int b = 0; a + b <= degree; ++b)
                CHECK(mean(rule, a, b) ==
                      clangor::test::Approx(2 * std::tgamma(a + 1) * std::tgamma(b + 1) / std::tgamma(a + b + 3))
                          .epsilon(1e-12));
    };
    check(rule_of_degree_2(), 2);
    check(rule_of_degree_4(), 4);
    check(rule_of_degree_6(), 6);
    check(rule_in_quarters(), 6);
}

TEST_CASE("the vectorised phase is as good as single precision allows") {
    for (const float z : {0.0f, 0.3f, 0.785398f, 1.6f, 3.14159f, 4.7f, 6.2f, 55.5f, 999.0f, -0.4f, -2.0f}) {
        const Phase phase = unit_phase(z);
        CHECK(std::abs(static_cast<double>(phase.cosine) - std::cos(static_cast<double>(z))) < 2e-7);
        CHECK(std::abs(static_cast<double>(phase.sine) - std::sin(static_cast<double>(z))) < 2e-7);
    }
}

}  // namespace integrals_test
