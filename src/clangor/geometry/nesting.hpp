// Which closed pieces of a surface lie inside others.
#pragma once

#include <clangor/geometry/pieces.hpp>
#include <clangor/geometry/surface.hpp>

#include <vector>

namespace clangor {

/// For each piece, whether an odd number of closed pieces enclose it: then it bounds a void in a body. Pieces that
/// are not closed neither enclose nor are enclosed.
std::vector<char> void_walls(const Surface& surface, const Pieces& pieces, const std::vector<char>& closed);

}  // namespace clangor
