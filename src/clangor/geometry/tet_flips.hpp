// Other tetrahedra between the same nodes.
#pragma once

#include <clangor/geometry/tet_complex.hpp>

namespace clangor::geometry {

/// Replaces the cells around an inner edge, or the two beside an inner face, of this cell by others that fill the same
/// space, if that enlarges the least dihedral angle among them [Freitag1997]. False if nothing helps.
bool flip(TetComplex& complex, int cell);

}  // namespace clangor::geometry
