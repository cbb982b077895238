#include <clangor/io/file/atomic_file.hpp>
#include <clangor/io/media/audio_file.hpp>

#include <doctest/doctest.h>

#include <io/scratch.hpp>

#include <cmath>
#include <filesystem>

namespace audio_spool_test {

using namespace clangor;
using test::message_of;
using test::Scratch;

namespace {

constexpr long frames = 1'200'000;  // more than two of the windows that it is read in

Audio made(const std::vector<std::string>& channels) {
    Audio audio = silence(48000, channels, frames);
    for (long c = 0; c < audio.samples.rows(); ++c)
        for (long i = 300; i < frames; i += 7)
            audio.samples(c, i) = static_cast<float>(0.4 * std::sin(0.001 * double(c + 1) * double(i)));
    return audio;
}

// Added in windows that overlap, from the last to the first.
io::AudioSpool spooled(const Audio& audio, const std::filesystem::path& folder, double most_bytes_in_memory) {
    io::AudioSpool spool(audio.sample_rate, audio.channels, audio.frames(), folder, most_bytes_in_memory);
    constexpr long window = 100'000;
    for (long begin = audio.frames() / window * window; begin >= 0; begin -= window) {
        const Samples part = audio.samples.middleCols(begin, std::min(window, audio.frames() - begin));
        spool.add(begin, 0.25f * part);
        spool.add(begin, 0.75f * part);
    }
    return spool;
}

}  // namespace

TEST_CASE("a spool gives back the sum of what was added, from memory and from the disk") {
    const Scratch scratch;
    const Audio audio = made({"left", "right"});
    const Samples expected = 0.25f * audio.samples + 0.75f * audio.samples;
    for (const double most_bytes : {1e9, 0.0}) {
        io::AudioSpool spool = spooled(audio, scratch / "", most_bytes);
        CHECK(spool.frames() == frames);
        CHECK(spool.read(0, frames).samples == expected);
        CHECK(spool.read(654'321, 1000).samples == expected.middleCols(654'321, 1000));
        CHECK(spool.read(5, 1).channels == audio.channels);
        long seen = 0;
        spool.for_windows([&](long begin, const Audio& window) {
            CHECK(begin == seen);
            CHECK(window.samples == expected.middleCols(begin, window.frames()));
            seen += window.frames();
        });
        CHECK(seen == frames);
        spool.replace(audio.samples);
        CHECK(spool.read(0, frames).samples == audio.samples);
    }
    CHECK(std::filesystem::is_empty(scratch / ""));  // nothing of it has a name
}

TEST_CASE("a long sound is written with the bytes of a short one, whatever the format") {
    const Scratch scratch;
    for (const std::vector<std::string>& channels : {std::vector<std::string>{"mic"}, {"W", "Y", "Z", "X"}}) {
        const Audio audio = made(channels);
        const io::ChannelRange all{0, int(channels.size())};
        io::AudioSpool spool(48000, channels, frames, scratch / "", 0);
        spool.replace(audio.samples);
        for (const char* name : {"out.wav", "out.flac"})
            for (const io::AudioCoding coding : {io::AudioCoding::Default, io::AudioCoding::Int16}) {
                const io::AudioBytes expected =
                    io::audio_bytes(audio, io::audio_format_of(name, coding), {.gain_db = 10});
                const io::WriteReport report = io::write_audio(scratch / name, spool, all, {.gain_db = 10}, coding);
                CHECK(io::read_bytes(scratch / name) == expected.bytes);
                CHECK(report.clipped == expected.clipped);
                CHECK((expected.clipped > 0 || coding == io::AudioCoding::Default));  // 0.4 Pa and 10 dB: 1.26
            }
    }
}

TEST_CASE("one channel of a long sound is a file of its own") {
    const Scratch scratch;
    const Audio audio = made({"left", "right"});
    io::AudioSpool spool(48000, audio.channels, frames, scratch / "", 0);
    spool.replace(audio.samples);
    io::AudioSpool small(48000, audio.channels, frames, scratch / "", 1e9);
    small.replace(audio.samples);
    CHECK((spool.on_disk() && !small.on_disk()));
    for (const io::AudioSpool* sound : {&spool, &small}) {
        io::write_audio(scratch / "right.wav", *sound, {1, 1});
        CHECK((io::read_wav(scratch / "right.wav").samples == audio.samples.row(1)) == true);
    }
}

TEST_CASE("a spool that cannot be kept says where and what to do") {
    CHECK(message_of<Error>([] { io::AudioSpool(48000, {"mic"}, 100, "/nowhere/at/all", 0); }) ==
          "cannot keep a temporary file in /nowhere/at/all: No such file or directory. Free some space, or write to "
          "another folder.");
}

}  // namespace audio_spool_test
