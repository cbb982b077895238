#include <doctest/doctest.h>
#include <approx.hpp>

#include "tones.hpp"

namespace spherical_head_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double c = 343.2, radius = 0.0875;
const std::complex<double> i(0, 1);

/// The model as printed: H(ω, θ) e^{−iωτ(θ)}, θ from the ear's axis.
std::complex<double> ear_response(double hz, double theta) {
    const double omega = 2 * pi * hz, omega_0 = c / radius;
    const double alpha = 1.05 + 0.95 * std::cos(theta * 180 / 150);
    const double delay = radius / c * (theta < pi / 2 ? -std::cos(theta) : theta - pi / 2);
    return (1.0 + i * alpha * omega / (2 * omega_0)) / (1.0 + i * omega / (2 * omega_0)) * std::exp(-i * omega * delay);
}

Audio at_the_head(double hz, const Vec3& direction, double rate) {
    const double delay = 0.01;
    return heard(microphone_array("head", ListenerKind::Binaural), 0, tone(hz, rate, std::lround(0.2 * rate)),
                 steady(delay, direction, 0.2), rate);
}

}  // namespace

TEST_CASE("the ears of a sphere hear what Brown and Duda's filter and Woodworth's delay say") {
    for (const double rate : {44100., 48000., 96000.}) {
        for (const double azimuth : {0., 20., 60., 90., 135., 180., -30.}) {
            for (const double hz : {100., 1000., 4000., 10000., 16000., 0.416 * std::min(rate, 48000.)}) {
                CAPTURE(rate);
                CAPTURE(azimuth);
                CAPTURE(hz);
                const Audio audio = at_the_head(hz, towards(azimuth), rate);
                for (int ear = 0; ear < 2; ++ear) {
                    const double theta = std::acos((ear == 0 ? 1 : -1) * std::sin(azimuth * pi / 180));
                    const std::complex<double> heard_here =
                        amplitude(audio, ear, hz) * std::exp(i * 2.0 * pi * hz * 0.01);
                    const std::complex<double> ratio = heard_here / ear_response(hz, theta);
                    CHECK(std::abs(db(std::abs(ratio))) < 0.1);
                    CHECK(std::abs(std::arg(ratio)) < 0.02);  // [rad]: 0.16 µs at 20 kHz
                }
            }
        }
    }
}

TEST_CASE("low frequencies reach both ears with the pressure of the free field") {
    const Audio audio = at_the_head(20, towards(70), 48000);
    CHECK(std::abs(amplitude(audio, 0, 20)) == clangor::test::Approx(1).epsilon(1e-3));  // |H| − 1 ~ (ω/2ω₀)² = 2.6e-4
    CHECK(std::abs(amplitude(audio, 1, 20)) == clangor::test::Approx(1).epsilon(1e-3));
}

TEST_CASE("the time between the ears is Woodworth's (a/c)(φ + sin φ)") {
    // Of a pulse: the head's filter, which also shifts phases, is taken out by its known argument.
    for (const double azimuth : {10., 30., 60., 90.}) {
        const double hz = 700;  // a period is longer than twice the largest difference
        const Audio audio = at_the_head(hz, towards(azimuth), 48000);
        const double phi = azimuth * pi / 180;
        const auto shadow = [&](double theta) {
            const double alpha = 1.05 + 0.95 * std::cos(theta * 180 / 150);
            return 1.0 + i * alpha * 2.0 * pi * hz * radius / (2 * c);  // the denominators cancel
        };
        const std::complex<double> ratio =
            amplitude(audio, 0, hz) / amplitude(audio, 1, hz) * shadow(pi / 2 + phi) / shadow(pi / 2 - phi);
        CHECK(std::arg(ratio) / (2 * pi * hz) ==
              clangor::test::Approx(radius / c * (phi + std::sin(phi))).epsilon(1e-3));
    }
}

TEST_CASE("a source that circles the head twice a second leaves no clicks") {
    const double rate = 48000, hz = 1000;
    DelayCurve delay_curve = steady(0.01, towards(0), 1);
    for (long k = 0; k < delay_curve.delays.size(); ++k)
        delay_curve.directions.row(k) = towards(720.0 * double(k) / 1000);
    const Audio audio = heard(microphone_array("a", ListenerKind::Binaural), 0, tone(hz, rate, 48000), delay_curve);
    // Doppler of the circling, (a/c) 4π · 1 kHz = 3 Hz, and the shadow keep to the tone's neighbourhood. Everything
    // from 2 kHz on is spurious; each part is looked for under a window of Blackman–Harris, whose own leakage is below
    // −92 dB.
    double worst = 0;
    for (double at = 2000; at < 20000; at += 37) {
        std::complex<double> sum = 0;
        for (long n = 0; n < 4096; ++n) {
            const double x = 2 * pi * double(n) / 4096;
            const double window =
                0.35875 - 0.48829 * std::cos(x) + 0.14128 * std::cos(2 * x) - 0.01168 * std::cos(3 * x);
            sum += window * double(audio.samples(0, 20000 + n)) * std::polar(1.0, -2 * pi * at / rate * double(n));
        }
        worst = std::max(worst, std::abs(sum) * 2 / (0.35875 * 4096));
    }
    CHECK(db(worst) < -80);
}

TEST_CASE("a source inside the head is heard, and not before it sounds") {
    std::vector<float> click(4800);
    click[1000] = 1;
    const Audio audio = heard(microphone_array("a", ListenerKind::Binaural), 0, click, steady(0, towards(90), 0.1));
    for (long n = 0; n < 990; ++n) REQUIRE(std::abs(double(audio.samples(0, n))) < 1e-3);
    CHECK(peak_pa(audio, 0) > 0.5);
}

}  // namespace spherical_head_test
