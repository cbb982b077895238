#include <clangor/radiation/spherical/spherical.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <random>

namespace spherical_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("spherical harmonics are those of the textbook, and x, y, z in degree 1") {
    const Vec3 d = Vec3(0.3, -0.5, 0.7).normalized();
    const Eigen::VectorXd Y = spherical_harmonics(d, 3);
    CHECK(Y[0] == Approx(std::sqrt(1 / (4 * pi))));
    const double one = std::sqrt(3 / (4 * pi)), two = std::sqrt(15 / (4 * pi));
    CHECK(Y[3] == Approx(one * d.x()));
    CHECK(Y[1] == Approx(one * d.y()));
    CHECK(Y[2] == Approx(one * d.z()));
    CHECK(Y[4] == Approx(two * d.x() * d.y()));
    CHECK(Y[6] == Approx(std::sqrt(5 / (16 * pi)) * (3 * square(d.z()) - 1)));
    CHECK(Y[8] == Approx(two / 2 * (square(d.x()) - square(d.y()))));
}

TEST_CASE("all harmonics of a degree together see every direction alike, the poles included") {
    // Σ_m Y_lm² = (2l+1)/4π
    for (const Vec3& d : {Vec3(0, 0, 1), Vec3(0, 0, -1), Vec3(1e-9, 0, 1), Vec3(0.6, 0.64, 0.48), Vec3(0, 1, 0)}) {
        const Eigen::VectorXd Y = spherical_harmonics(d.normalized(), 40);
        for (const int l : {0, 1, 7, 40})
            CHECK(Y.segment(l * l, 2 * l + 1).squaredNorm() == Approx((2 * l + 1) / (4 * pi)).epsilon(1e-11));
    }
}

TEST_CASE("a field of harmonics changes no faster across the pole than elsewhere") {
    std::mt19937 random(3);
    std::normal_distribution<double> normal;
    const int degree = 12;
    Eigen::VectorXd b((degree + 1) * (degree + 1));
    for (double& x : b) x = normal(random);
    const auto slope = [&](const Vec3& d, const Vec3& along) {
        const double e = 1e-5;
        return (b.dot(spherical_harmonics((d + e * along).normalized(), degree)) -
                b.dot(spherical_harmonics((d - e * along).normalized(), degree))) /
               (2 * e);
    };
    double elsewhere = 0;
    for (int i = 0; i < 400; ++i) {
        const Vec3 d = Vec3(normal(random), normal(random), normal(random)).normalized();
        elsewhere = std::max(elsewhere, std::abs(slope(d, d.unitOrthogonal())));
    }
    for (double phi = 0; phi < pi; phi += 0.2)
        CHECK(std::abs(slope(Vec3::UnitZ(), Vec3(std::cos(phi), std::sin(phi), 0))) < elsewhere);
}

TEST_CASE("directions on Gauss's rings tell harmonics apart") {
    const int degree = 9;
    std::mt19937 random(5);
    std::normal_distribution<double> normal;
    Eigen::MatrixXd b(2, (degree + 1) * (degree + 1));
    for (double& x : b.reshaped()) x = normal(random);
    const Points directions = ring_directions(degree);
    Eigen::MatrixXf values(2, directions.rows());
    for (long i = 0; i < directions.rows(); ++i) {
        CHECK(directions.row(i).norm() == Approx(1));
        values.col(i) = (b * spherical_harmonics(directions.row(i), degree)).cast<float>();
    }
    CHECK((harmonic_coefficients(values, degree).cast<double>() - b).norm() < 1e-5 * b.norm());  // float
}

TEST_CASE("outgoing waves: closed forms of low degree, and the limits of long and short waves") {
    using Complex = std::complex<double>;
    const Complex i(0, 1);
    const double z0 = 0.9, z = 4.1;
    // h_l e^{iz} ∝ 1/z, (1 + 1/(iz))/z, (1 + 3/(iz) − 3/z²)/z
    const std::vector<Complex> ratios = outgoing_ratios(2, z, z0);
    const auto one = [&](double x) { return (1.0 + 1.0 / (i * x)) / x; };
    const auto two = [&](double x) { return (1.0 + 3.0 / (i * x) - 3.0 / (x * x)) / x; };
    CHECK(std::abs(ratios[0] - z0 / z) < 1e-14);
    CHECK(std::abs(ratios[1] - one(z) / one(z0)) < 1e-14);
    CHECK(std::abs(ratios[2] - two(z) / two(z0)) < 1e-14);
    const std::vector<Complex> slow = outgoing_ratios(12, 2e-6, 1e-6), fast = outgoing_ratios(12, 2e6, 1e6);
    for (int l = 0; l <= 12; ++l) {
        CHECK(std::abs(slow[l] - std::pow(0.5, l + 1)) < 1e-5);  // static multipoles
        CHECK(std::abs(fast[l] - 0.5) < 1e-4);                   // rays
    }
    for (double k = 0.01; k < 100; k *= 1.3) {
        for (const Complex& ratio : outgoing_ratios(40, 3 * k, k)) CHECK(std::abs(ratio) <= 1.0 / 3 + 1e-12);
    }
}

}  // namespace spherical_test
