// Tetrahedra inside of anything that can say how deep a point lies in it: the mesher that always answers.
#pragma once

#include <clangor/geometry/delaunay_mesher.hpp>

#include <functional>

namespace clangor::geometry {

/// How deep a point lies inside of a body; negative outside. Changes by at most a metre per metre [m].
using Depth = std::function<double(const Vec3&)>;

/// Elements of 4 nodes, cut from a body-centred cubic lattice of the given spacing along the surface depth = 0, as
/// isosurface stuffing does [Labelle2007]; lattice points near it give way instead of being laid onto it, so that the
/// boundary never touches itself. Walls thicker than the spacing come out whole, sharp edges are cut off by
/// less than half of it. Whatever the body is, this ends, after a time that follows from its volume and surface in
/// units of the spacing. `depth` is asked in parallel.
FeaturedMesh stuffed(const Depth& depth, const Bounds& bounds, double spacing, const Progress& progress);

/// The part of a mesh that hangs together over faces and has the largest volume.
FeaturedMesh largest_piece(const FeaturedMesh& mesh);

}  // namespace clangor::geometry
