// The surface cut along the grid: each piece lies in one cell and on one triangle.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <vector>

namespace clangor::wave {

struct SurfacePiece {
    std::array<int, 3> cell = {};
    int face = -1;
    Vec3 centroid = Vec3::Zero();     ///< [m]
    Vec3 barycentric = Vec3::Zero();  ///< of the centroid: with them linear functions are integrated exactly
    double area = 0;                  ///< [m²]
};

/// Cell (0, 0, 0) has its low corner at `origin`.
std::vector<SurfacePiece> surface_pieces(const Surface& surface, const Vec3& origin, double cell_size);

Vec3 unit_normal(const Surface& surface, int face);

/// True for each face whose piece (connected over shared edges) is closed: every edge is run through as often in one
/// direction as in the other. The others are sheets, with air on both sides.
std::vector<char> closed_faces(const Surface& surface);

}  // namespace clangor::wave
