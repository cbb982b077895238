#include <clangor/signal/signal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <algorithm>
#include <cmath>
#include <functional>

namespace read_between_test {

using namespace clangor;

namespace {

constexpr long length = 20000;

double phase_of(double cycles_per_sample, double position) {
    return 2 * pi * std::fmod(cycles_per_sample * position, 1.0);
}

std::vector<float> tone(double cycles_per_sample) {
    std::vector<float> out(length);
    for (long i = 0; i < length; ++i)
        out[i] = static_cast<float>(std::cos(phase_of(cycles_per_sample, static_cast<double>(i))));
    return out;
}

/// Power of what differs from the tone itself, over the tone's power [dB], away from the signal's ends.
double residual_db(double cycles_per_sample, const std::function<double(double)>& position) {
    std::vector<double> positions;
    for (long i = 0; position(static_cast<double>(i)) < length - 40; ++i)
        positions.push_back(position(static_cast<double>(i)));
    const std::vector<float> out = read_between(tone(cycles_per_sample), positions);
    double error = 0, power = 0;
    for (size_t i = 0; i < positions.size(); ++i) {
        const double expected = std::cos(phase_of(cycles_per_sample, positions[i]));
        error += square(double(out[i]) - expected);
        power += square(expected);
    }
    return 10 * std::log10(error / power);
}

}  // namespace

TEST_CASE("tones up to 0.42 of the sample rate are the same tones at any fraction of a sample") {
    // All that is wrong together, gain, phase and every spurious component, is below −90 dB.
    for (const double hz : {20., 100., 1000., 5000., 10000., 15000., 18000., 20000.}) {
        for (const double fraction : {0.0, 0.1234567, 0.25, 0.5, 1023.5 / 1024, 0.9999999}) {
            CAPTURE(hz);
            CAPTURE(fraction);
            CHECK(residual_db(hz / 48000, [&](double i) { return i + 40 + fraction; }) < -90);
        }
    }
}

TEST_CASE("tones stay clean at paces other than one, steady and changing") {
    for (const double hz : {100., 1000., 10000., 18000., 20000.}) {
        CAPTURE(hz);
        for (const double pace : {0.9, 0.98765, 1.0123, 1.1}) {
            CAPTURE(pace);
            CHECK(residual_db(hz / 48000, [&](double i) { return 40 + pace * i; }) < -90);
        }
        CHECK(residual_db(hz / 48000, [](double i) { return 40 + i + 300 * std::sin(i / 4000); }) < -90);
    }
}

TEST_CASE("whole positions give the samples themselves, and there is nothing outside the signal") {
    const std::vector<float> signal = tone(0.0731);
    const std::vector<double> positions = {0, 1, 777, length - 1, -40, length + 40, 1e18, -1e18};
    const std::vector<float> out = read_between(signal, positions);
    CHECK(out == std::vector<float>{signal[0], signal[1], signal[777], signal[length - 1], 0, 0, 0, 0});
    CHECK(read_between({}, positions) == std::vector<float>(positions.size(), 0.f));
}

TEST_CASE("a short signal is read as if zeros stood around it") {
    const std::vector<float> one = {1.f};
    std::vector<float> padded(101);
    padded[50] = 1;
    for (double position = -20; position < 20; position += 0.37) {
        const std::vector<double> here = {position}, there = {position + 50};
        // 1e-6: position + 50 is rounded by 4e-15 only, but floats of the table by 6e-8
        CHECK(read_between(one, here)[0] ==
              clangor::test::Approx(double(read_between(padded, there)[0])).epsilon(1e-6));
    }
}

TEST_CASE("the true peak of a tone is its amplitude, wherever its samples lie") {
    for (const double cycles : {0.01, 0.1, 0.25, 0.3, 0.42}) {
        for (const double phase : {0.0, 0.3, 0.7854, 1.2}) {
            std::vector<float> signal(2000);
            for (size_t i = 0; i < signal.size(); ++i) {
                const double from_end = std::min({double(i), 1999.0 - double(i), 500.0});
                const double fade = square(std::sin(pi / 2 * from_end / 500));  // no abrupt ends
                signal[i] = static_cast<float>(fade * std::sin(2 * pi * cycles * static_cast<double>(i) + phase));
            }
            CAPTURE(cycles);
            CAPTURE(phase);
            const double peak_db = 20 * std::log10(true_peak(signal));
            // The parabola through cos(φ−θ), cos φ, cos(φ+θ), θ = 2πf/4, is lowest at φ = θ/2.
            const double theta = pi * cycles / 2, y = std::cos(theta / 2), after = std::cos(1.5 * theta);
            const double lowest_db = 20 * std::log10(y - square(after - y) / (8 * (after - y)));
            CHECK(peak_db > lowest_db - 0.001);  // 0.001 dB: the parabola through three floats
            CHECK(peak_db < 0.001);
        }
    }
    CHECK(true_peak({}) == 0.0);
}

}  // namespace read_between_test
