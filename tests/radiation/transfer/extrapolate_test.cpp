#include <clangor/radiation/transfer/extrapolate.hpp>

#include <doctest/doctest.h>

#include <random>

namespace extrapolate_test {

using namespace clangor;
using modal_transfer::limit_of;

namespace {

using Complex = std::complex<double>;

Eigen::VectorXcd random_vector(std::mt19937& random, long rows) {
    std::normal_distribution<double> normal;
    Eigen::VectorXcd x(rows);
    for (long i = 0; i < rows; ++i) x[i] = Complex(normal(random), normal(random));
    return x;
}

// x_i = limit + Σ_k c_k z_k^i, and noise of that size.
std::vector<Eigen::MatrixXcd> ringing(const Eigen::VectorXcd& limit, const std::vector<Complex>& z, double strength,
                                      int count, double noise = 0) {
    std::mt19937 random(7);
    std::vector<Eigen::MatrixXcd> estimates(count, limit);
    for (const Complex& ratio : z) {
        const Eigen::VectorXcd c = strength * random_vector(random, limit.size());
        for (int i = 0; i < count; ++i) estimates[i] += c * std::pow(ratio, i);
    }
    for (Eigen::MatrixXcd& x : estimates) x += noise * random_vector(random, limit.size());
    return estimates;
}

}  // namespace

TEST_CASE("what a sequence with a few ringings tends to is known long before it arrives") {
    std::mt19937 random(3);
    const Eigen::VectorXcd limit = random_vector(random, 200);
    const std::vector<Complex> z = {std::polar(0.97, 0.4), std::polar(0.9, -1.1), std::polar(0.95, 2.5)};
    const auto estimates = ringing(limit, z, 1, 9);
    const double arrived = (estimates.back().col(0) - limit).norm() / limit.norm(),
                 found = (limit_of(estimates).col(0) - limit).norm() / limit.norm();
    CHECK(arrived > 0.7);  // 0.97⁸ is left of the first, and more of the others
    CHECK(found < 2e-3);
}

TEST_CASE("the limit of a sequence that has arrived is where it is, whatever rounding adds") {
    std::mt19937 random(4);
    const Eigen::VectorXcd limit = random_vector(random, 200);
    const double noise = 1e-4;
    const auto estimates = ringing(limit, {}, 0, 9, noise);
    CHECK((limit_of(estimates).col(0) - limit).norm() / limit.norm() < noise);  // a mean of them
    CHECK(limit_of(std::vector<Eigen::MatrixXcd>(5, Eigen::MatrixXcd::Zero(3, 2))).isZero());
}

TEST_CASE("rounding costs an extrapolation no more than ten times itself") {
    std::mt19937 random(5);
    const Eigen::VectorXcd limit = random_vector(random, 200);
    const auto estimates = ringing(limit, {std::polar(0.9, 0.8), std::polar(0.8, -0.6)}, 0.3, 9, 1e-4);
    CHECK((limit_of(estimates).col(0) - limit).norm() / limit.norm() < 1e-3);
}

}  // namespace extrapolate_test
