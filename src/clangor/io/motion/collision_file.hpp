// Collisions of grains from other simulators, as tables.
//
//     const io::CollisionList list = io::read_collision_table("pour.csv");
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>

#include <array>
#include <filesystem>
#include <optional>
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

/// What must hold of any time and place of grains: throws Error at `where` for what can mean nothing.
void check_moment(double time, const Vec3& point, const std::string& where);
void check_speed(double speed, const std::string& where);

/// What must hold for one, whatever it was read from: throws Error at `where` for one that can mean nothing. `normal`
/// may have any length, and an impulse that the first receives tells of friction.
Encounter checked_encounter(Encounter encounter, const Vec3& normal, const std::optional<Vec3>& impulse,
                            const std::string& where);

/// Throws Error at `where`.
float checked_radius(double radius, std::string_view name, const std::string& where);

/// Throws Error with file, line and what to do.
CollisionList read_collision_table(const std::filesystem::path& path);

/// From text that is in no file. `name` stands in messages.
CollisionList parse_collision_table(std::string_view text, const std::string& name);

}  // namespace clangor::io
