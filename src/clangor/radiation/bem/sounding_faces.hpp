// What of a surface takes part in the radiation, and whether it can.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <string>
#include <vector>

namespace clangor::bem {

struct SoundingFaces {
    bool open = false;         ///< sheets; closed bodies otherwise
    std::vector<int> faces;    ///< those that the air outside touches: the walls of closed voids are left out
    std::vector<bool> on_rim;  ///< by vertex: on the border of a sheet
    std::vector<std::string> warnings;
};

/// Throws for indices out of range, coordinates that are not finite, faces without area, edges with more than two
/// faces, closed pieces that face inward, and open beside closed pieces.
SoundingFaces sounding_faces(const Surface& surface);

}  // namespace clangor::bem
