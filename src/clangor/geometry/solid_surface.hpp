// A surface that bounds one solid: the given one, a sheet with a thickness, or a wrap.
#pragma once

#include <clangor/geometry/sizing.hpp>

namespace clangor::geometry {

/// The fine way does not do for a surface, for the reason given; another may.
struct NotThisWay : Error {
    using Error::Error;
};

struct SolidSurface {
    Surface surface;  ///< closed, does not cut itself, bounds one body
    bool wrapped = false;
    bool thickened = false;
    std::vector<std::string> messages;  ///< what was done, and how much it changed
};

/// Throws NotThisWay where none of the three will do: for several bodies, and where a wrap would take long or runs to
/// the inside.
SolidSurface solid_surface_of(const Surface& surface, const TetOptions& options);

/// What is wrong with a surface as the boundary of a body.
std::string complaint(const Topology& topology);

}  // namespace clangor::geometry
