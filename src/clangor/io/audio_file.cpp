#include <clangor/io/audio_file.hpp>

#include <clangor/io/atomic_file.hpp>

#include <fmt/format.h>
#include <sndfile.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
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

void check_writable(const Audio& audio) {
    if (!audio.samples.allFinite())
        throw Error(
            "the sound holds values that are not finite, and was not written. Please report this with the scene.",
            Blame::Work);
    const double bytes = 4.0 * static_cast<double>(audio.samples.size());
    if (bytes > 4.2e9)
        throw Error(
            fmt::format("the sound takes {:.1f} GB, but a WAV file holds 4.2 GB at most. Shorten the scene, lower "
                        "the rate, or render fewer listeners.",
                        bytes * 1e-9));
}

std::string comment_of(const WavOptions& options) {
    if (options.gain_db == 0) return "Clangor: sound pressure, 1.0 = 1 Pa";
    return fmt::format("Clangor: sound pressure, 1 Pa = {:.6g} (gain {:.4g} dB)", factor_of_db(options.gain_db),
                       options.gain_db);
}

}  // namespace

std::vector<std::byte> wav_bytes(const Audio& audio, const WavOptions& options) {
    CLANGOR_ASSERT(audio.samples.rows() >= 1, "audio has a channel");
    check_writable(audio);
    const int channels = static_cast<int>(audio.samples.rows());
    SF_INFO info = {};
    info.samplerate = static_cast<int>(std::lround(audio.sample_rate));
    info.channels = channels;
    info.format = (channels > 2 ? SF_FORMAT_WAVEX : SF_FORMAT_WAV) | SF_FORMAT_FLOAT;
    MemoryFile file;
    SoundFile sound = open(file, SFM_WRITE, info);
    if (!sound) throw Error(fmt::format("cannot make a WAV file: {}", sf_strerror(nullptr)), Blame::Work);
    sf_command(sound.get(), SFC_SET_ADD_PEAK_CHUNK, nullptr, SF_FALSE);  // it would hold the time of day
    sf_set_string(sound.get(), SF_STR_COMMENT, comment_of(options).c_str());
    const Eigen::MatrixXf interleaved = audio.samples * static_cast<float>(factor_of_db(options.gain_db));
    const sf_count_t written = sf_writef_float(sound.get(), interleaved.data(), audio.frames());
    if (written != audio.frames()) throw Error("cannot make a WAV file: it came out too short", Blame::Work);
    const int closed = sf_close(sound.release());  // completes the header
    if (closed != 0) throw Error(fmt::format("cannot make a WAV file: {}", sf_error_number(closed)), Blame::Work);
    return std::move(file.bytes);
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

std::filesystem::path sidecar_path(const std::filesystem::path& wav) {
    return std::filesystem::path(wav).replace_extension(".json");
}

void write_json(const std::filesystem::path& path, const nlohmann::json& content) {
    const std::string text = content.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
    write_file(path, std::as_bytes(std::span(text)));
}

}  // namespace clangor::io
