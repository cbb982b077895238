// Each triangle cut into four, without moving the surface.
#pragma once

#include <clangor/geometry/geometry.hpp>

namespace clangor::compact {

/// The vertices of `surface` come first, then the middles of its edges.
Surface midpoint_refined(const Surface& surface);

}  // namespace clangor::compact
