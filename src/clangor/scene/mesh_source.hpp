// The surface of an object, and what its material leaves open.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <cmath>
#include <filesystem>
#include <limits>
#include <variant>

namespace clangor::scene {

/// A mesh file, or a procedural shape.
using MeshSource = std::variant<std::filesystem::path, Shape>;

/// Not stated: what follows from the materials holds.
constexpr double from_material = std::numeric_limits<double>::quiet_NaN();
inline double stated_or(double stated, double otherwise) { return std::isnan(stated) ? otherwise : stated; }

}  // namespace clangor::scene
