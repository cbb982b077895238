// The wall about a surface in its middle.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace clangor {

/// Two sides, half the thickness away from the surface along its normals, and a rim where it ends. Of n vertices, i is
/// on the side that the surface faces and i + n on the other. The surface is wound alike, and its edges have one or two
/// faces; where it is curved more sharply than its wall is thick the sides cut each other.
Surface two_sided(const Surface& middle, double thickness);

}  // namespace clangor
