// Where the lines of a lattice, parallel to an axis, pass through triangles: exactly once at a shared edge or vertex.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <vector>

namespace clangor::wave {

/// Lines along `axis`. With u and v the next two axes in cyclic order, line (i, j) runs at u = first_u + i·step_u,
/// v = first_v + j·step_v.
struct Lattice {
    int axis = 0;
    double first_u = 0, first_v = 0;  ///< [m]
    double step_u = 0, step_v = 0;    ///< [m]
    int count_u = 0, count_v = 0;
};

struct Crossing {
    int line = 0;          ///< i·count_v + j
    bool entering = true;  ///< against the normal: into the body, going up the axis
    double at = 0;         ///< coordinate along the axis [m]
};

/// All crossings with the faces where use[f] is set, by line and then upwards. A closed surface gives each line as many
/// entering as leaving ones, whatever the rounding: neighbouring triangles evaluate a shared edge in the same order.
std::vector<Crossing> crossings(const Surface& surface, const std::vector<char>& use, const Lattice& lattice);

}  // namespace clangor::wave
