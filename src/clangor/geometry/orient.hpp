// Winding faces alike and pieces outward.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace clangor {

struct Orientation {
    Triangles faces;            ///< in the same order, wound anew
    int flipped_faces = 0;      ///< of pieces that did not agree with themselves
    int inside_out_pieces = 0;  ///< flipped as a whole
};

Orientation orientation_of(const Surface& surface);

}  // namespace clangor
