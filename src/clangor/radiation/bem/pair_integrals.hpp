// Integrals over pairs of triangles that are too close for the quick rule.
#pragma once

#include <clangor/radiation/bem/elements.hpp>

#include <array>
#include <complex>

namespace clangor::bem {

/// G = e^{−ikR}/(4πR); i counts the corners of the triangle of x, j those of the triangle of y.
struct PairIntegrals {
    using Block = std::array<std::array<std::complex<double>, 3>, 3>;
    Block single_layer = {};  ///< ∫∫ N_i(x) N_j(y) G dS dS [m³]
    Block double_layer = {};  ///< ∫∫ N_i(x) N_j(y) ∂G/∂n_y dS dS [m²]
};

/// Pairs whose centroids are farther apart than this many diameters (of the larger) are left to three points on each.
inline constexpr double far_ratio = 3.0;

/// Any pair, also a triangle with itself.
PairIntegrals pair_integrals(const Element& x, const Element& y, double k);

/// ∫ N_j G dS and ∫ N_j ∂G/∂n_y dS over one triangle, seen from a point however near.
struct PointPotentials {
    std::array<std::complex<double>, 3> single_layer = {};
    std::array<std::complex<double>, 3> double_layer = {};
};
PointPotentials point_potentials(const Vec3& x, const Element& y, double k);

}  // namespace clangor::bem
