// Faces that have three vertices and yet no area.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <vector>

namespace clangor {

struct Unslivered {
    Triangles faces;         ///< same number and order
    std::vector<char> drop;  ///< by face: could not be cut away, and has to be dropped
    int count = 0;           ///< faces that had no area
};

/// Such a face closes the gap beside a vertex that stands on its neighbour's edge. Dropping it would open the surface;
/// instead the neighbour is cut in two at that vertex. `height` is the least that counts as area over a face's longest
/// edge [m].
Unslivered without_slivers(const Surface& surface, double height);

}  // namespace clangor
