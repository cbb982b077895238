// Faces of a surface that cut each other.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <array>
#include <vector>

namespace clangor::geometry {

/// Which groups of faces cut each other: pairs a < b, each once. `of_face` is the group of each face.
std::vector<std::array<int, 2>> groups_that_cut(const Surface& surface, const std::vector<int>& of_face);

}  // namespace clangor::geometry
