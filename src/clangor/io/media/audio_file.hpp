// Sound files in pascals, and the JSON beside them that says what is in them.
#pragma once

#include <clangor/io/media/audio_spool.hpp>
#include <clangor/listening/listening.hpp>

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <vector>

namespace clangor::io {

struct WavOptions {
    double gain_db = 0;  ///< 0: a sample of 1.0 is 1 Pa
};

/// 32-bit float, all channels. The same audio gives the same bytes: no time of day in it. Throws Error if it holds
/// values that are not finite, or is too long for the format (4.2 GB).
std::vector<std::byte> wav_bytes(const Audio& audio, const WavOptions& options = {});
void write_wav(const std::filesystem::path& path, const Audio& audio, const WavOptions& options = {});

/// How samples stand in a file. Integers hold ±1 only: a gain brings pascals there, and what is louder is clipped.
enum class AudioCoding {
    Default,  ///< Float32 for WAV, Int24 for FLAC
    Int16,    ///< with triangular dither of ±1 step, the same for the same audio
    Int24,
    Float32,  ///< WAV only
};

struct AudioFormat {
    enum class Container { Wav, Flac };
    Container container = Container::Wav;
    AudioCoding coding = AudioCoding::Default;
};

/// What the name's extension asks for: .wav (also .wave) or .flac. Throws Error for any other.
AudioFormat audio_format_of(const std::filesystem::path& path, AudioCoding coding = AudioCoding::Default);

/// Throws Error where a file of that format cannot hold so much: to be asked before there is any sound.
void check_capacity(const AudioFormat& format, long channels, double sample_rate, double frames);

struct AudioBytes {
    std::vector<std::byte> bytes;
    long clipped = 0;  ///< samples beyond ±1 that an integer format could not hold
};

/// WAV is WAVE_FORMAT_EXTENSIBLE, except for one or two channels of 16 bits. More than two channels have an empty
/// channel mask, so that players do not take ambisonics or several listeners for loudspeakers; FLAC has no such mask.
/// The same audio gives the same bytes. Throws Error where the format cannot hold the audio: FLAC has eight channels
/// and 655 350 Hz at most.
AudioBytes audio_bytes(const Audio& audio, const AudioFormat& format, const WavOptions& options = {});

struct WriteReport {
    long clipped = 0;  ///< samples that were clipped; worth a warning
};

/// In the format that the extension and the coding ask for.
WriteReport write_audio(const std::filesystem::path& path, const Audio& audio, const WavOptions& options = {},
                        AudioCoding coding = AudioCoding::Default);

/// The same for sound that is too long to be in memory, or for some of its channels.
struct ChannelRange {
    int first = 0, count = 0;
};
WriteReport write_audio(const std::filesystem::path& path, const AudioSpool& sound, const ChannelRange& channels,
                        const WavOptions& options = {}, AudioCoding coding = AudioCoding::Default);

/// WAV or FLAC, whatever the name says. Back into pascals, if it was written with the same gain. Channels are named
/// "1", "2", ….
Audio read_wav(const std::filesystem::path& path, const WavOptions& options = {});

/// out.wav → out.report.json. Not out.json: that is what the scene itself is often called.
std::filesystem::path report_path(const std::filesystem::path& sound);
void write_json(const std::filesystem::path& path, const nlohmann::json& content);

}  // namespace clangor::io
