// An open sheet made a solid.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <optional>

namespace clangor::geometry {

/// The sheet's two sides, half the thickness away from it along its normals, and a rim between them. Nothing where the
/// sheet branches, or where the sides would cut each other.
std::optional<Surface> thickened(const Surface& sheet, double thickness);

}  // namespace clangor::geometry
