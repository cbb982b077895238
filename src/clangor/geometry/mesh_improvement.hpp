// Fewer and better elements in walls: what Delaunay refinement alone does not reach.
#pragma once

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/tet_complex.hpp>

namespace clangor::geometry {

struct ImprovementRules {
    std::vector<double> edge_length;             ///< wanted at most, at each node [m]
    std::vector<double> deviation;               ///< largest distance of faces from the surface, at each node [m]
    const ClosestPointQuery* surface = nullptr;  ///< the boundary that faces must follow
    const ClosestPointQuery* lines = nullptr;    ///< its sharp lines; none: their nodes stay where they are
    double coarse_dihedral_deg = 12;             ///< coarsening leaves no smaller angle
    double good_dihedral_deg = 22;               ///< improving works on elements with a smaller angle
};

/// Collapses edges while all lengths stay below the wanted one. A Delaunay mesh has no faces larger than the wall that
/// they bound, since the empty balls around them would reach the far side; this mesh may, and one layer of 10-node
/// elements still bends rightly.
void coarsen(TetComplex& complex, const ImprovementRules& rules, const Progress& progress);

/// Enlarges the smallest angles: peels flat elements off walls, flips, collapses edges, moves nodes. A bad element
/// harms more than a long or a plump one, so that lengths may exceed the rules by a quarter, and deviations twice.
void improve(TetComplex& complex, const ImprovementRules& rules, const Progress& progress);

}  // namespace clangor::geometry
