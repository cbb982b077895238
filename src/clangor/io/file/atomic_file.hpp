// Whole files: read at once, and written so that a reader never sees half of one.
#pragma once

#include <clangor/core/core.hpp>

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

/// Replaces the file at `path`. Whenever the process or the machine stops, the path holds either what was there before
/// or all of `bytes`. Devices and pipes are written to directly. Throws Error where the folder is missing, not writable
/// or full.
void write_file(const std::filesystem::path& path, std::span<const std::byte> bytes);

/// The same, with the content that `produce` hands over piece by piece; it may be called again where a first try
/// failed.
using TakeBytes = std::function<void(std::span<const std::byte>)>;
void write_file(const std::filesystem::path& path, const std::function<void(const TakeBytes&)>& produce);

/// Deletes from a folder what processes left there that were killed just before a file got its name: temporary names of
/// write_file that are older than an hour. Leaves what it may not delete.
void delete_left_over(const std::filesystem::path& folder);

/// Throws Error if it is missing or cannot be read.
std::vector<std::byte> read_bytes(const std::filesystem::path& path);

/// The whole file as text. Throws "FILE: …" if it cannot be read or is larger than so many bytes.
std::string read_text_file(const std::filesystem::path& path, std::size_t largest);

}  // namespace clangor::io
