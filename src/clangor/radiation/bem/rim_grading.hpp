// Meshes of open sheets that grow finer towards their rims.
#pragma once

#include <clangor/geometry/geometry.hpp>

namespace clangor::remeshing {

/// The pressure jump across a sheet falls to zero at its rim as the square root of the distance d, which linear
/// elements of one size follow with an error of first order. Within three edges of the rim vertices move towards it,
/// from d to d²/(3 edges), so that the root falls evenly from ring to ring. Vertices that would turn or flatten a face
/// move less. The number of faces stays.
Surface graded_at_rims(const Surface& mesh, const Original& original, double edge_length);

}  // namespace clangor::remeshing
