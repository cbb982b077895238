// A watertight surface around triangles that have gaps or cut each other.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace clangor::geometry {

struct WrapOptions {
    double gap = 0;     ///< openings narrower than this are closed, wider ones entered [m]
    double offset = 0;  ///< how far outside the triangles the wrap runs [m]
};

/// Closed, outward, free of self-intersections [Portaneri2022]. Voids that no opening leads into are filled.
Surface wrap(const Surface& surface, const WrapOptions& options);

}  // namespace clangor::geometry
