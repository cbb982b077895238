#include <clangor/io/media/audio_file.hpp>

#include <clangor/io/file/file.hpp>

#include <fmt/format.h>
#include <sndfile.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <exception>
#include <functional>
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
    if (taken == 0) return 0;  // behind the end, and in an empty file, there is no byte to point at
    std::memcpy(to, file.bytes.data() + file.position, taken);
    file.position += taken;
    return taken;
}

sf_count_t write(const void* from, sf_count_t count, void* user) {
    MemoryFile& file = memory(user);
    const std::size_t end = file.position + count;
    if (file.bytes.size() < end) file.bytes.resize(end);
    std::memcpy(file.bytes.data() + file.position, from, count);
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

/// The same on the disk. libsndfile is C, through which no exception may pass: one that a full disk throws waits here.
struct DiskFile {
    UnnamedFile file;
    sf_count_t length = 0, position = 0;
    std::exception_ptr failure = {};

    template <class Access>
    sf_count_t moved(sf_count_t count, const Access& access) {
        try {
            access();
            position += count;
            length = std::max(length, position);
            return count;
        } catch (...) {
            failure = std::current_exception();
            return 0;
        }
    }
};

DiskFile& disk(void* user) { return *static_cast<DiskFile*>(user); }

sf_count_t disk_length(void* user) { return disk(user).length; }
sf_count_t disk_position(void* user) { return disk(user).position; }

sf_count_t disk_seek(sf_count_t offset, int whence, void* user) {
    const sf_count_t base = whence == SEEK_SET ? 0 : whence == SEEK_CUR ? disk(user).position : disk(user).length;
    return disk(user).position = base + offset;
}

sf_count_t disk_read(void* to, sf_count_t count, void* user) {
    DiskFile& from = disk(user);
    const sf_count_t taken = std::clamp<sf_count_t>(from.length - from.position, 0, count);
    return from.moved(taken, [&] {
        from.file.read(from.position, {static_cast<std::byte*>(to), static_cast<std::size_t>(taken)});
    });
}

sf_count_t disk_write(const void* from, sf_count_t count, void* user) {
    DiskFile& to = disk(user);
    return to.moved(count, [&] {
        to.file.write(to.position, {static_cast<const std::byte*>(from), static_cast<std::size_t>(count)});
    });
}

SoundFile open(DiskFile& file, int mode, SF_INFO& info) {
    SF_VIRTUAL_IO io = {disk_length, disk_seek, disk_read, disk_write, disk_position};
    return SoundFile(sf_open_virtual(&io, mode, &info, &file));
}

/// What is to be written: so many samples, window by window.
struct SoundSource {
    double sample_rate = 48000;
    long channels = 0, frames = 0;
    std::function<void(const std::function<void(const Samples&)>&)> for_windows;
};

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

void check_finite(const Samples& samples) {
    if (!samples.allFinite())
        throw Error(
            "the sound holds values that are not finite, and was not written. Please report this with the scene.",
            Blame::Work);
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

/// The first bytes of a WAV file, up to the end of its format chunk.
constexpr std::size_t head_bytes = 60;

/// What stands there instead of what libsndfile wrote; `length` is that of its file. Where it wrote
/// WAVE_FORMAT_EXTENSIBLE, the format chunk begins at byte 12 and holds 40 bytes, and two things are put right:
/// - it takes four channels for quadraphony, and so on, and has no way to say otherwise; the mask stands at byte 40;
/// - sox looks for two bytes more behind the extension of every format but integers, and warns where they are missing.
///   Whoever reads the size of the extension (byte 36: at least 22) skips them.
std::vector<std::byte> corrected_head(std::span<const std::byte> written, std::size_t length, long channels,
                                      const AudioFormat& format) {
    std::vector<std::byte> head(written.begin(), written.end());
    const bool extensible = format.container == Container::Wav && head.size() == head_bytes &&
                            head[16] == std::byte(40) && head[20] == std::byte(0xFE) && head[21] == std::byte(0xFF);
    if (!extensible) return head;
    if (channels > 2) std::fill_n(head.begin() + 40, 4, std::byte(0));
    if (coding_of(format) != AudioCoding::Float32) return head;
    head[16] = std::byte(42);
    head[36] = std::byte(24);
    head.insert(head.end(), 2, std::byte(0));
    const auto size = static_cast<std::uint32_t>(length + 2 - 8);
    for (std::size_t k = 0; k < 4; ++k) head[4 + k] = static_cast<std::byte>(size >> (8 * k));
    return head;
}

/// Rounds to integers of so many bits. Those of 16 get dither first, the sum of two uniform numbers, which turns the
/// error of rounding into a steady noise 98 dB below full scale that does not follow the sound; 24 bits are below the
/// noise of everything. The generator starts alike each time and is our own arithmetic, so the bytes are the same
/// everywhere.
class Rounding {
public:
    explicit Rounding(AudioCoding coding) : dither_(coding == AudioCoding::Int16), bits_(dither_ ? 16 : 24) {}

    /// Interleaved, in the upper bits.
    std::vector<int> integers(const Eigen::MatrixXf& interleaved) {
        const double steps = std::ldexp(1.0, bits_ - 1);
        std::vector<int> out(interleaved.size());
        for (long i = 0; i < interleaved.size(); ++i) {
            const double value = double(interleaved.data()[i]) * steps;
            const double noise = dither_ ? uniform() - uniform() : 0;
            clipped_ += std::abs(value) > steps;
            const double rounded = std::clamp(std::nearbyint(value + noise), -steps, steps - 1);
            out[i] = static_cast<int>(static_cast<std::int64_t>(rounded) * (std::int64_t(1) << (32 - bits_)));
        }
        return out;
    }
    long clipped() const { return clipped_; }

private:
    double uniform() {  // [Marsaglia2003], 0 to 1
        state_ ^= state_ << 13;
        state_ ^= state_ >> 7;
        state_ ^= state_ << 17;
        return static_cast<double>(state_ >> 11) * 0x1p-53;
    }

    bool dither_;
    int bits_;
    long clipped_ = 0;
    std::uint64_t state_ = 0x9E3779B97F4A7C15u;
};

[[noreturn]] void refuse(const AudioFormat& format, const char* reason) {
    throw Error(fmt::format("cannot make a {} file: {}", name_of(format), reason), Blame::Work);
}

/// Writes the whole file into a MemoryFile or a DiskFile. Returns how many samples were clipped.
template <class File>
long encode(File& file, const SoundSource& source, const AudioFormat& format, const WavOptions& options) {
    check_capacity(format, source.channels, source.sample_rate, static_cast<double>(source.frames));
    SF_INFO info = {};
    info.samplerate = static_cast<int>(std::lround(source.sample_rate));
    info.channels = static_cast<int>(source.channels);
    info.format = libsndfile_format(format, info.channels);
    SoundFile sound = open(file, SFM_WRITE, info);
    if (!sound) refuse(format, sf_strerror(nullptr));
    sf_command(sound.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);  // it would hold the time of day
    sf_set_string(sound.get(), SF_STR_COMMENT, comment_of(options).c_str());
    Rounding rounding(coding_of(format));
    sf_count_t written = 0;
    source.for_windows([&](const Samples& samples) {
        check_finite(samples);
        const Eigen::MatrixXf interleaved = samples * static_cast<float>(factor_of_db(options.gain_db));
        if (coding_of(format) == AudioCoding::Float32)
            written += sf_writef_float(sound.get(), interleaved.data(), samples.cols());
        else
            written += sf_writef_int(sound.get(), rounding.integers(interleaved).data(), samples.cols());
    });
    if (written != source.frames) refuse(format, "it came out too short");
    const int closed = sf_close(sound.release());  // completes the header
    if (closed != 0) refuse(format, sf_error_number(closed));
    return rounding.clipped();
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
    MemoryFile file;
    AudioBytes out;
    out.clipped = encode(file,
                         {audio.sample_rate, audio.samples.rows(), audio.frames(),
                          [&](const std::function<void(const Samples&)>& use) { use(audio.samples); }},
                         format, options);
    const std::size_t head = std::min(head_bytes, file.bytes.size());
    out.bytes = corrected_head(std::span(file.bytes).first(head), file.bytes.size(), audio.samples.rows(), format);
    out.bytes.insert(out.bytes.end(), file.bytes.begin() + static_cast<std::ptrdiff_t>(head), file.bytes.end());
    return out;
}

WriteReport write_audio(const std::filesystem::path& path, const Audio& audio, const WavOptions& options,
                        AudioCoding coding) {
    const AudioBytes file = audio_bytes(audio, audio_format_of(path, coding), options);
    write_file(path, file.bytes);
    return {file.clipped};
}

WriteReport write_audio(const std::filesystem::path& path, const AudioSpool& sound, const ChannelRange& channels,
                        const WavOptions& options, AudioCoding coding) {
    const AudioFormat format = audio_format_of(path, coding);
    const SoundSource source{
        sound.sample_rate(), channels.count, sound.frames(), [&](const std::function<void(const Samples&)>& use) {
            sound.for_windows(
                [&](long, const Audio& window) { use(window.samples.middleRows(channels.first, channels.count)); });
        }};
    DiskFile file{UnnamedFile(path.parent_path())};
    long clipped = 0;
    try {
        clipped = encode(file, source, format, options);
    } catch (const Error&) {
        if (file.failure) std::rethrow_exception(file.failure);  // why it came out too short
        throw;
    }
    std::vector<std::byte> piece(1u << 20);
    const auto written = std::span(piece).first(std::min<sf_count_t>(head_bytes, file.length));
    file.file.read(0, written);
    const std::vector<std::byte> head = corrected_head(written, file.length, channels.count, format);
    write_file(path, [&](const TakeBytes& take) {
        take(head);
        for (sf_count_t at = static_cast<sf_count_t>(written.size()); at < file.length;
             at += static_cast<sf_count_t>(piece.size())) {
            const auto part = std::span(piece).first(std::min<sf_count_t>(piece.size(), file.length - at));
            file.file.read(at, part);
            take(part);
        }
    });
    return {clipped};
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
