// Baked acceleration noise: all that a body needs to click, in one HDF5 file (docs/guide/model-files.md).
#pragma once

#include <clangor/radiation/acceleration/acceleration.hpp>

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

struct BakedNoise {
    std::string name;
    std::string inputs_hash;  ///< of everything that it was baked from: its key in the cache
    AccelerationNoise noise;
    std::vector<std::string> messages;  ///< what the user should know about the bake
};

/// The whole file. The same noise gives the same bytes.
std::vector<std::byte> noise_bytes(const BakedNoise& noise);

/// Checks everything, as model_from_bytes does. Throws Error; `where` stands in its message.
BakedNoise noise_from_bytes(std::span<const std::byte> bytes, const std::string& where);

void write_noise(const std::filesystem::path& path, const BakedNoise& noise);
BakedNoise read_noise(const std::filesystem::path& path);

/// Every way in which sizes or values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedNoise& noise);

/// A bake that is not finished: the motions that are.
struct BegunNoise {
    std::string name;
    std::string inputs_hash;
    std::vector<NoiseMotion> motions;
};
std::vector<std::byte> begun_noise_bytes(const BegunNoise& begun);
BegunNoise begun_noise_from_bytes(std::span<const std::byte> bytes, const std::string& where);
std::vector<std::string> problems_of(const BegunNoise& begun);

}  // namespace clangor::io
