/// @file collisions.hpp — grains from other programs: lists of collisions, and animations that know none.
/// In        tables (.csv, .tsv, .txt; io/motion), and HDF5 (.h5, .hdf5) for long lists: datasets time [n], point,
///           normal [n×3], speed [n]; optional impulse [n×3], radii [n×2], kind [n] and kinds, a text of lines
///           "first,second". Of animations: time [n], position, velocity [n×3]; of grids also fill [n] and, where
///           known, deviation [n]. SI units, y up.
/// Out       CollisionList, FlowFrames, FlowGrid, or Error with file, row and what to do.
/// Not here  what sounds (radiation/spheres).
///
///     const io::CollisionList list = io::read_collisions("pour.h5");
#pragma once

#include <clangor/io/motion/motion.hpp>

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

/// By the ending of its name.
CollisionList read_collisions(const std::filesystem::path& path);

/// An HDF5 file in memory; `name` stands in messages.
CollisionList parse_collision_datasets(std::span<const std::byte> bytes, const std::string& name);

/// The same list as HDF5, impulses as directions. The same list gives the same bytes.
std::vector<std::byte> collision_datasets(const CollisionList& list);

/// Of an animation, by the ending of the name: io/motion/flow_file.hpp says what they hold.
std::vector<FlowFrame> read_particles(const std::filesystem::path& path);
FlowGrid read_grid(const std::filesystem::path& path);

/// HDF5 files in memory.
std::vector<FlowFrame> parse_particle_datasets(std::span<const std::byte> bytes, const std::string& name);
FlowGrid parse_grid_datasets(std::span<const std::byte> bytes, const std::string& name);

}  // namespace clangor::io
