// How well shaped an element is.
#pragma once

#include <clangor/geometry/tet_complex.hpp>

namespace clangor::geometry {

/// The smallest of the six angles between the faces of a tetrahedron; negative if it is inverted [°].
double min_dihedral_deg(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3);

double min_dihedral_deg(const TetMesh& mesh);  ///< over all elements, sides taken straight [°]

double min_dihedral_deg(const TetComplex& complex, const Cell& cell);

/// The same as a number that grows as the angle falls: its cosine, and 2 − that of an inverted element. What
/// compares many elements takes the angle of the worst alone.
double sharpness(const TetComplex& complex, const Cell& cell);
double sharpness_of(double angle_deg);
double angle_deg_of(double sharpness);

}  // namespace clangor::geometry
