// Points on the surface of a body, in a tree: what of it may touch another.
#pragma once

#include <clangor/motion/rigid/smooth_surface.hpp>

#include <vector>

namespace clangor::rigid {

/// On a smooth part: has a normal. On an edge: has a tangent. At a corner: neither.
struct SurfacePoint {
    Vec3 point = Vec3::Zero();      ///< [m]
    Vec3 normal = Vec3::Zero();     ///< unit, outward; or zero
    Vec3 tangent = Vec3::Zero();    ///< unit, along the edge; or zero
    Vec3 curvature = Vec3::Zero();  ///< of the edge: it runs through point + s tangent + ½s² curvature [1/m]
};

struct SurfaceNode {
    Vec3 centre = Vec3::Zero();
    double radius = 0;
    int first = 0, count = 0;   ///< its points
    int left = -1, right = -1;  ///< −1: a leaf
};

struct SurfacePoints {
    std::vector<SurfacePoint> points;
    std::vector<SurfaceNode> nodes;  ///< the root first; empty without points
    double spacing = 0;              ///< [m]
};

/// Into a tree of spheres.
SurfacePoints surface_points(std::vector<SurfacePoint> points, double spacing);

/// Edges and corners only: a flat face or the side of a cylinder touches either with its edges, or the edges and points
/// of its partner, which lie in its distance.
SurfacePoints surface_points(const Box& box);
SurfacePoints surface_points(const Cylinder& cylinder);

/// Creases more densely than faces; at most about 4000 points. Moved outward by `padding`.
SurfacePoints surface_points(const SmoothSurface& surface, double padding);

}  // namespace clangor::rigid
