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
    std::vector<int> sources;                   ///< which vertex of the surface each one is a copy of
};

/// A vertex has as many copies as it has normals: faces that meet at less than the crease share one.
ShadedSurface shaded(const Surface& surface, double crease_deg = 40);

/// Its normals when its vertices are elsewhere: x, y, z of each copy in turn, of the faces that share it.
Eigen::VectorXf normals_at(const ShadedSurface& shaded, const Eigen::VectorXf& vertices);

}  // namespace clangor::io
