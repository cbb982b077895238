// The collisions that were found in an imported motion, in one HDF5 file of the cache.
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/motion/record/record.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clangor {

struct BakedCollisions {
    static constexpr io::BakedKind kind = {.format = "clangor collisions",
                                           .version = "2",
                                           .title = "Clangor collision record",
                                           .noun = "collision record",
                                           .ending = ".collisions.h5"};

    std::string name;         ///< whose, in messages
    std::string inputs_hash;  ///< of everything that they were found from: their key in the cache
    int bodies = 0;           ///< how many there are for the sides to name
    std::vector<Impact> impacts = {};
    std::vector<Touch> touches = {};
    std::optional<IgnoredContacts> ignored = {};
    std::vector<std::string> messages = {};  ///< what the user should know about them
};

void write(io::Hdf5Writer& file, const BakedCollisions& collisions);
void read(const io::Hdf5Reader& file, BakedCollisions& collisions);

/// Every way in which values do not fit together; empty if all is well.
std::vector<std::string> problems_of(const BakedCollisions& collisions);

}  // namespace clangor
