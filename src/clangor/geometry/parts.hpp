// Surfaces in several pieces: what belongs together, and what rings by itself.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <string>
#include <vector>

namespace clangor {

/// What becomes of pieces that lie apart. Near ones, which cut or touch each other or lie closer than their wall, are
/// one body whatever is chosen. Auto: the others ring each by itself. Fuse: they are joined by bridges. Split: as Auto.
/// Largest: all but the largest are left out.
enum class Parts { Auto, Fuse, Split, Largest };

struct BodyParts {
    std::vector<Surface> surfaces;      ///< the largest first; each is one body for `tetrahedralize`
    std::vector<std::string> messages;  ///< what the user should know
};

/// The wall of a cavity belongs to the body around it. Pieces of less than a thousandth of the whole, and those after
/// the 32 largest, are left out, and a message says so.
BodyParts parts_of(const Surface& surface, Parts wanted);

}  // namespace clangor
