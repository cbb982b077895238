// Pictures as PNG files.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace clangor::io {

struct Picture {
    int width = 0, height = 0;
    std::vector<std::uint8_t> rgb = {};  ///< 3 bytes a pixel, row by row from the top
};

/// 8 bits a channel, not compressed: a map of 360 × 180 takes 195 kB. The same picture gives the same bytes.
std::vector<std::byte> png_bytes(const Picture& picture);

void write_png(const std::filesystem::path& path, const Picture& picture);

/// A colour for 0 (black) to 1 (pale yellow) over violet and orange: lightness grows evenly, so that it also reads in
/// print and for the colour-blind.
std::array<std::uint8_t, 3> heat_colour(double value);

}  // namespace clangor::io
