// The lines along which a surface turns sharply: edges of boxes, rims of bowls.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace clangor::geometry {

/// Where normals of two faces differ by more than this, the edge between them is meant. Finer steps than a 9-sided
/// cylinder's are taken for a smooth wall.
inline constexpr double sharp_angle_deg = 40;

/// Each sharp edge as a triangle without area, {a, b, b}, so that a ClosestPointQuery finds points on the lines.
Surface sharp_lines(const Surface& surface);

}  // namespace clangor::geometry
