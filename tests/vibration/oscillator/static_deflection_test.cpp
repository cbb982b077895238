// A force presses a mode to g/ω² while it lasts.
#include <clangor/vibration/oscillator/oscillator.hpp>
#include <clangor/vibration/oscillator/pulse_moments.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <array>
#include <cmath>

namespace static_deflection_test {

using namespace clangor;

namespace {

constexpr double rate = 48000;
const WeightKnot heard_as_q{0, Eigen::VectorXcd::Constant(1, std::complex<double>(0, -1))};

OscillatorBank mode_of(double hz, double xi) {
    return {.omega = Eigen::VectorXd::Constant(1, 2 * pi * hz),
            .xi = Eigen::VectorXd::Constant(1, xi),
            .sample_rate_hz = rate};
}

ModalImpulse push(double start, double duration) {
    return {.start = start, .duration = duration, .shape = PulseShape::Hertz, .impulse = Eigen::VectorXd::Ones(1)};
}

std::vector<float> deflection(const OscillatorBank& bank, const ModalImpulse& strike,
                              std::span<const WeightKnot> weights, long samples) {
    std::vector<float> bent(static_cast<size_t>(samples));
    add_static_deflection(bank, {&strike, 1}, weights, 0, bent);
    return bent;
}

}  // namespace

TEST_CASE("the deflection under a push adds up to what the mode itself does, J/ω²") {
    const double hz = 500;
    const OscillatorBank bank = mode_of(hz, 0.02);
    for (const double duration : {0.0, 3e-6, 3e-5, 2e-4, 1e-3, 0.02})
        for (const double start : {0.1, 0.10000713}) {
            const std::array impulses{push(start, duration)};
            double bent = 0, rung = 0;
            for (const float x : deflection(bank, impulses[0], {&heard_as_q, 1}, 24000)) bent += double(x) / rate;
            for (const float x : ring(bank, impulses, {&heard_as_q, 1}, {}, 24000)) rung += double(x) / rate;
            CHECK(bent == clangor::test::Approx(1 / square(2 * pi * hz)).epsilon(1e-5));
            CHECK(rung == clangor::test::Approx(bent).epsilon(1e-3));  // sampled at 96 per period
        }
}

TEST_CASE("a mode that is pressed slowly does nothing but bend") {
    // 50 ms of push on a mode of 5 kHz, 250 periods: q = g/ω² but for (π/τω)² and what the pulse's ends, as x^1.59, set
    // ringing.
    const OscillatorBank bank = mode_of(5000, 0.01);
    const std::array impulses{push(0.01, 0.05)};
    const std::vector<float> bent = deflection(bank, impulses[0], {&heard_as_q, 1}, 4800);
    const std::vector<float> q = ring(bank, impulses, {&heard_as_q, 1}, {}, 4800);
    float apart = 0, most = 0;
    for (size_t k = 0; k < q.size(); ++k) {
        apart = std::max(apart, std::abs(q[k] - bent[k]));
        most = std::max(most, bent[k]);
    }
    CHECK(double(most) ==
          clangor::test::Approx(1 / (pulse_area(PulseShape::Hertz) * 0.05 * square(2 * pi * 5000))).epsilon(1e-3));
    CHECK(apart < 2e-3f * most);
}

TEST_CASE("weights that change are those at the impact") {
    const OscillatorBank bank = mode_of(1000, 0.01);
    const std::array impulses{push(3200 / rate, 1e-4)};
    WeightKnot later = heard_as_q;
    later.sample = 6400;
    later.weights *= 3;
    const std::array knots{heard_as_q, later};
    const std::vector<float> once = deflection(bank, impulses[0], {&heard_as_q, 1}, 4800);
    const std::vector<float> twice = deflection(bank, impulses[0], knots, 4800);
    for (size_t k = 0; k < once.size(); ++k) CHECK(twice[k] == clangor::test::Approx(2 * once[k]).epsilon(1e-6));
}

TEST_CASE("the part of a pulse before a moment is its integral until then") {
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine}) {
        // Simpson's rule; the kink at 0 of x^1 and x^1.59 costs it 1e-8.
        constexpr int steps = 20000;
        double sum = 0;
        for (int i = 0; i < steps; ++i) {
            const double x = double(i) / steps, h = 1.0 / steps;
            sum += h / 6 * (unit_pulse(shape, x) + 4 * unit_pulse(shape, x + h / 2) + unit_pulse(shape, x + h));
            if (i % 617 == 0) CHECK(std::abs(oscillator::pulse_until(shape, x + h) - sum) < 1e-8);
        }
        CHECK(oscillator::pulse_until(shape, -1) == 0);
        CHECK(std::abs(oscillator::pulse_until(shape, 0.5) - 0.5) < 1e-13);
        CHECK(oscillator::pulse_until(shape, 2) == 1);
    }
    // ∫₀^x (π/2) sin πx = sin²(πx/2)
    for (const double x : {1e-6, 0.01, 0.3, 0.77, 0.999})
        CHECK(oscillator::pulse_until(PulseShape::HalfSine, x) ==
              test::Approx(square(std::sin(pi * x / 2))).epsilon(1e-10));
}

TEST_CASE("the deflection does not depend on how the samples are cut into pieces") {
    const OscillatorBank bank = mode_of(1000, 0.01);
    const ModalImpulse strike = push(0.02, 1e-3);  // from sample 960 to 1008
    const std::vector<float> whole = deflection(bank, strike, {&heard_as_q, 1}, 2000);
    std::vector<float> pieces(2000);
    for (const long cut : {0L, 980L}) {
        const std::span<float> piece = std::span(pieces).subspan(size_t(cut), cut == 0 ? 980 : 1020);
        add_static_deflection(bank, {&strike, 1}, {&heard_as_q, 1}, cut, piece);
    }
    CHECK(pieces == whole);
}

}  // namespace static_deflection_test
