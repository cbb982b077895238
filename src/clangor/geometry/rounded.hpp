// The curved surface that triangles stand for.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace clangor::geometry {

/// Steps of the normals that are taken for a curved wall; steeper edges are meant, as those of a 14-sided prism are.
inline constexpr double rounded_angle_deg = 25;

/// The triangles cut finer and laid onto quadratic patches through their vertices, wherever a wall turns by more than
/// 4.5° from one face to the next, evenly on both sides; sharp lines are bent as lines. Vertices stay where they are,
/// flat faces and steep edges too: a body without curved walls comes back as it was. Empty if that is so, or if the
/// patches would cut each other or change the volume by more than 10 %. Closed surfaces   docs/howto/meshing.md.
Surface rounded(const Surface& surface);

}  // namespace clangor::geometry
