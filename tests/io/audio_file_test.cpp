#include <clangor/io/atomic_file.hpp>
#include <clangor/io/audio_file.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include "scratch.hpp"

#include <cmath>
#include <limits>
#include <thread>

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

Audio two_channels() {
    Audio audio = silence(48000, {"left", "right"}, 1000);
    for (long i = 0; i < audio.frames(); ++i) {
        audio.samples(0, i) = static_cast<float>(3.0 * std::sin(0.1 * static_cast<double>(i)));  // louder than 1 Pa
        audio.samples(1, i) = 1e-7f * static_cast<float>(i);
    }
    return audio;
}

}  // namespace

TEST_CASE("a WAV file gives back every pascal, above full scale and far below") {
    const Scratch scratch;
    const Audio audio = two_channels();
    io::write_wav(scratch / "out.wav", audio);
    const Audio back = io::read_wav(scratch / "out.wav");
    CHECK(back.sample_rate == 48000);
    CHECK(back.samples == audio.samples);
}

TEST_CASE("a gain is applied, and named in the file") {
    const Audio audio = two_channels();
    const Scratch scratch;
    io::write_wav(scratch / "out.wav", audio, {.gain_db = -20});
    const Audio back = io::read_wav(scratch / "out.wav");
    CHECK((back.samples - 0.1f * audio.samples).cwiseAbs().maxCoeff() < 1e-6f);  // float rounding of 0.3
    const std::vector<std::byte> bytes = io::read_bytes(scratch / "out.wav");
    const std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    CHECK(text.find("gain -20 dB") != std::string::npos);
}

TEST_CASE("more than two channels, odd rates and no frames at all") {
    const Scratch scratch;
    for (const int channels : {1, 5}) {
        const Audio audio = silence(44100, std::vector<std::string>(channels, "c"), channels == 1 ? 0 : 17);
        io::write_wav(scratch / "out.wav", audio);
        const Audio back = io::read_wav(scratch / "out.wav");
        CHECK(back.samples.rows() == channels);
        CHECK(back.frames() == audio.frames());
        CHECK(back.sample_rate == 44100);
    }
}

TEST_CASE("the same sound gives the same bytes at any time of day") {
    const std::vector<std::byte> first = io::wav_bytes(two_channels());
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // a time stamp in seconds would differ
    CHECK(io::wav_bytes(two_channels()) == first);
}

TEST_CASE("sound that is not finite is not written") {
    const Scratch scratch;
    Audio audio = two_channels();
    audio.samples(0, 5) = std::numeric_limits<float>::quiet_NaN();
    const std::string message = message_of<Error>([&] { io::write_wav(scratch / "out.wav", audio); });
    CHECK(message.find("not finite") != std::string::npos);
    CHECK(scratch.files() == 0);
}

TEST_CASE("the side-car stands beside the sound and survives odd text") {
    const Scratch scratch;
    CHECK(io::sidecar_path("a/out.wav") == std::filesystem::path("a/out.json"));
    io::write_json(scratch / "out.json", {{"peak_pa", 0.25}, {"name", "bro\xffken"}});
    const std::vector<std::byte> bytes = io::read_bytes(scratch / "out.json");
    const auto json = nlohmann::json::parse(reinterpret_cast<const char*>(bytes.data()),
                                            reinterpret_cast<const char*>(bytes.data() + bytes.size()));
    CHECK(json["peak_pa"] == 0.25);
}

TEST_CASE("what is no sound file is refused with its name") {
    const Scratch scratch;
    const std::string text = "this is not a sound";
    io::write_file(scratch / "no.wav", std::as_bytes(std::span(text)));
    CHECK(message_of<Error>([&] { io::read_wav(scratch / "no.wav"); }).find("no.wav: not a sound file") !=
          std::string::npos);
}
