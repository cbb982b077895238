#include <clangor/listening/listening.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace audio_test {

using namespace clangor;

TEST_CASE("a full-scale sine has a root mean square of peak/√2") {
    Audio audio = silence(48000, {"left", "right"}, 48000);
    for (long i = 0; i < audio.frames(); ++i)
        audio.samples(0, i) = static_cast<float>(0.5 * std::sin(2 * pi * 1000 * static_cast<double>(i) / 48000));
    CHECK(peak_pa(audio, 0) == clangor::test::Approx(0.5).epsilon(1e-6));
    CHECK(peak_pa(audio, 1) == 0.0);
    CHECK(rms_pa(audio, 0) == clangor::test::Approx(0.5 / std::sqrt(2.0)).epsilon(1e-6));
    CHECK(rms_pa(audio) == clangor::test::Approx(0.25).epsilon(1e-6));  // the other channel is silent: √½ of it
    CHECK(audio.duration() == 1.0);
}

TEST_CASE("sounds add up, and what falls outside is dropped") {
    Audio audio = silence(8000, {"mic"}, 4);
    const std::vector<float> sound = {1, 2, 3};
    add(audio, 0, sound, -1);
    add(audio, 0, sound, 2);
    add(audio, 0, sound, 99);
    CHECK(audio.samples == (Samples(1, 4) << 2, 3, 1, 2).finished());
}

TEST_CASE("decibels") {
    CHECK(sound_pressure_level_db(1.0) == clangor::test::Approx(93.979).epsilon(1e-5));  // 20 lg 50000
    CHECK(factor_of_db(-20) == clangor::test::Approx(0.1).epsilon(1e-12));
    Audio audio = silence(8000, {"mic"}, 2);
    CHECK(auto_gain_db(audio) == 0.0);
    audio.samples(0, 1) = -0.01f;
    CHECK(peak_pa(audio) * factor_of_db(auto_gain_db(audio)) ==
          clangor::test::Approx(std::pow(10, -0.05)).epsilon(1e-6));
}

}  // namespace audio_test
