#include <clangor/radiation/bem/block_operator.hpp>
#include <clangor/radiation/bem/element_finder.hpp>
#include <clangor/radiation/bem/gmres.hpp>
#include <clangor/radiation/bem/numbering.hpp>

#include <doctest/doctest.h>

#include <cmath>

#include "bodies.hpp"

namespace operators_test {

using namespace clangor;
using namespace clangor::bem;
using Complex = std::complex<double>;

namespace {

// Everything that a matrix is made of, for one body.
struct Assembly {
    explicit Assembly(const Surface& surface)
        : numbering(numbering_of(surface, sounding_faces(surface))),
          elements(elements_of(surface, numbering.node_of, numbering.unknowns)),
          at_node(elements_at_nodes(elements)),
          close(close_lists(elements)) {
        widen_to_elements(numbering.tree, elements, at_node);
    }
    struct Made {
        BlockOperator matrix;
        Eigen::VectorXcd right_side;
    };
    Made made(const Equation& equation, const Eigen::VectorXcd& q, double tolerance = 0) const {
        CornerValues corners;  // constant on each face
        for (const Complex value : q) corners.push_back({value, value, value});
        const ClosePart near = close_part(elements, at_node, close, equation, corners, {});
        return {BlockOperator({elements, at_node, close, near.matrix, equation, numbering.tree}, tolerance,
                              std::size_t{1} << 32, {}),
                near.right_side + far_right_side(elements, close, equation, corners, {})};
    }
    Numbering numbering;
    Elements elements;
    std::vector<std::vector<int>> at_node, close;
};

// Spherical Bessel functions and their slopes, n = 0 and 1.
double j(int n, double z) { return n == 0 ? std::sin(z) / z : (std::sin(z) / z - std::cos(z)) / z; }
double dj(int n, double z) { return n == 0 ? -j(1, z) : j(0, z) - 2 / z * j(1, z); }

}  // namespace

TEST_CASE("harmonics are eigenfunctions of all four operators on a ball, at any frequency") {
    const Surface ball = test::ball(1.0, 2);
    const Assembly assembly(ball);
    for (const double k : {1e-3, 2.0})
        for (const int n : {0, 1}) {
            Eigen::VectorXcd p(assembly.numbering.unknowns), q(ball.faces.rows());
            for (long v = 0; v < ball.vertices.rows(); ++v)
                p[assembly.numbering.node_of[v]] = n == 0 ? 1.0 : ball.vertices(v, 2);
            for (long f = 0; f < q.size(); ++f) q[f] = n == 0 ? 1.0 : test::centroid(ball, f).z();
            const auto both = [&](const Equation& equation) {
                const Assembly::Made made = assembly.made(equation, q);
                const Eigen::VectorXcf image = made.matrix * p.cast<std::complex<float>>();
                return std::pair<Complex, Complex>(p.dot(image.cast<Complex>()), p.dot(made.right_side));
            };
            // With the two radial solutions j and h = −k-multiples of exact_multipole: h′ h-scaling cancels in the
            // products
            //     S = −ik j h,  D = D′ = −ik² (j h′ + j′ h)/2,  W = ik³ j′ h′     (a = 1; h = k h′ × exact_multipole)
            const Complex ratio = k * test::exact_multipole(n, k, 1, 1);  // h/h′
            // Wronskian j h′ − j′ h = −i/k² gives h′.
            const Complex slope = Complex(0, -1 / (k * k)) / (j(n, k) - dj(n, k) * ratio), h = ratio * slope;
            const Complex S = Complex(0, -k) * j(n, k) * h, W = Complex(0, k * k * k) * dj(n, k) * slope;
            const Complex D = Complex(0, -k * k / 2) * (j(n, k) * slope + dj(n, k) * h);
            const double norm = 4 * pi / (2 * n + 1);
            // 320 flat faces have 0.4 % more area than the ball of the same volume, and more in their second moments.
            const auto [minus_D, minus_S] = both({.k = k, .double_layer = 1, .single_layer = 1});
            const auto [our_W, minus_adjoint] = both({.k = k, .eta = 1.0, .right_adjoint = 1.0});
            CHECK(std::abs(minus_S / norm + S) < 0.015 * std::abs(S));
            CHECK(std::abs(minus_D / norm + D) < 0.015 * std::abs(D));
            CHECK(std::abs(minus_adjoint / norm + D) < 0.015 * std::abs(D));
            CHECK(std::abs(our_W / norm - W) < 0.015 * std::max(1.0, std::abs(W)));
        }
}

TEST_CASE("without the hypersingular part a ball resonates inside, and the pressure outside is wrong") {
    // ka of the resonance of 320 flat faces lies within 1 % of π: somewhere there the error must be large without η W,
    // and must not with it.
    const Surface ball = test::ball(1.0, 2);
    const Assembly assembly(ball);
    const Eigen::VectorXcd q = Eigen::VectorXcd::Ones(ball.faces.rows());
    double worst_without = 0, worst_with = 0;
    for (const double k : {0.99 * pi, 0.995 * pi, pi, 1.005 * pi, 1.01 * pi}) {
        const Complex exact = test::exact_multipole(0, k, 1, 1);
        const auto error_of = [&](Complex eta) {
            const Assembly::Made made = assembly.made({.k = k,
                                                       .mass = 0.5,
                                                       .double_layer = 1,
                                                       .eta = eta,
                                                       .right_mass = 0.5 * eta,
                                                       .single_layer = 1,
                                                       .right_adjoint = eta},
                                                      q);
            const Eigen::VectorXcd p = made.matrix.to_dense().cast<Complex>().partialPivLu().solve(made.right_side);
            return std::abs(p.mean() - exact) / std::abs(exact);
        };
        worst_without = std::max(worst_without, error_of(0.0));
        worst_with = std::max(worst_with, error_of(Complex(0, -1 / k)));
    }
    CHECK(worst_without > 0.2);
    CHECK(worst_with < 0.01);
}

TEST_CASE("the hypersingular operator does not see a constant static pressure") {
    // Each face's curls add up to zero: exact but for single precision.
    const Surface plate = test::plate(1.0, 0.05, 6);
    const Assembly assembly(plate);
    const Eigen::VectorXcd q = Eigen::VectorXcd::Zero(plate.faces.rows());
    const BlockOperator W = assembly.made({.k = 1e-6, .eta = 1.0}, q).matrix;
    const Eigen::VectorXcf ones = Eigen::VectorXcf::Ones(assembly.numbering.unknowns);
    const Eigen::MatrixXcf dense = W.to_dense();
    CHECK((W * ones).norm() < 1e-5f * (dense.cwiseAbs() * ones.real()).norm());
    // And W is symmetric, exactly so in theory: the outer rule of near pairs is not the inner one.
    CHECK((dense - dense.transpose()).norm() < 5e-3f * dense.norm());
}

TEST_CASE("thin far blocks change the matrix by no more than asked") {
    const Surface ball = test::ball(1.0, 3);
    const Assembly assembly(ball);
    const Eigen::VectorXcd q = Eigen::VectorXcd::Ones(ball.faces.rows());
    const Complex eta(0, -0.25);
    const Equation equation{.k = 4, .mass = 0.5, .double_layer = 1, .eta = eta};
    const BlockOperator dense = assembly.made(equation, q).matrix;
    for (const double tolerance : {1e-3, 1e-4}) {
        const BlockOperator thin = assembly.made(equation, q, tolerance).matrix;
        const float difference = (thin.to_dense() - dense.to_dense()).norm() / dense.to_dense().norm();
        CHECK(difference < static_cast<float>(tolerance));
        CHECK(thin.bytes() < dense.bytes());
    }
}

TEST_CASE("low rank: a kernel between two far boxes, and a block that falls apart") {
    constexpr long rows = 90, columns = 70;
    const auto entries_of = [](const Eigen::MatrixXcf& A) {
        return BlockEntries{.rows = A.rows(),
                            .columns = A.cols(),
                            .row = [&A](long i) { return Eigen::VectorXcf(A.row(i).transpose()); },
                            .column = [&A](long c) { return Eigen::VectorXcf(A.col(c)); }};
    };
    const auto error_of = [&](const Eigen::MatrixXcf& A, const LowRank& thin) {
        return (thin.U * thin.V.transpose() - A).norm() / A.norm();
    };
    Eigen::MatrixXcf wave(rows, columns);
    for (long i = 0; i < rows; ++i)
        for (long c = 0; c < columns; ++c) {
            const Vec3 x(0.01 * double(i % 9), 0.01 * double(i / 9), 0),
                y(0.3, 0.01 * double(c % 7), 0.01 * double(c / 7));
            wave(i, c) = std::complex<float>(std::polar(1.0, -3 * (x - y).norm()) / (x - y).norm());
        }
    const auto thin = low_rank(entries_of(wave), 1e-4);
    REQUIRE(thin.has_value());
    CHECK(error_of(wave, *thin) < 1e-4f);
    CHECK(thin->U.cols() < 12);

    // Rows of the second half never show up in the columns that the first half leads to.
    Eigen::MatrixXcf parts = Eigen::MatrixXcf::Zero(rows, columns);
    parts.topLeftCorner(rows / 2, columns / 2) = wave.topLeftCorner(rows / 2, columns / 2);
    parts.bottomRightCorner(rows / 2, columns / 2) = wave.bottomRightCorner(rows / 2, columns / 2);
    const auto both = low_rank(entries_of(parts), 1e-3);
    REQUIRE(both.has_value());
    CHECK(error_of(parts, *both) < 1e-3f);

    const Eigen::MatrixXcf full = Eigen::MatrixXcf::Identity(60, 60);
    CHECK_FALSE(low_rank(entries_of(full), 1e-4).has_value());
}

TEST_CASE("GMRES solves n equations in n steps, and fewer with a good preconditioner") {
    constexpr int n = 30;
    Eigen::MatrixXcd A = Eigen::MatrixXcd::Identity(n, n) * 3.0;
    for (int i = 0; i < n; ++i)
        for (int c = 0; c < n; ++c) A(i, c) += Complex(std::sin(1.0 + 7 * i + 3 * c), std::cos(2.0 * i - 5 * c)) / 4.0;
    const Eigen::VectorXcd x = Eigen::VectorXcd::LinSpaced(n, 1.0, 2.0), b = A * x;
    const LinearMap apply = [&](const Eigen::VectorXcd& v) { return Eigen::VectorXcd(A * v); };
    const LinearMap nothing = [](const Eigen::VectorXcd& v) { return v; };
    const GmresResult plain = gmres(apply, nothing, b, 1e-10, 100, {});
    CHECK(plain.converged);
    CHECK(plain.iterations <= n);
    CHECK((plain.x - x).norm() < 1e-8 * x.norm());
    const Eigen::PartialPivLU<Eigen::MatrixXcd> factors(A);
    const LinearMap inverse = [&](const Eigen::VectorXcd& v) { return Eigen::VectorXcd(factors.solve(v)); };
    CHECK(gmres(apply, inverse, b, 1e-10, 100, {}).iterations == 1);
    CHECK_FALSE(gmres(apply, nothing, b, 1e-10, 2, {}).converged);
    CHECK(gmres(apply, nothing, Eigen::VectorXcd::Zero(n), 1e-10, 2, {}).x.norm() == 0.0);
}

}  // namespace operators_test
