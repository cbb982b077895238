// Collisions of grains from other simulators, as tables (.csv, .tsv, .txt).
//
//     const io::CollisionList list = io::read_collisions("pour.csv");
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>

#include <array>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

struct CollisionList {
    std::vector<Encounter> encounters;              ///< in the order of the file; their kinds count `kinds`
    std::vector<std::array<std::string, 2>> kinds;  ///< of what met: names of materials or bodies, "" where not named
    /// Of the two of each encounter, 0 for what is no ball; empty where the file has none [m].
    std::vector<std::array<float, 2>> radii;
};

/// Throws Error with file, line and what to do.
CollisionList read_collisions(const std::filesystem::path& path);

/// From text that is in no file. `name` stands in messages.
CollisionList parse_collision_table(std::string_view text, const std::string& name);

}  // namespace clangor::io
