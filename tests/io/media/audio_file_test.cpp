#include <clangor/io/file/atomic_file.hpp>
#include <clangor/io/media/audio_file.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <nlohmann/json.hpp>

#include <io/scratch.hpp>

#include <cmath>
#include <limits>
#include <thread>

namespace audio_file_test {

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

TEST_CASE("the report stands beside the sound, not in place of a scene of its name, and survives odd text") {
    const Scratch scratch;
    CHECK(io::report_path("a/out.wav") == std::filesystem::path("a/out.report.json"));
    CHECK(io::report_path("a/v1.2.flac") == std::filesystem::path("a/v1.2.report.json"));
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

namespace {

Audio sine(double amplitude, int channels = 1, double rate = 48000) {
    Audio audio = silence(rate, std::vector<std::string>(channels, "c"), 4800);
    for (long i = 0; i < audio.frames(); ++i)
        audio.samples.col(i).setConstant(static_cast<float>(amplitude * std::sin(0.07 * static_cast<double>(i))));
    return audio;
}

double largest_difference(const Audio& a, const Audio& b) {
    return double((a.samples - b.samples).cwiseAbs().maxCoeff());
}

std::uint16_t word(const std::vector<std::byte>& bytes, std::size_t at) {
    return static_cast<std::uint16_t>(static_cast<unsigned>(bytes[at]) | static_cast<unsigned>(bytes[at + 1]) << 8);
}

std::uint32_t number(const std::vector<std::byte>& bytes, std::size_t at) {
    return word(bytes, at) | static_cast<std::uint32_t>(word(bytes, at + 2)) << 16;
}

std::string name(const std::vector<std::byte>& bytes, std::size_t at) {
    return {reinterpret_cast<const char*>(bytes.data()) + at, 4};
}

}  // namespace

TEST_CASE("integer files hold the sound to their step") {
    const Scratch scratch;
    const Audio audio = sine(0.9, 2);
    for (const std::string name : {"out.wav", "out.flac", "OUT.FLAC"}) {
        CAPTURE(name);
        CHECK(io::write_audio(scratch / name, audio, {}, io::AudioCoding::Int24).clipped == 0);
        const Audio fine = io::read_wav(scratch / name);
        CHECK(fine.sample_rate == 48000);
        CHECK(largest_difference(fine, audio) <=
              0.5001 / (1 << 23) + 6e-8);  // half a step, and float's rounding of 0.9
        io::write_audio(scratch / name, audio, {}, io::AudioCoding::Int16);
        const Audio coarse = io::read_wav(scratch / name);
        CHECK(largest_difference(coarse, audio) <= 1.5001 / (1 << 15));  // half a step, and dither of up to one
        CHECK(largest_difference(coarse, audio) > 0.6 / (1 << 15));      // so there is dither
    }
}

TEST_CASE("WAV is float and FLAC is of 24 bits where nothing is said") {
    const Scratch scratch;
    const Audio loud = sine(3);
    CHECK(io::write_audio(scratch / "out.wav", loud).clipped == 0);
    CHECK(io::read_wav(scratch / "out.wav").samples == loud.samples);
    CHECK(io::read_bytes(scratch / "out.wav") == io::wav_bytes(loud));
    const Audio soft = sine(1e-5);
    io::write_audio(scratch / "out.flac", soft);
    CHECK(largest_difference(io::read_wav(scratch / "out.flac"), soft) < 6.1e-8);  // half of 2⁻²³
}

TEST_CASE("what is too loud for integers is clipped and counted") {
    const Scratch scratch;
    Audio audio = sine(0.5);
    audio.samples(0, 10) = 1.5f;
    audio.samples(0, 20) = -7.f;
    audio.samples(0, 30) = 1.f;  // full scale: one step too much for integers, and no reason to warn
    for (const char* name : {"out.wav", "out.flac"}) {
        CHECK(io::write_audio(scratch / name, audio, {}, io::AudioCoding::Int24).clipped == 2);
        const Audio back = io::read_wav(scratch / name);
        CHECK(double(back.samples(0, 10)) == clangor::test::Approx(1).epsilon(1e-6));
        CHECK(double(back.samples(0, 20)) == clangor::test::Approx(-1).epsilon(1e-6));
        CHECK(double(back.samples(0, 30)) == clangor::test::Approx(1).epsilon(1e-6));
    }
    CHECK(io::write_audio(scratch / "out.wav", audio, {.gain_db = -20}, io::AudioCoding::Int16).clipped == 0);
}

TEST_CASE("dither is the same each time and turns the error into noise without the tone") {
    // A tone of a third of a step: rounded alone it would be silence; dithered it is still there, on average.
    const double step = 1.0 / (1 << 15);
    Audio audio = silence(48000, {"mic"}, 480000);
    for (long i = 0; i < audio.frames(); ++i)
        audio.samples(0, i) = static_cast<float>(step / 3 * std::sin(2 * pi * static_cast<double>(i) / 48));
    const io::AudioFormat format = io::audio_format_of("x.wav", io::AudioCoding::Int16);
    CHECK(io::audio_bytes(audio, format).bytes == io::audio_bytes(audio, format).bytes);
    const Scratch scratch;
    io::write_audio(scratch / "out.wav", audio, {}, io::AudioCoding::Int16);
    const Audio back = io::read_wav(scratch / "out.wav");
    double amplitude = 0, power = 0;
    for (long i = 0; i < back.frames(); ++i) {
        amplitude += 2 * double(back.samples(0, i)) * std::sin(2 * pi * static_cast<double>(i) / 48) / 480000;
        power += square(double(back.samples(0, i)) - double(audio.samples(0, i))) / 480000;
    }
    // Rounding and dither have a variance of 1/12 + 2/12 steps²; over N samples the amplitude is off by √(2/N) of their
    // deviation.
    CHECK(std::sqrt(power) == clangor::test::Approx(step / 2).epsilon(0.01));
    CHECK(amplitude == clangor::test::Approx(step / 3).epsilon(0.02));  // five times √(2/480000)·½/⅓ = 0.3 %
}

TEST_CASE(
    "WAV headers are as the format asks: extensible for all but 16 bits of one or two channels, with a fact chunk") {
    struct Kind {
        io::AudioCoding coding;
        int channels, bits;
        std::uint16_t sub_format;  // 1: integers, 3: floats
        std::uint32_t mask;        // 4: front centre, 3: front left and right, 0: no loudspeakers, as for ambisonics
    };
    for (const auto& [coding, channels, bits, sub_format, mask] :
         {Kind{io::AudioCoding::Float32, 1, 32, 3, 4}, Kind{io::AudioCoding::Float32, 2, 32, 3, 3},
          Kind{io::AudioCoding::Float32, 4, 32, 3, 0}, Kind{io::AudioCoding::Int24, 2, 24, 1, 3},
          Kind{io::AudioCoding::Int16, 5, 16, 1, 0}}) {
        CAPTURE(channels);
        CAPTURE(bits);
        const std::vector<std::byte> bytes = io::audio_bytes(sine(0.5, channels), {{}, coding}).bytes;
        CHECK(name(bytes, 0) == "RIFF");
        CHECK(number(bytes, 4) == bytes.size() - 8);
        CHECK(name(bytes, 8) == "WAVE");
        CHECK(name(bytes, 12) == "fmt ");
        const bool is_float = sub_format == 3;  // sox wants two bytes more then
        CHECK(number(bytes, 16) == (is_float ? 42 : 40));
        CHECK(word(bytes, 20) == 0xFFFE);
        CHECK(word(bytes, 22) == channels);
        CHECK(number(bytes, 24) == 48000);
        CHECK(number(bytes, 28) == unsigned(48000 * channels * bits / 8));
        CHECK(word(bytes, 32) == channels * bits / 8);
        CHECK(word(bytes, 34) == bits);
        CHECK(word(bytes, 36) == (is_float ? 24 : 22));  // so many bytes follow
        CHECK(word(bytes, 38) == bits);                  // all bits hold sound
        CHECK(number(bytes, 40) == mask);
        CHECK(word(bytes, 44) == sub_format);
        // The rest of every sub-format's name: 0000-0010-8000-00AA00389B71.
        const std::vector<unsigned> rest = {0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71};
        for (std::size_t i = 0; i < rest.size(); ++i) CHECK(static_cast<unsigned>(bytes[46 + i]) == rest[i]);
        const std::size_t fact = is_float ? 62 : 60;
        CHECK(name(bytes, fact) == "fact");
        CHECK(number(bytes, fact + 4) == 4);
        CHECK(number(bytes, fact + 8) == 4800);  // frames
    }
    const std::vector<std::byte> plain = io::audio_bytes(sine(0.5, 2), {{}, io::AudioCoding::Int16}).bytes;
    CHECK(number(plain, 16) == 16);
    CHECK(word(plain, 20) == 1);
}

TEST_CASE("what a format cannot hold is refused with a way out") {
    const Scratch scratch;
    const auto message = [&](const char* name, const Audio& audio, io::AudioCoding coding) {
        return message_of<Error>([&] { io::write_audio(scratch / name, audio, {}, coding); });
    };
    CHECK(message("a.flac", sine(0.5, 9), io::AudioCoding::Default).find("9 channels") != std::string::npos);
    CHECK(message("a.flac", sine(0.5, 1, 88201), io::AudioCoding::Default).find("88201 Hz") != std::string::npos);
    CHECK(message("a.flac", sine(0.5), io::AudioCoding::Float32).find("integers only") != std::string::npos);
    CHECK(message("a.mp3", sine(0.5), io::AudioCoding::Default).find(".wav or .flac") != std::string::npos);
    CHECK(scratch.files() == 0);
    for (const double rate : {8000., 44100., 192000., 384000.})
        CHECK(message("a.flac", sine(0.5, 8, rate), io::AudioCoding::Default) == "");
}

}  // namespace audio_file_test
