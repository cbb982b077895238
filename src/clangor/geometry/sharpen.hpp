// Edges and corners that a lattice cuts off, given back to the body.
#pragma once

#include <clangor/geometry/stuffing.hpp>
#include <clangor/geometry/tet_complex.hpp>

namespace clangor::geometry {

/// Moves boundary nodes onto sharp lines and corners of the surface, at most a spacing away, wherever the boundary then
/// lies nearer to depth = 0 and no element gets an angle below 5° (or a smaller one than it had).
void sharpen(TetComplex& complex, const Surface& surface, const Depth& depth, double spacing);

}  // namespace clangor::geometry
