// A surface that bounds one solid: the given one, or a wrap of it.
#pragma once

#include <clangor/geometry/sizing.hpp>

namespace clangor::geometry {

struct SolidSurface {
    Surface surface;  ///< closed, does not cut itself, bounds one body
    bool wrapped = false;
    std::vector<std::string> messages;  ///< what was done, and how much it changed
};

/// Throws for a surface that encloses no volume, or several bodies.
SolidSurface solid_surface_of(const Surface& surface);

}  // namespace clangor::geometry
