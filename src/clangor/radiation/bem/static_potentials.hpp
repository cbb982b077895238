// Static potentials (k = 0) of one flat triangle with linear densities, in closed form.
#pragma once

#include <clangor/core/core.hpp>

#include <array>

namespace clangor::bem {

/// Seen from the origin, R = |y|, n the triangle's normal, N_j linear and 1 at corner j. Divide by 4π for those of G =
/// 1/(4πR).
struct StaticPotentials {
    std::array<double, 3> single_layer = {0, 0, 0};  ///< ∫ N_j/R dS [m]; their sum is ∫ 1/R dS
    std::array<double, 3> double_layer = {0, 0, 0};  ///< ∫ N_j (n·y)/R³ dS; their sum is the solid angle
};

/// Corners counter-clockwise about the unit normal, relative to the point of observation. Exact however near that is;
/// finite parts on the triangle itself.
StaticPotentials static_potentials(const std::array<Vec3, 3>& corners, const Vec3& normal);

}  // namespace clangor::bem
