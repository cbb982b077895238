// Vertices at the same place.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <vector>

namespace clangor {

/// For each used vertex, the first used one that stands within `tolerance` of it (itself, if there is none before);
/// −1 for the others. `low` is a corner below all of them [m].
std::vector<int> weld(const Points& vertices, const std::vector<char>& used, const Vec3& low, double tolerance);

}  // namespace clangor
