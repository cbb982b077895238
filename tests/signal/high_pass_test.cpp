#include <clangor/signal/signal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

namespace high_pass_test {

using namespace clangor;

namespace {

constexpr double rate = 48000;

// The gain for a sine, after it has settled.
double gain_at(double hz, double corner) {
    std::vector<float> samples(96000);
    for (size_t k = 0; k < samples.size(); ++k) samples[k] = float(std::sin(2 * pi * hz * double(k) / rate));
    HighPass{corner, rate}(samples);
    double sine = 0, cosine = 0;
    for (size_t k = 48000; k < samples.size(); ++k) {
        sine += double(samples[k]) * std::sin(2 * pi * hz * double(k) / rate);
        cosine += double(samples[k]) * std::cos(2 * pi * hz * double(k) / rate);
    }
    return std::hypot(sine, cosine) / 24000;
}

}  // namespace

TEST_CASE("a high-pass of second order has the gain of Butterworth's") {
    // |H|² = 1/(1 + (f_c/f)⁴), with both frequencies warped by tan(πf/rate).
    for (const double corner : {20.0, 250.0, 3000.0})
        for (const double hz : {10.0, 100.0, 1000.0, 10000.0}) {
            const double ratio = std::tan(pi * corner / rate) / std::tan(pi * hz / rate);
            CHECK(gain_at(hz, corner) == clangor::test::Approx(1 / std::sqrt(1 + std::pow(ratio, 4))).epsilon(1e-4));
        }
}

TEST_CASE("a push has no mean after a high-pass, and what was silent is so again") {
    std::vector<float> samples(96000);
    for (int k = 0; k < 30; ++k) samples[1000 + k] = float(std::sin(pi * k / 30.0));
    HighPass filter(50, rate);
    filter(std::span(samples).first(1017));  // in two pieces
    filter(std::span(samples).subspan(1017));
    double sum = 0;
    for (const float x : samples) sum += double(x);
    CHECK(std::abs(sum) < 1e-6 * 19);  // the push itself adds up to 60/π
    CHECK(std::all_of(samples.begin() + 90000, samples.end(), [](float x) { return x == 0; }));
}

}  // namespace high_pass_test
