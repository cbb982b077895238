// A few well spread vertices of a surface, and how a smooth function on all vertices follows from its values there.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <utility>
#include <vector>

namespace clangor::compact {

struct CoarseBasis {
    std::vector<int> centres;  ///< vertices that carry an unknown
    /// For each vertex: (index into centres, weight). Weights sum to 1 and reproduce linear functions of space, up to a
    /// slight regularisation. A centre has itself with weight 1.
    std::vector<std::vector<std::pair<int, double>>> weights;
};

/// All vertices if there are no more than max_count, else max_count of them.
CoarseBasis coarse_basis(const Surface& surface, int max_count);

}  // namespace clangor::compact
