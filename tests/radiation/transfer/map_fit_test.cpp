#include "map_fields.hpp"

#include <clangor/radiation/transfer/map_fit.hpp>

#include <doctest/doctest.h>
#include <Eigen/QR>
#include <approx.hpp>

namespace map_fit_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

constexpr modal_transfer::FitVariant as_published{.limit = false, .phase = false};

/// e^{−iκu} Σ_m α_ml u^m for each degree: the fit in place of G_l.
Eigen::VectorXcd fitted(const modal_transfer::RadialFit& fit, double u) {
    Eigen::VectorXcd sum = Eigen::VectorXcd::Zero(fit.terms.cols());
    for (long m = fit.terms.rows() - 1; m >= 0; --m) sum = u * (sum + fit.terms.row(m).transpose());
    return sum * std::polar(1.0, -fit.phase * u);
}

}  // namespace

TEST_CASE("a multipole of degree n is n+1 powers of 1/r, with the coefficients of the Hankel function") {
    // h_n(z) = h_0(z) Σ_m c_nm z^{−m},  c_nm = i^n (−i)^m (n+m)!/(m!(n−m)!2^m)
    const Complex i(0, 1);
    const std::vector<std::vector<Complex>> c = {{1}, {i, 1}, {-1, 3.0 * i, 3}, {-i, -6, 15.0 * i, 15}};
    ModalTransfer body = unit_body();
    for (const double kR : {0.05, 1.0, 12.0}) {
        for (int n = 0; n <= 3; ++n) {
            ModeTransfer mode{.omega = kR * body.air.speed_of_sound, .degree = n};
            mode.coefficients = Eigen::VectorXcf::Zero((n + 1) * (n + 1));
            mode.coefficients[n * n + n] = 1;
            for (const bool limit : {false, true}) {
                const modal_transfer::RadialFit fit =
                    modal_transfer::fit_terms(body, mode, {.terms = n + 1}, {limit, false});
                const Complex at_reference = hankel_without_delay(n, kR * body.reference_radius);
                for (int m = 0; m <= n; ++m) {
                    const Complex expected = i * c[n][m] / std::pow(kR, m + 1) / at_reference;
                    // Rounding, where Ψ_1 is 1e5 times below Ψ_4 (kR = 0.05) and no sphere is far away.
                    CHECK(std::abs(fit.terms(m, n) - expected) < 1e-6 * std::abs(expected));
                }
                CHECK(fit.error < 1e-10);
            }
        }
    }
}

TEST_CASE("degree by degree, the fit is that of every direction by itself") {
    ModalTransfer body = unit_body();
    const ModeTransfer mode = random_field(6, 7, 5, body);
    body.modes = {mode};
    const MapOptions options{.terms = 3};
    // Pressures on the spheres at Gauss's directions; ‖P_i‖ by their weights is exact up to degree 7.
    const Points directions = ring_directions(8);
    const GaussRule rule = gauss_legendre(9);
    const double k = mode.omega / body.air.speed_of_sound;
    Eigen::MatrixXcd A(options.spheres, options.terms), P(options.spheres, directions.rows());
    Eigen::VectorXd W(options.spheres);
    for (int i = 0; i < options.spheres; ++i) {
        const double r = 2.5 * std::pow(1.54, i);
        for (int j = 0; j < options.terms; ++j) A(i, j) = hankel_without_delay(0, k * r) / std::pow(k * r, j);
        double norm2 = 0;
        for (long d = 0; d < directions.rows(); ++d) {
            P(i, d) = transfer(body, r * directions.row(d).transpose())[0];
            norm2 += std::norm(P(i, d)) * rule.weights[d / 18];
        }
        W[i] = 1 / std::sqrt(norm2);
    }
    const Eigen::MatrixXcd psi =  // as in [Chadwick2009], section 4: one column a direction
        (W.asDiagonal() * A).colPivHouseholderQr().solve(Eigen::MatrixXcd(W.asDiagonal() * P));
    const modal_transfer::RadialFit fit = modal_transfer::fit_terms(body, mode, options, as_published);
    for (long d = 0; d < directions.rows(); d += 7) {
        const Eigen::VectorXd Y = spherical_harmonics(directions.row(d).transpose(), mode.degree);
        for (int j = 0; j < options.terms; ++j) {
            Complex sum = 0;
            for (int h = 0; h < Y.size(); ++h) sum += fit.terms(j, degree_of(h)) * Complex(mode.coefficients[h]) * Y[h];
            const Complex expected = psi(j, d) * Complex(0, 1) / std::pow(k, j + 1);  // h_0(kr)/(kr)^j, R = 1
            CHECK(std::abs(sum - expected) < 1e-8 * psi.row(j).cwiseAbs().maxCoeff() / std::pow(k, j + 1));
        }
    }
}

TEST_CASE("an off-centre monopole is fitted as well as an independent computation says") {
    // Monopole at 0.8 R, kR = 10, six spheres: mean relative error over 600 random directions [complex, magnitude],
    // computed elsewhere with a fit a direction. Here over Gauss's nodes; 15 %: the random directions.
    struct Case {
        int terms;
        double r, complex, magnitude;
    };
    const Case cases[] = {{1, 3, 0.3475, 0.07705},        {1, 15, 0.2318, 0.06366},     {2, 6, 0.04480, 0.03792},
                          {2, 200, 0.09488, 0.07457},     {3, 3, 0.008296, 0.004632},   {3, 22.5, 0.004579, 0.002741},
                          {4, 3, 0.001325, 0.0008731},    {4, 6, 0.0003399, 0.0002276}, {4, 15, 0.0001982, 0.0001302},
                          {4, 22.5, 0.0002664, 0.000173}, {4, 200, 0.002522, 0.001619}};
    ModalTransfer body = unit_body();
    const ModeTransfer mode = monopole_at({0, 0, 0.8}, 10, 30, body);
    const GaussRule rule = gauss_legendre(80);
    for (const Case& expected : cases) {
        const modal_transfer::RadialFit fit =
            modal_transfer::fit_terms(body, mode, {.terms = expected.terms}, as_published);
        const Eigen::VectorXcd radial = fitted(fit, 1 / expected.r);
        double complex = 0, magnitude = 0;
        for (long n = 0; n < rule.nodes.size(); ++n) {
            const double z = rule.nodes[n];
            const Eigen::VectorXd Y = spherical_harmonics({std::sqrt(1 - z * z), 0, z}, mode.degree);
            Complex p = 0;
            for (int h = 0; h < Y.size(); ++h) p += radial[degree_of(h)] * Complex(mode.coefficients[h]) * Y[h];
            const double way = std::sqrt(square(expected.r) + 0.64 - 1.6 * expected.r * z);
            const Complex exact = std::polar(1 / way, -10 * (way - expected.r));
            complex += rule.weights[n] / 2 * std::abs(p - exact) / std::abs(exact);
            magnitude += rule.weights[n] / 2 * std::abs(std::abs(p) - std::abs(exact)) / std::abs(exact);
        }
        CAPTURE(expected.terms);
        CAPTURE(expected.r);
        CHECK(complex == Approx(expected.complex).epsilon(0.15));
        CHECK(magnitude == Approx(expected.magnitude).epsilon(0.15));
    }
}

TEST_CASE("the common bend of the waves taken out, the same number of terms fits better, and out to infinity") {
    ModalTransfer body = unit_body();
    for (const ModeTransfer& mode : {monopole_at({0, 0, 0.8}, 10, 30, body), random_field(20, 20, 3, body)}) {
        for (int terms = 1; terms <= 4; ++terms) {
            const modal_transfer::RadialFit theirs =
                modal_transfer::fit_terms(body, mode, {.terms = terms}, as_published);
            const modal_transfer::RadialFit ours = modal_transfer::fit_terms(body, mode, {.terms = terms});
            const modal_transfer::RadialFit limit =
                modal_transfer::fit_terms(body, mode, {.terms = terms}, {true, false});
            CHECK(ours.phase > 0);
            CHECK(ours.phase < 0.5 * mode.omega / body.air.speed_of_sound);  // no wave from inside R bends more
            CHECK(ours.error < 0.7 * limit.error);
            CHECK(ours.error < theirs.error);
        }
    }
}

}  // namespace map_fit_test
