// Quadrature over a patch of a skin whose border need not follow the faces. Internal to solid.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <vector>

namespace clangor {

struct PatchPoint {
    int face = 0;                      ///< of the skin
    std::array<double, 6> shape = {};  ///< shape functions of the face's nodes
    double area = 0;                   ///< that it stands for [m²]
    Vec3 position = Vec3::Zero();      ///< [m]
    Vec3 normal = Vec3::Zero();        ///< outward
};

/// Faces that lie in the patch have seven points, exact for products of two shape functions of a straight face; those
/// that its border crosses are divided until pieces are a sixty-fourth of them.
std::vector<PatchPoint> patch_points(const Skin& skin, const PatchDistance& distance);

}  // namespace clangor
