#include <doctest/doctest.h>
#include <approx.hpp>

#include "tones.hpp"

namespace microphone_array_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double rate = 48000;

/// Gain of a channel for a source far away in a direction, at 1 kHz.
double gain(ListenerKind kind, int capsule, int channel, const Vec3& direction) {
    const Audio audio =
        heard(microphone_array("mic", kind), capsule, tone(1000, rate, 9600), steady(0.01, direction, 0.2));
    // 10 ms are ten periods, so the phase is that of the source
    return amplitude(audio, channel, 1000).real();
}

}  // namespace

TEST_CASE("arrays name their channels and know where their capsules are") {
    CHECK(microphone_array("mic", ListenerKind::Mono).channels == std::vector<std::string>{"mic"});
    CHECK(microphone_array("a", ListenerKind::Xy).channels == std::vector<std::string>{"a left", "a right"});
    CHECK(microphone_array("a", ListenerKind::Ambisonic).channels ==
          std::vector<std::string>{"a W", "a Y", "a Z", "a X"});
    const Points capsules = microphone_array("a", ListenerKind::Ortf).capsules;
    CHECK(capsules.row(0) == Eigen::RowVector3d(0, 0.085, 0));  // the left one, y to the left
    CHECK(capsules.row(1) == Eigen::RowVector3d(0, -0.085, 0));
    CHECK(microphone_array("a", ListenerKind::Binaural).capsules == Points(Points::Zero(1, 3)));
}

TEST_CASE("a microphone takes the pressure as it is, from every direction") {
    for (const double azimuth : {0., 100., 180.})
        CHECK(gain(ListenerKind::Mono, 0, 0, towards(azimuth, 20)) == clangor::test::Approx(1).epsilon(1e-6));
}

TEST_CASE("cardioids follow ½(1 + cos) of the angle from their axes") {
    const auto cardioid = [](double degrees) { return 0.5 * (1 + std::cos(degrees * pi / 180)); };
    for (const double azimuth : {0., 45., 55., 90., 180., -120.}) {
        CAPTURE(azimuth);
        const Vec3 direction = towards(azimuth);
        const auto same = [](double expected) { return clangor::test::Approx(expected).epsilon(1e-6).scale(1); };
        CHECK(gain(ListenerKind::Xy, 0, 0, direction) == same(cardioid(azimuth - 45)));
        CHECK(gain(ListenerKind::Xy, 0, 1, direction) == same(cardioid(azimuth + 45)));
        CHECK(gain(ListenerKind::Ortf, 0, 0, direction) == same(cardioid(azimuth - 55)));
        CHECK(gain(ListenerKind::Ortf, 1, 1, direction) == same(cardioid(azimuth + 55)));
        CHECK(gain(ListenerKind::Ortf, 0, 1, direction) == 0.0);  // a capsule feeds its own channel only
    }
}

TEST_CASE("an ORTF pair hears a source on the left earlier and louder on the left") {
    // By hand: the path to the right capsule is 17 cm longer, 0.4953 ms; 20 lg of ½(1 + cos 35°) / ½(1 + cos 145°) is
    // 20.05 dB.
    const MicrophoneArray array = microphone_array("a", ListenerKind::Ortf);
    const std::vector<float> emitted = tone(500, rate, 9600);
    Audio audio = silence(rate, array.channels, 9600);
    for (int capsule = 0; capsule < 2; ++capsule) {
        const double distance = (Vec3(0, 10, 0) - array.capsules.row(capsule).transpose()).norm();
        add_arrival(audio, 0, array, capsule, emitted, steady(distance / 343.2, towards(90), 0.2), 1.0, 343.2);
    }
    const std::complex<double> ratio = amplitude(audio, 0, 500) / amplitude(audio, 1, 500);
    CHECK(std::arg(ratio) / (2 * pi * 500) == clangor::test::Approx(0.17 / 343.2).epsilon(1e-5));
    CHECK(db(std::abs(ratio)) == clangor::test::Approx(20.05).epsilon(1e-3));
}

TEST_CASE("ambisonic channels are the spherical harmonics of degree 0 and 1, SN3D, in the order of ACN") {
    // SN3D: Y_0 = 1; Y_1,−1 = sin φ cos θ; Y_1,0 = sin θ; Y_1,1 = cos φ cos θ, azimuth φ from the front to the left,
    // elevation θ.
    for (const auto& [azimuth, elevation] : {std::pair(30., 20.), std::pair(-100., -50.), std::pair(0., 90.)}) {
        const double phi = azimuth * pi / 180, theta = elevation * pi / 180;
        const double expected[] = {1, std::sin(phi) * std::cos(theta), std::sin(theta),
                                   std::cos(phi) * std::cos(theta)};
        for (int channel = 0; channel < 4; ++channel)
            CHECK(gain(ListenerKind::Ambisonic, 0, channel, towards(azimuth, elevation)) ==
                  clangor::test::Approx(expected[channel]).epsilon(1e-6).scale(1));
    }
}

TEST_CASE("a source at rest is a delayed copy: nothing moves") {
    const std::vector<float> emitted = tone(3000, rate, 9600);
    const double delay = 0.0123456;
    const Audio audio = heard(microphone_array("a", ListenerKind::Mono), 0, emitted, steady(delay, towards(0), 0.2));
    for (long i = 1200; i < 9600; ++i) {  // after the tone's start has arrived
        const double expected = std::cos(2 * pi * 3000 * (double(i) / rate - delay));
        REQUIRE(double(audio.samples(0, i)) ==
                clangor::test::Approx(expected).epsilon(2e-6).scale(1));  // some roundings of float
    }
}

TEST_CASE("before the first sound arrives there is silence, and a whole sample's delay is exact") {
    std::vector<float> click(4800);
    click[100] = 1;
    const Audio audio =
        heard(microphone_array("a", ListenerKind::Mono), 0, click, steady(1000 / rate, towards(0), 0.1), rate, 0.5);
    for (long i = 0; i < 4800; ++i) {
        // 1e-9: the delay in seconds is rounded, so that the kernel is read 1e-12 samples beside its zeros
        REQUIRE(std::abs(double(audio.samples(0, i)) - (i == 1100 ? 0.5 : 0.0)) < 1e-9);
    }
    const Audio late = heard(microphone_array("a", ListenerKind::Mono), 0, click, steady(0.2, towards(0), 0.1));
    CHECK(peak_pa(late) == 0.0);
}

TEST_CASE("sources and listeners share one audio") {
    const std::vector<float> emitted = tone(1000, rate, 4800);
    Audio audio = silence(rate, {"first", "a left", "a right"}, 4800);
    const MicrophoneArray pair = microphone_array("a", ListenerKind::Xy);
    for (int twice = 0; twice < 2; ++twice)
        add_arrival(audio, 1, pair, 0, emitted, steady(0.01, towards(45), 0.1), -0.5, 343.2);
    CHECK(peak_pa(audio, 0) == 0.0);
    CHECK(amplitude(audio, 1, 1000).real() == clangor::test::Approx(-1).epsilon(1e-5));
    CHECK(amplitude(audio, 2, 1000).real() == clangor::test::Approx(-0.5).epsilon(1e-5));
}

TEST_CASE("a cardioid that is passed stays clean: its gain moves along a smooth curve") {
    // A source at 30 m/s, 2 m to the left, with steady delay, so that the gain alone moves.
    DelayCurve delay_curve = steady(0.01, towards(0), 1);
    for (long i = 0; i < delay_curve.delays.size(); ++i)
        delay_curve.directions.row(i) = Vec3(30 * (double(i) / 1000 - 0.5), 2, 0).normalized();
    const Audio audio = heard(microphone_array("a", ListenerKind::Xy), 0, tone(5000, rate, 48000), delay_curve);
    double error = 0;
    for (long i = 1200; i < 48000; ++i) {
        const double time = double(i) / rate;
        const double gain_left = 0.5 * (1 + Vec3(30 * (time - 0.5), 2, 0).normalized().dot(towards(45)));
        error += square(double(audio.samples(0, i)) - gain_left * std::cos(2 * pi * 5000 * (time - 0.01))) / 48000;
    }
    CHECK(db(std::sqrt(2 * error)) < -100);  // the curve's error h⁴f⁗/384 is 1e-6 at most
}

}  // namespace microphone_array_test
