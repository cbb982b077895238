// Contacts of any length that start anywhere between samples, against closed forms.
#include "closed_forms.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <doctest/doctest.h>

#include <array>
#include <functional>

namespace pulse_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double rate = 48000;
const std::complex<double> weight(0.6, -0.8);  // both parts of ζ are heard

OscillatorBank bank_of(const Mode& mode) {
    return {.omega = Eigen::VectorXd::Constant(1, mode.omega),
            .xi = Eigen::VectorXd::Constant(1, mode.xi),
            .sample_rate_hz = rate};
}

ModalImpulse unit_strike(double start, double duration, PulseShape shape) {
    return {.start = start, .duration = duration, .shape = shape, .impulse = Eigen::VectorXd::Ones(1)};
}

// The largest error of the reference, as a part of the largest sample.
double error_of(const Mode& mode, const ModalImpulse& strike, long samples,
                const std::function<LongComplex(Long)>& zeta) {
    const std::vector<double> out =
        ring_reference(bank_of(mode), std::array{strike}, Eigen::VectorXcd::Constant(1, weight), samples);
    double error = 0, peak = 0;
    for (long k = 0; k < samples; ++k) {
        const double exact = double((LongComplex(weight) * zeta(k / Long(rate) - Long(strike.start))).real());
        error = std::max(error, std::abs(out[k] - exact));
        peak = std::max(peak, std::abs(exact));
    }
    return error / peak;
}

const std::array<Mode, 4> modes{
    {{2 * pi * 20, 0.01}, {2 * pi * 1000, 1e-3}, {2 * pi * 20e3, 1e-2}, {2 * pi * 23.9e3, 0.3}}};

}  // namespace

TEST_CASE("an impulse anywhere between two samples rings as the closed form") {
    for (const Mode& mode : modes) {
        for (int i = 0; i < 64; ++i) {
            const double start = (61 + i * 0.09375 + 1e-3) / rate;  // across a block boundary
            const auto exact = [&](Long t) { return after_impulse(mode, t); };
            // 1e-12: sixteen Legendre terms leave 1e-14; a block of samples adds 64 roundings.
            CHECK(error_of(mode, unit_strike(start, 0, PulseShape::Hertz), 200, exact) < 1e-12);
        }
    }
}

TEST_CASE("an impulse on a sample is heard from the next sample on") {
    const Mode mode = modes[1];
    const std::vector<double> out =
        ring_reference(bank_of(mode), std::array{unit_strike(64 / rate, 0, PulseShape::Hertz)},
                       Eigen::VectorXcd::Constant(1, weight), 70);
    CHECK(out[64] == 0);
    const LongComplex next = LongComplex(weight) * after_impulse(mode, 1 / Long(rate));
    CHECK(std::abs(out[65] / double(next.real()) - 1) < 1e-12);
}

TEST_CASE("half-sine contacts from a hundredth of a sample to 5 ms ring as the closed form") {
    for (const Mode& mode : modes) {
        for (const double length : {0.01, 0.3, 0.999, 1.0, 2.5, 17.0, 63.99, 240.0}) {
            for (int i = 0; i < 16; ++i) {
                CAPTURE(mode.omega);
                CAPTURE(length);
                const double tau = length / rate, start = (60 + i * 0.53) / rate;
                const auto exact = [&](Long t) { return during_half_sine(mode, tau, t); };
                // The aim for any contact; in fact below 1e-12.
                CHECK(error_of(mode, unit_strike(start, tau, PulseShape::HalfSine), 400, exact) < 1e-11);
            }
        }
    }
}

TEST_CASE("Hertz contacts of any length ring as fine quadrature says") {
    for (const Mode& mode : modes) {
        for (const double length : {0.05, 0.8, 1.0, 3.3, 40.0}) {
            for (const double fraction : {0.0, 1e-7, 0.21, 0.5, 0.87}) {
                CAPTURE(mode.omega);
                CAPTURE(length);
                CAPTURE(fraction);
                const double tau = length / rate, start = (62 + fraction) / rate;
                const auto exact = [&](Long t) { return during_sine_power(mode, 1.5886L, tau, t); };
                // The Gauss rule meets the singularity y^4.2 of the pulse's ends with an error of this order.
                CHECK(error_of(mode, unit_strike(start, tau, PulseShape::Hertz), 110, exact) < 1e-11);
            }
        }
    }
}

TEST_CASE("a contact that is short against the period works as an impulse at its middle") {
    const Mode mode{2 * pi * 300, 1e-3};
    const double tau = 2e-5, start = 1.234e-3;
    const auto exact = [&](Long t) { return after_impulse(mode, t - Long(tau) / 2); };
    const std::vector<double> out =
        ring_reference(bank_of(mode), std::array{unit_strike(start, tau, PulseShape::Hertz)},
                       Eigen::VectorXcd::Constant(1, weight), 4000);
    for (size_t k = 64; k < out.size(); ++k) {
        const LongComplex zeta = exact(Long(k) / Long(rate) - Long(start));
        // The spread of the force about its middle: (ωτ)²/8 bounds the second moment's term.
        CHECK(std::abs(out[k] - double((LongComplex(weight) * zeta).real())) <
              std::pow(mode.omega * tau, 2) / 8 / mode.omega);
    }
}

TEST_CASE("under a soft mallet a stiff mode follows the force: q = g/ω²") {
    const Mode mode{2 * pi * 15e3, 0.05};
    const double tau = 5e-3;
    const std::vector<double> q = ring_reference(bank_of(mode), std::array{unit_strike(0, tau, PulseShape::Hertz)},
                                                 Eigen::VectorXcd::Constant(1, std::complex<double>(0, -1)), 240);
    const double peak = unit_pulse(PulseShape::Hertz, 0.5) / tau / (mode.omega * mode.omega);
    for (size_t k = 0; k < q.size(); ++k) {
        const double g = unit_pulse(PulseShape::Hertz, double(k) / rate / tau) / tau;
        // Next order: q lags by 2ξ/ω, a part 2ξ·p·π/(ωτ) = 1e-3 of the peak; inertia is smaller still.
        CHECK(std::abs(q[k] - g / (mode.omega * mode.omega)) < 2e-3 * peak);
    }
}

TEST_CASE("impulses before the first sample still ring, impulses after the last do nothing") {
    const Mode mode{2 * pi * 440, 2e-4};
    const OscillatorBank bank = bank_of(mode);
    const Eigen::VectorXcd w = Eigen::VectorXcd::Constant(1, weight);
    const double tau = 1e-3;
    for (const double start : {-0.4e-3, -2.3e-3, -0.5, -3.7}) {
        CAPTURE(start);
        const auto exact = [&](Long t) { return during_half_sine(mode, tau, t); };
        // e^{λt} over t = 3.7 s in one step: its phase of 1e4 rad is rounded to 1e-12.
        CHECK(error_of(mode, unit_strike(start, tau, PulseShape::HalfSine), 300, exact) < 1e-11);
    }
    const std::array late{unit_strike(0.1, tau, PulseShape::Hertz), unit_strike(100 / rate, 0, PulseShape::Hertz)};
    for (const double sample : ring_reference(bank, late, w, 100)) CHECK(sample == 0);
    CHECK(ring(bank, late, w, 0).empty());
    CHECK(ring(bank, {}, w, 10) == std::vector<float>(10));
}

}  // namespace pulse_test
