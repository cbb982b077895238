// From the raw elements of a mesher to those that modes are found with.
#pragma once

#include <clangor/geometry/sizing.hpp>
#include <clangor/geometry/tet_complex.hpp>

namespace clangor::geometry {

/// A part of a longer work.
inline Progress part_of(const Progress& whole, double from, double to) {
    return {[&whole, from, to](std::string_view stage, double done) { whole(stage, from + (to - from) * done); }};
}

/// Elements of the wanted lengths and of good shape. Their boundary follows the surface, with its sharp lines if
/// `with_lines`.
TetMesh shaped(TetComplex complex, const Surface& surface, bool with_lines, const Sizing& sizing,
               const Progress& progress);

/// What is wrong with the mesh as a copy of the surface's inside; empty if nothing is.
std::string mismatch(const TetMesh& mesh, const Surface& surface);

}  // namespace clangor::geometry
