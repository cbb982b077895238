#include <clangor/io/audio_file.hpp>

#include <clangor/io/atomic_file.hpp>

#include <fmt/format.h>
#include <sndfile.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <memory>

namespace clangor::io {
namespace {

/// A file in memory for libsndfile.
struct MemoryFile {
    std::vector<std::byte> bytes;
    sf_count_t position = 0;
};

MemoryFile& memory(void* user) { return *static_cast<MemoryFile*>(user); }

sf_count_t length_of(void* user) { return static_cast<sf_count_t>(memory(user).bytes.size()); }
sf_count_t position_of(void* user) { return memory(user).position; }

sf_count_t seek(sf_count_t offset, int whence, void* user) {
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? memory(user).position : length_of(user);
    return memory(user).position = base + offset;
}

sf_count_t read(void* to, sf_count_t count, void* user) {
    MemoryFile& file = memory(user);
    const sf_count_t taken = std::clamp<sf_count_t>(length_of(user) - file.position, 0, count);
    std::memcpy(to, file.bytes.data() + file.position, static_cast<std::size_t>(taken));
    file.position += taken;
    return taken;
}

sf_count_t write(const void* from, sf_count_t count, void* user) {
    MemoryFile& file = memory(user);
    const auto end = static_cast<std::size_t>(file.position + count);
    if (file.bytes.size() < end) file.bytes.resize(end);
    std::memcpy(file.bytes.data() + file.position, from, static_cast<std::size_t>(count));
    file.position += count;
    return count;
}

struct Closer {
    void operator()(SNDFILE* file) const { sf_close(file); }
};
using SoundFile = std::unique_ptr<SNDFILE, Closer>;

SoundFile open(MemoryFile& file, int mode, SF_INFO& info) {
    SF_VIRTUAL_IO io = {length_of, seek, read, write, position_of};
    return SoundFile(sf_open_virtual(&io, mode, &info, &file));
}

using Container = AudioFormat::Container;

AudioCoding coding_of(const AudioFormat& format) {
    if (format.coding != AudioCoding::Default) return format.coding;
    return format.container == Container::Flac ? AudioCoding::Int24 : AudioCoding::Float32;
}

const char* name_of(const AudioFormat& format) { return format.container == Container::Flac ? "FLAC" : "WAV"; }

double bytes_per_sample(AudioCoding coding) {
    return coding == AudioCoding::Int16 ? 2 : coding == AudioCoding::Int24 ? 3 : 4;
}

void check_flac(long channels, double sample_rate, AudioCoding coding) {
    if (coding == AudioCoding::Float32)
        throw Error("a FLAC file holds integers only. Ask for 16 or 24 bits, or write a .wav file.");
    if (channels > 8)
        throw Error(
            fmt::format("the sound has {} channels, but a FLAC file holds 8 at most. Write a .wav file, or render "
                        "fewer listeners.",
                        channels));
    const long rate = std::lround(sample_rate);
    if (rate < 1 || rate > 655350 || (rate > 65535 && rate % 10 != 0))
        throw Error(
            fmt::format("a FLAC file cannot have a sample rate of {} Hz (whole hertz to 65535, tens of hertz to "
                        "655350). Write a .wav file, or choose another rate.",
                        rate));
}

void check_writable(const Audio& audio, const AudioFormat& format) {
    if (!audio.samples.allFinite())
        throw Error(
            "the sound holds values that are not finite, and was not written. Please report this with the scene.",
            Blame::Work);
    check_capacity(format, audio.samples.rows(), audio.sample_rate, static_cast<double>(audio.frames()));
}

std::string comment_of(const WavOptions& options) {
    if (options.gain_db == 0) return "Clangor: sound pressure, 1.0 = 1 Pa";
    return fmt::format("Clangor: sound pressure, 1 Pa = {:.6g} (gain {:.4g} dB)", factor_of_db(options.gain_db),
                       options.gain_db);
}

int libsndfile_format(const AudioFormat& format, int channels) {
    const AudioCoding coding = coding_of(format);
    const int subtype = coding == AudioCoding::Int16   ? SF_FORMAT_PCM_16
                        : coding == AudioCoding::Int24 ? SF_FORMAT_PCM_24
                                                       : SF_FORMAT_FLOAT;
    if (format.container == Container::Flac) return SF_FORMAT_FLAC | subtype;
    const bool plain = coding == AudioCoding::Int16 && channels <= 2;
    return (plain ? SF_FORMAT_WAV : SF_FORMAT_WAVEX) | subtype;
}

/// WAVE_FORMAT_EXTENSIBLE, as libsndfile writes it: the format chunk begins at byte 12 and holds 40 bytes.
bool is_extensible(const std::vector<std::byte>& wav) {
    return wav.size() >= 60 && wav[16] == std::byte(40) && wav[20] == std::byte(0xFE) && wav[21] == std::byte(0xFF);
}

/// libsndfile takes four channels for quadraphony, and so on, and has no way to say otherwise; the mask stands at byte 40.
void name_no_loudspeakers(std::vector<std::byte>& wav) { std::fill_n(wav.begin() + 40, 4, std::byte(0)); }

/// sox looks for two bytes more behind the extension of every format but integers, and warns where they are missing. Whoever reads the
/// size of the extension (byte 36: at least 22) skips them.
void lengthen_extension(std::vector<std::byte>& wav) {
    wav[16] = std::byte(42);
    wav[36] = std::byte(24);
    wav.insert(wav.begin() + 60, 2, std::byte(0));
    const auto size = static_cast<std::uint32_t>(wav.size() - 8);
    for (std::size_t i = 0; i < 4; ++i) wav[4 + i] = static_cast<std::byte>(size >> (8 * i));
}

struct Integers {
    std::vector<int> samples;  ///< interleaved, in the upper bits
    long clipped = 0;
};

/// Rounds to integers of so many bits. Those of 16 get dither first, the sum of two uniform numbers, which turns the error of rounding into a steady noise
/// 98 dB below full scale that does not follow the sound; 24 bits are below the noise of everything. The generator starts alike
/// each time and is our own arithmetic, so the bytes are the same everywhere.
Integers integers_of(const Eigen::MatrixXf& interleaved, AudioCoding coding) {
    const bool dither = coding == AudioCoding::Int16;
    const int bits = dither ? 16 : 24;
    const double steps = std::ldexp(1.0, bits - 1);
    std::uint64_t state = 0x9E3779B97F4A7C15u;
    const auto uniform = [&state] {  // [Marsaglia2003], 0 to 1
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        return static_cast<double>(state >> 11) * 0x1p-53;
    };
    Integers out;
    out.samples.resize(interleaved.size());
    for (long i = 0; i < interleaved.size(); ++i) {
        const double value = double(interleaved.data()[i]) * steps;
        const double noise = dither ? uniform() - uniform() : 0;
        out.clipped += std::abs(value) > steps;
        const double rounded = std::clamp(std::nearbyint(value + noise), -steps, steps - 1);
        out.samples[i] = static_cast<int>(static_cast<std::int64_t>(rounded) * (std::int64_t(1) << (32 - bits)));
    }
    return out;
}

}  // namespace

AudioFormat audio_format_of(const std::filesystem::path& path, AudioCoding coding) {
    std::string extension = path.extension().string();
    for (char& letter : extension) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    if (extension == ".wav" || extension == ".wave") return {Container::Wav, coding};
    if (extension == ".flac") return {Container::Flac, coding};
    throw Error(fmt::format("{}: sound is written as .wav or .flac; the name ends in neither", path.string()));
}

void check_capacity(const AudioFormat& format, long channels, double sample_rate, double frames) {
    if (format.container == Container::Flac) return check_flac(channels, sample_rate, coding_of(format));
    const double bytes = bytes_per_sample(coding_of(format)) * static_cast<double>(channels) * frames;
    if (bytes > 4.2e9)
        throw Error(
            fmt::format("the sound takes {:.1f} GB, but a WAV file holds 4.2 GB at most. Shorten the scene, lower "
                        "the rate, or render fewer listeners.",
                        bytes * 1e-9));
}

AudioBytes audio_bytes(const Audio& audio, const AudioFormat& format, const WavOptions& options) {
    CLANGOR_ASSERT(audio.samples.rows() >= 1, "audio has a channel");
    check_writable(audio, format);
    const int channels = static_cast<int>(audio.samples.rows());
    SF_INFO info = {};
    info.samplerate = static_cast<int>(std::lround(audio.sample_rate));
    info.channels = channels;
    info.format = libsndfile_format(format, channels);
    MemoryFile file;
    SoundFile sound = open(file, SFM_WRITE, info);
    const auto fail = [&](const char* reason) {
        throw Error(fmt::format("cannot make a {} file: {}", name_of(format), reason), Blame::Work);
    };
    if (!sound) fail(sf_strerror(nullptr));
    sf_command(sound.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);  // it would hold the time of day
    sf_set_string(sound.get(), SF_STR_COMMENT, comment_of(options).c_str());
    const Eigen::MatrixXf interleaved = audio.samples * static_cast<float>(factor_of_db(options.gain_db));
    AudioBytes out;
    sf_count_t written = 0;
    if (coding_of(format) == AudioCoding::Float32) {
        written = sf_writef_float(sound.get(), interleaved.data(), audio.frames());
    } else {
        const Integers integers = integers_of(interleaved, coding_of(format));
        written = sf_writef_int(sound.get(), integers.samples.data(), audio.frames());
        out.clipped = integers.clipped;
    }
    if (written != audio.frames()) fail("it came out too short");
    const int closed = sf_close(sound.release());  // completes the header
    if (closed != 0) fail(sf_error_number(closed));
    out.bytes = std::move(file.bytes);
    if (format.container != Container::Wav || !is_extensible(out.bytes)) return out;
    if (channels > 2) name_no_loudspeakers(out.bytes);
    if (coding_of(format) == AudioCoding::Float32) lengthen_extension(out.bytes);
    return out;
}

WriteReport write_audio(const std::filesystem::path& path, const Audio& audio, const WavOptions& options,
                        AudioCoding coding) {
    const AudioBytes file = audio_bytes(audio, audio_format_of(path, coding), options);
    write_file(path, file.bytes);
    return {file.clipped};
}

std::vector<std::byte> wav_bytes(const Audio& audio, const WavOptions& options) {
    return audio_bytes(audio, {Container::Wav, AudioCoding::Float32}, options).bytes;
}

void write_wav(const std::filesystem::path& path, const Audio& audio, const WavOptions& options) {
    write_file(path, wav_bytes(audio, options));
}

Audio read_wav(const std::filesystem::path& path, const WavOptions& options) {
    MemoryFile file{read_bytes(path), 0};
    SF_INFO info = {};
    const SoundFile sound = open(file, SFM_READ, info);
    if (!sound) throw Error(fmt::format("{}: not a sound file ({})", path.string(), sf_strerror(nullptr)));
    Eigen::MatrixXf interleaved(info.channels, info.frames);
    if (sf_readf_float(sound.get(), interleaved.data(), info.frames) != info.frames)
        throw Error(fmt::format("{}: the sound file is cut short", path.string()));
    Audio audio;
    audio.sample_rate = info.samplerate;
    for (int i = 1; i <= info.channels; ++i) audio.channels.push_back(std::to_string(i));
    audio.samples = interleaved / static_cast<float>(factor_of_db(options.gain_db));
    return audio;
}

std::filesystem::path report_path(const std::filesystem::path& sound) {
    return std::filesystem::path(sound).replace_extension(".report.json");
}

void write_json(const std::filesystem::path& path, const nlohmann::json& content) {
    const std::string text = content.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace clangor::io
