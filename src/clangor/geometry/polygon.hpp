// Closed polygons in the plane: whether they are sound, and their moments.
#pragma once

#include <clangor/geometry/outline_charges.hpp>

namespace clangor {

struct PolygonMoments {
    double area = 0;                                     ///< positive if counter-clockwise [m²]
    Eigen::Vector2d centroid = Eigen::Vector2d::Zero();  ///< [m]
    Eigen::Matrix2d second = Eigen::Matrix2d::Zero();    ///< ∫ x xᵀ dA about the centroid [m⁴]
};
PolygonMoments moments_of(const Outline& outline);

/// The polygon counter-clockwise, each corner once. Throws Error if it has nothing inside, cuts or touches itself, or
/// has more than 1000 corners.
Outline checked_outline(const std::vector<Eigen::Vector2d>& corners);

}  // namespace clangor
