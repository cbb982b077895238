// WAV files in pascals, and the JSON beside them that says what is in them.
#pragma once

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

/// Back into pascals, if it was written with the same gain. Channels are named "1", "2", ….
Audio read_wav(const std::filesystem::path& path, const WavOptions& options = {});

std::filesystem::path sidecar_path(const std::filesystem::path& wav);  ///< out.wav → out.json
void write_json(const std::filesystem::path& path, const nlohmann::json& content);

}  // namespace clangor::io
