// Many modes at once, block by block: precision over long times, and what must not depend on how it is computed.
#include "closed_forms.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <random>

namespace bank_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double rate = 48000;

// 20 Hz to 20 kHz, so many that the last row of modes is not full.
OscillatorBank spread_bank(long count, double xi) {
    OscillatorBank bank{
        .omega = Eigen::VectorXd(count), .xi = Eigen::VectorXd::Constant(count, xi), .sample_rate_hz = rate};
    for (long m = 0; m < count; ++m) bank.omega[m] = 2 * pi * 20 * std::pow(1000.0, double(m) / double(count - 1));
    return bank;
}

Eigen::VectorXcd some_weights(long count) {
    Eigen::VectorXcd weights(count);
    for (long m = 0; m < count; ++m) weights[m] = std::polar(100.0 + double(m), 0.7 * double(m));
    return weights;
}

std::vector<ModalImpulse> some_strikes(long modes, int count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<ModalImpulse> impulses;
    for (int i = 0; i < count; ++i) {
        const double start = 0.05 * (1 + uniform(random)),
                     length = i % 4 == 0 ? 0 : 2e-3 * std::pow(uniform(random), 4);
        impulses.push_back({.start = start,
                            .duration = length,
                            .shape = i % 2 ? PulseShape::Hertz : PulseShape::HalfSine,
                            .impulse = Eigen::VectorXd::NullaryExpr(modes, [&] { return uniform(random); })});
    }
    return impulses;
}

template <class Real>
double peak_of(const std::vector<Real>& signal) {
    double peak = 0;
    for (const Real sample : signal) peak = std::max(peak, std::abs(double(sample)));
    return peak;
}

template <class A, class B>
double difference(const std::vector<A>& a, const std::vector<B>& b) {
    REQUIRE(a.size() == b.size());
    double largest = 0;
    for (size_t k = 0; k < a.size(); ++k) largest = std::max(largest, std::abs(double(a[k]) - double(b[k])));
    return largest;
}

}  // namespace

TEST_CASE("10 s of ringing, 20 Hz to 20 kHz: within 1e-4 of the peak in float and 1e-11 in double") {
    const Eigen::VectorXcd weight = Eigen::VectorXcd::Constant(1, {0, -1});
    for (const double hz : {20.0, 47.0, 440.0, 1000.0, 6000.0, 12000.0, 20000.0}) {
        for (const double xi : {0.0, 3e-6, 1e-3}) {
            CAPTURE(hz);
            CAPTURE(xi);
            const Mode mode{2 * pi * hz, xi};
            const OscillatorBank bank{.omega = Eigen::VectorXd::Constant(1, mode.omega),
                                      .xi = Eigen::VectorXd::Constant(1, xi),
                                      .sample_rate_hz = rate};
            const std::array strike{ModalImpulse{.start = 0.37 / rate, .impulse = Eigen::VectorXd::Ones(1)}};
            const std::vector<float> fast = ring(bank, strike, weight, 480000);
            const std::vector<double> slow = ring_reference(bank, strike, weight, 480000);
            double fast_error = 0, slow_error = 0;
            for (size_t k = 0; k < fast.size(); k += 7) {  // 7 and 64 have no common factor: all places in a block
                const double q = double(after_impulse(mode, Long(k) / Long(rate) - Long(strike[0].start)).imag());
                fast_error = std::max(fast_error, std::abs(double(fast[k]) - q));
                slow_error = std::max(slow_error, std::abs(slow[k] - q));
            }
            // Rounding κ to float turns a 20 kHz mode by up to 2e-7 rad a sample, 1e-5 in a block; low modes come to
            // 2e-6. In double, 7500 roundings of e^{λBh}.
            CHECK(fast_error * mode.omega < 2e-5);
            CHECK(slow_error * mode.omega < 1e-12);
        }
    }
}

TEST_CASE("float and double banks agree under many impulses on many modes") {
    const OscillatorBank bank = spread_bank(203, 1e-3);
    const Eigen::VectorXcd weights = some_weights(203);
    const std::vector<ModalImpulse> impulses = some_strikes(203, 100);
    const std::vector<double> slow = ring_reference(bank, impulses, weights, 9600);
    CHECK(difference(ring(bank, impulses, weights, 9600), slow) < 1e-5 * peak_of(slow));
}

TEST_CASE("impulses and modes superpose, in any order") {
    const OscillatorBank bank = spread_bank(37, 1e-3);
    const Eigen::VectorXcd weights = some_weights(37);
    std::vector<ModalImpulse> impulses = some_strikes(37, 12);
    const std::vector<double> together = ring_reference(bank, impulses, weights, 6000);
    std::vector<double> by_strike(6000), by_mode(6000);
    for (const ModalImpulse& strike : impulses) {
        const std::vector<double> one = ring_reference(bank, std::array{strike}, weights, 6000);
        for (size_t k = 0; k < one.size(); ++k) by_strike[k] += one[k];
    }
    for (long m = 0; m < 37; ++m) {
        const std::vector<double> one =
            ring_reference(bank, impulses, Eigen::VectorXcd::Unit(37, m) * weights[m], 6000);
        for (size_t k = 0; k < one.size(); ++k) by_mode[k] += one[k];
    }
    // Sums of a few hundred terms in another order.
    CHECK(difference(together, by_strike) < 1e-13 * peak_of(together));
    CHECK(difference(together, by_mode) < 1e-13 * peak_of(together));
    std::reverse(impulses.begin(), impulses.end());
    CHECK(difference(together, ring_reference(bank, impulses, weights, 6000)) == 0);
}

TEST_CASE("samples do not depend on how they are grouped into calls") {
    const OscillatorBank bank = spread_bank(50, 3e-3);
    const Eigen::VectorXcd weights = some_weights(50);
    const std::vector<ModalImpulse> impulses = some_strikes(50, 20);
    const std::vector<float> whole = ring(bank, impulses, weights, 7680);
    const auto in_calls_of = [&](const std::vector<size_t>& sizes) {
        Resonators resonators(bank, weights, 20);
        std::vector<ModalImpulse> sorted = impulses;
        std::stable_sort(sorted.begin(), sorted.end(),
                         [](const ModalImpulse& a, const ModalImpulse& b) { return a.start < b.start; });
        for (const ModalImpulse& s : sorted)
            REQUIRE(resonators.strike(s.start, s.duration, s.shape, {s.impulse.data(), 50}));
        std::vector<float> out(whole.size());
        for (size_t now = 0, i = 0; now < out.size(); ++i) {
            const size_t size = std::min(sizes[i % sizes.size()], out.size() - now);
            resonators.render_block(std::span(out).subspan(now, size));
            now += size;
        }
        return out;
    };
    CHECK(in_calls_of({64}) == whole);
    CHECK(in_calls_of({7680}) == whole);
    CHECK(in_calls_of({128, 64, 640, 256}) == whole);
    // Blocks that end elsewhere round elsewhere: some units in the last place of a float.
    CHECK(difference(in_calls_of({480}), whole) < 1e-5 * peak_of(whole));
    CHECK(difference(in_calls_of({1, 63, 65, 17}), whole) < 1e-5 * peak_of(whole));
}

TEST_CASE("the same impulses give the same bytes, also when bodies ring on several threads") {
    const OscillatorBank bank = spread_bank(100, 1e-3);
    const Eigen::VectorXcd weights = some_weights(100);
    const std::vector<ModalImpulse> impulses = some_strikes(100, 30);
    const std::vector<float> once = ring(bank, impulses, weights, 4800);
    std::vector<std::vector<float>> again(8);
    parallel_for(8, [&](long i) { again[i] = ring(bank, impulses, weights, 4800); });
    for (const std::vector<float>& other : again) CHECK(other == once);
}

TEST_CASE("the energy of a free mode falls as e^(−2ξωt)") {
    const OscillatorBank bank = spread_bank(1 + 1, 0.004);
    const std::array strike{ModalImpulse{.start = -1e-4, .duration = 1e-4, .impulse = Eigen::Vector2d(1, 0)}};
    const Eigen::VectorXcd lambda = poles(bank);
    // ½q̇² + ½ω²q² swings by ξ about its mean, |ζ|² does not: read Re ζ and Im ζ.
    const std::vector<double> re = ring_reference(bank, strike, Eigen::VectorXcd::Constant(2, {1, 0}), 48000);
    const std::vector<double> im = ring_reference(bank, strike, Eigen::VectorXcd::Constant(2, {0, -1}), 48000);
    const double start = square(re[0]) + square(im[0]);
    for (size_t k = 0; k < re.size(); k += 997) {
        const double expected = start * std::exp(2 * lambda[0].real() * double(k) / rate);
        CHECK(std::abs((square(re[k]) + square(im[k])) / expected - 1) < 1e-11);  // 750 blocks of rounding
    }
}

TEST_CASE("modes that have died away rest: exact silence, and no denormal on the way there") {
    const OscillatorBank bank = spread_bank(64, 0.05);
    Resonators resonators(bank, some_weights(64), 1);
    CHECK(resonators.silent());
    const std::vector<double> impulse(64, 1e-3);
    REQUIRE(resonators.strike(0.001, 1e-4, PulseShape::Hertz, impulse));
    CHECK_FALSE(resonators.silent());
    // The lowest mode falls by e^(−ξωt) = 1e-12 in 4.4 s.
    std::vector<float> out(size_t(4.5 * rate));
    resonators.render_block(out);
    CHECK(resonators.silent());
    CHECK(std::none_of(out.begin(), out.end(), [](float y) { return std::fpclassify(y) == FP_SUBNORMAL; }));
    std::vector<float> after(1000);
    resonators.render_block(after);
    CHECK(after == std::vector<float>(1000));
    REQUIRE(resonators.strike(0, 0, PulseShape::Hertz, impulse));
    resonators.render_block(after);
    CHECK(peak_of(after) > 0);
}

TEST_CASE("a strike is refused while all places are taken, and its place is free again when it is over") {
    const OscillatorBank bank = spread_bank(3, 0.01);
    Resonators resonators(bank, some_weights(3), 2);
    const std::vector<double> impulse(3, 1.0);
    CHECK(resonators.strike(0, 0, PulseShape::Hertz, impulse));
    CHECK(resonators.strike(100 / rate, 0.5 / rate, PulseShape::Hertz, impulse));
    CHECK_FALSE(resonators.strike(0, 0, PulseShape::Hertz, impulse));
    std::vector<float> out(64);
    resonators.render_block(out);
    CHECK(resonators.strike(0, 0, PulseShape::Hertz, impulse));
    CHECK_FALSE(resonators.strike(0, 0, PulseShape::Hertz, impulse));
}

TEST_CASE("poles give velocity and acceleration as well: q̇ = Im λζ") {
    const OscillatorBank bank = spread_bank(2, 0.01);
    const Eigen::VectorXcd lambda = poles(bank);
    const Mode mode{bank.omega[0], bank.xi[0]};
    const std::array strike{ModalImpulse{.impulse = Eigen::Vector2d(1, 0)}};
    const Eigen::VectorXcd weights = std::complex<double>(0, -1) * lambda;
    const std::vector<double> speed = ring_reference(bank, strike, weights, 2000);
    const Long omega_d = mode.omega_d(), sigma = Long(mode.xi) * Long(mode.omega);
    for (size_t k = 1; k < speed.size(); k += 13) {
        const Long t = Long(k) / Long(rate);
        const Long exact = std::exp(-sigma * t) * (std::cos(omega_d * t) - sigma / omega_d * std::sin(omega_d * t));
        CHECK(std::abs(speed[k] - double(exact)) < 1e-12);  // of its first value, 1
    }
}

}  // namespace bank_test
