// The signed distance of a body without a formula, on a grid.
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/motion/rigid/smooth_surface.hpp>

#include <vector>

namespace clangor::rigid {

/// Distance and direction out of a body, at some point.
struct Probe {
    double distance = 0;         ///< negative inside [m]
    Vec3 normal = Vec3::Zero();  ///< unit: where the distance grows fastest
};

/// Distances at the nodes of a grid: exact inside the body and in a band around it, a lower bound further out.
struct DistanceField {
    Vec3 low = Vec3::Zero();  ///< the first node [m]
    double cell = 0;          ///< [m]
    Eigen::Vector3i nodes = Eigen::Vector3i::Zero();
    double padding = 0;         ///< by which walls too thin for the cells were thickened on each side [m]
    std::vector<float> values;  ///< x fastest [m]

    long index(int i, int j, int k) const { return i + long(nodes.x()) * (j + long(nodes.y()) * k); }
};

/// `thickness` is the thinnest wall that matters [m].
DistanceField distance_field(const SmoothSurface& surface, double thickness, const Progress& progress);

/// Value and gradient of the quadratic B-spline over the nodes: both change without a jump from cell to cell, which
/// keeps what slides over the surface quiet.
Probe probe(const DistanceField& field, const Vec3& point);

/// Never more than the distance, and cheap: to cull by.
double distance_bound(const DistanceField& field, const Vec3& point);

}  // namespace clangor::rigid
