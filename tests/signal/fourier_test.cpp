#include <clangor/core/core.hpp>
#include <clangor/signal/signal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <random>

namespace fourier_test {

using namespace clangor;

using clangor::test::Approx;

TEST_CASE("the Fourier transform is the sum that defines it, and its inverse undoes it") {
    for (const long n : {4L, 8L, 64L}) {
        const RealFourier<double> fourier(n);
        std::mt19937 random(7);
        std::normal_distribution<double> normal;
        std::vector<double> x(n), back(x.size());
        for (double& value : x) value = normal(random);
        std::vector<std::complex<double>> X(fourier.bins());
        fourier.forward(x, X);
        for (std::size_t j = 0; j < X.size(); ++j) {
            std::complex<double> sum = 0;
            for (std::size_t k = 0; k < x.size(); ++k)
                sum += x[k] * std::polar(1.0, -2 * pi * static_cast<double>(j * k) / static_cast<double>(n));
            CHECK(std::abs(X[j] - sum) < 1e-12);
        }
        fourier.inverse(X, back);
        for (std::size_t k = 0; k < x.size(); ++k)
            CHECK(back[k] / static_cast<double>(n) == Approx(x[k]).epsilon(1e-12));
    }
    CHECK(power_of_two(3) == 4);
    CHECK(power_of_two(64) == 64);
    CHECK(power_of_two(64.5) == 128);
}

}  // namespace fourier_test
