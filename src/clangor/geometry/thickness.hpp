// How thick a body is near each part of its surface.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <vector>

namespace clangor::geometry {

struct ThicknessSample {
    Vec3 point;            ///< on the surface [m]
    double thickness = 0;  ///< of the body behind it [m]
    double spacing = 0;    ///< to the next samples, about [m]
    double area = 0;       ///< of the surface that this sample stands for [m²]
    int face = -1;         ///< that it lies on; it speaks for those before it that have none
};

/// About `count` samples, spread evenly over a closed surface. Thickness is the median over five rays into the body of
/// the depth at which they leave it, measured along the inward normal (after the shape diameter function
/// [Shapira2008]): the wall of a plate, nearly the diameter of a ball, and undisturbed by the near sides of an edge.
std::vector<ThicknessSample> thickness_samples(const Surface& surface, int count);

}  // namespace clangor::geometry
