// Laplace potentials of one flat triangle, in closed form.
#pragma once

#include <clangor/core/core.hpp>

#include <array>

namespace clangor::compact {

/// Seen from the origin, r = |y|, n the triangle's normal. Divide by 4π for the potentials of G = 1/(4πr).
struct TrianglePotentials {
    double single_layer = 0;                         ///< ∫ 1/r dS [m]
    std::array<double, 3> double_layer = {0, 0, 0};  ///< ∫ N_i (n·y)/r³ dS, N_i linear, 1 at corner i; sum: solid angle
};

/// Corners counter-clockwise about the unit normal, relative to the point of observation. Exact anywhere but on an
/// edge's inside, where the potentials are finite parts.
TrianglePotentials triangle_potentials(const std::array<Vec3, 3>& corners, const Vec3& normal);

/// Signed solid angle, positive if the triangle shows its back: 4π from within a closed surface, 0 from without.
double solid_angle(const std::array<Vec3, 3>& corners);

}  // namespace clangor::compact
