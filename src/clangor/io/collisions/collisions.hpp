/// @file collisions.hpp — lists of collisions of grains from other simulators.
/// In        tables (.csv, .tsv, .txt; io/motion), and HDF5 (.h5, .hdf5) for long lists: datasets time [n], point,
///           normal [n×3], speed [n]; optional impulse [n×3], radii [n×2], kind [n] and kinds, a text of lines
///           "first,second". SI units, y up.
/// Out       CollisionList, or Error with file, row and what to do.
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

}  // namespace clangor::io
