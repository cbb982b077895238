// A triangle surface read as the curved one that its triangles stand for.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <vector>

namespace clangor::rigid {

/// Where neighbouring faces turn by more than this, the edge is meant; below, they stand for a curved wall.
inline constexpr double crease_angle_deg = 30;

/// A closed surface with what is needed to tell inside from outside, and round from sharp.
struct SmoothSurface {
    Surface surface;
    ClosestPointQuery closest;
    Points face_normals;  ///< unit
    std::vector<std::array<Vec3, 3>>
        corner_normals;  ///< of each face: unit, averaged over the faces around that are not across a crease
    std::vector<std::array<int, 3>> neighbours;  ///< of each face, across the edge from corner k to k + 1
    Points vertex_normals;  ///< weighted by angle: their sign tells inside from outside [Baerentzen2005]
};

/// Throws Error where the surface is not closed.
SmoothSurface smooth_surface(const Surface& surface);

/// Distance from the curved surface, negative inside [m].
double signed_distance(const SmoothSurface& surface, const Vec3& point);

bool is_crease(const SmoothSurface& surface, int face, int side);

/// The point of the curved surface over a place in a face.
Vec3 lifted(const SmoothSurface& surface, int face, const Vec3& barycentric);

/// The thinnest wall that is more than a fifth of the surface: the diameter of the largest ball that fits behind it
/// [m].
double wall_thickness(const SmoothSurface& surface);

}  // namespace clangor::rigid
