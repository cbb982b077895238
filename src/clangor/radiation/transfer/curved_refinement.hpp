// A surface between whose vertices the wall and its motion are curved, cut finer.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <vector>

namespace clangor::modal_transfer {

/// A finer surface through the same vertices, and what takes values from the given vertices to all of its own.
struct CurvedRefinement {
    Surface surface = {};
    std::vector<SparseMatrix> steps = {};  ///< one after the other: finer vertices × coarser ones

    /// Values at the vertices (a displacement), one row per given vertex.
    Points operator()(const Points& values) const;
};

/// Each face becomes 4^levels. The middle of an edge goes where local polynomials at its two ends, of up to the fifth
/// degree, have it on the average: a ball, and a wave on it, are then right to the sixth order of the edges. Edges that
/// turn by more than 25° and rims stay sharp, flat faces flat. Where the finer surface would cut itself, or is no
/// longer the same body, all that is left straight (docs/theory/boundary-elements.md, section 6).
CurvedRefinement curved_refinement(const Surface& surface, int levels);

}  // namespace clangor::modal_transfer
