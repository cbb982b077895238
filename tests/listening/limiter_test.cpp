#include <clangor/signal/signal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include "tones.hpp"

#include <algorithm>
#include <random>

namespace limiter_test {

using namespace clangor;
using namespace clangor::test;

namespace {

/// Decaying clangs over a quiet noise, in two channels of which one is louder.
Audio clangs() {
    Audio audio = silence(48000, {"left", "right"}, 48000);
    std::mt19937 random(1);
    for (long i = 0; i < audio.frames(); ++i) {
        const double time = double(i % 12000) / 48000;
        const double level = double(1 + i / 12000) * std::exp(-20 * time);
        const double sound = level * std::sin(2 * pi * 7300 * time) + 0.5 * level * std::sin(2 * pi * 12345 * time + 1);
        audio.samples(0, i) = static_cast<float>(sound + 1e-9 * (double(random()) - 2e9) * 0.05);
        audio.samples(1, i) = static_cast<float>(0.3 * sound);
    }
    return audio;
}

/// By 32-fold oversampling.
double finest_peak(const Audio& audio) {
    double peak = 0;
    for (long channel = 0; channel < audio.samples.rows(); ++channel) {
        std::vector<double> positions(32 * audio.frames());
        for (size_t i = 0; i < positions.size(); ++i) positions[i] = double(i) / 32;
        const std::vector<float> row(audio.samples.row(channel).begin(), audio.samples.row(channel).end());
        for (const float value : read_between(row, positions)) peak = std::max(peak, std::abs(double(value)));
    }
    return peak;
}

}  // namespace

TEST_CASE("a limited sound stays under the ceiling between the samples too, and close to it") {
    for (const double ceiling : {1.0, 0.3, 0.05}) {
        Audio audio = clangs();
        const double before = true_peak_pa(audio);
        const double reduction = limit_true_peak(audio, ceiling);
        CHECK(true_peak_pa(audio) <= ceiling);
        CHECK(db(finest_peak(audio) / ceiling) < 0.05);
        CHECK(db(true_peak_pa(audio) / ceiling) > -0.5);
        CHECK(reduction ==
              clangor::test::Approx(db(before / ceiling)).epsilon(0.05));  // the loudest clang needs the deepest
    }
}

TEST_CASE("both channels get the same gain, and it is smooth") {
    const Audio before = clangs();
    Audio after = before;
    limit_true_peak(after, 0.5);
    double last = 1;
    for (long i = 0; i < before.frames(); ++i) {
        const double p = double(before.samples(0, i)), q = double(before.samples(1, i));
        if (std::abs(p) < 0.05 || std::abs(q) < 0.05) continue;
        const double gain = double(after.samples(0, i)) / p;
        REQUIRE(gain == clangor::test::Approx(double(after.samples(1, i)) / q).epsilon(1e-5));
        REQUIRE(gain <= 1.0 + 1e-6);
        last = gain;
    }
    CHECK(last < 1);
}

TEST_CASE("a sound under the ceiling is left as it is, bit by bit") {
    const Audio before = clangs();
    Audio after = before;
    CHECK(limit_true_peak(after, 10) == 0.0);
    CHECK(after.samples == before.samples);
    Audio nothing = silence(48000, {"mic"}, 0);
    CHECK(limit_true_peak(nothing, 1) == 0.0);
}

TEST_CASE("a limiter lets go: 100 ms after a peak 95 % of the gain is back") {
    Audio audio = silence(48000, {"mic"}, 48000);
    for (long i = 0; i < 48000; ++i)
        audio.samples(0, i) = static_cast<float>((i < 4800 ? 4.0 : 0.5) * std::sin(2 * pi * 1000 * double(i) / 48000));
    limit_true_peak(audio, 1);
    // gain ¼ until 100 ms; then 1 − ¾ e^{−30 t}. At the sine's crest near 200 ms after the look-ahead's window:
    CHECK(double(audio.samples.row(0).segment(4800 + 4800, 48).maxCoeff()) > 0.5 * (1 - 0.05));
    CHECK(double(audio.samples.row(0).segment(47000, 48).maxCoeff()) == clangor::test::Approx(0.5).epsilon(1e-3));
}

}  // namespace limiter_test
