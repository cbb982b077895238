// A surface as a renderer wants it: a normal at every vertex, and sharp edges kept sharp. Private to its module.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace clangor::io {

struct ShadedSurface {
    std::vector<std::array<float, 3>> positions;
    std::vector<std::array<float, 3>> normals;  ///< unit
    std::vector<std::uint32_t> corners;         ///< three a triangle
};

/// A vertex has as many copies as it has normals: faces that meet at less than 40° share one.
ShadedSurface shaded(const Surface& surface);

}  // namespace clangor::io
