// Grains in places that are given: a table of x, y, z and, where it has them, radius, vx, vy, vz and kind.
//
//     world.grains = io::read_grains("beads.csv", {.radius = 0.001});
#pragma once

#include <clangor/motion/grains/grains.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// `otherwise` stands for what the table has no column of. Throws Error with file, line and what to do.
std::vector<Grain> read_grains(const std::filesystem::path& path, const Grain& otherwise = {});

/// A table that is in no file. `name` stands in messages.
std::vector<Grain> parse_grains(std::string_view text, const std::string& name, const Grain& otherwise = {});

}  // namespace clangor::io
