// The collisions that were found in an imported motion, in one HDF5 file of the cache.
#pragma once

#include <clangor/motion/record/record.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace clangor::io {

struct BakedCollisions {
    std::string name;         ///< whose, in messages
    std::string inputs_hash;  ///< of everything that they were found from: their key in the cache
    int bodies = 0;           ///< how many there are for the sides to name
    std::vector<Impact> impacts = {};
    std::vector<Touch> touches = {};
    std::vector<std::string> messages = {};  ///< what the user should know about them
};

/// The whole file. The same collisions give the same bytes.
std::vector<std::byte> collisions_bytes(const BakedCollisions& collisions);

/// Checks everything. Throws Error; `where` stands in its message.
BakedCollisions collisions_from_bytes(std::span<const std::byte> bytes, const std::string& where);

/// Every way in which values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedCollisions& collisions);

}  // namespace clangor::io
