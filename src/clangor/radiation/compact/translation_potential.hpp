// The flow around a body that moves as a whole: what tells where its surface's sound seems to come from.
#pragma once

#include <clangor/geometry/geometry.hpp>

namespace clangor::compact {

/// χ at the vertices of a closed, outward surface: ∇²χ_i = 0 outside, ∂χ_i/∂n = n_i, χ_i → 0 far away, i = x, y, z.
/// At most max_unknowns are solved for; the rest is interpolated. A coarse surface is refined first.
/// Throws Error (Blame::Work) if that fails  [m].
Points translation_potential(const Surface& surface, int max_unknowns);

}  // namespace clangor::compact
