// Real spherical harmonics, and the directions from which their coefficients are read exactly.
#pragma once

#include <clangor/core/core.hpp>

#include <vector>

namespace clangor::detail {

/// Y_lm(direction) for all l ≤ degree at index l² + l + m: real, orthonormal on the sphere; m > 0 goes with cos mφ, m < 0 with
/// sin |m|φ, φ from x to y, θ from z. Polynomials in x, y, z: nothing happens at the poles.
Eigen::VectorXd spherical_harmonics(const Vec3& direction, int degree);

/// Nodes in (−1, 1), ascending, and weights of the rule of Gauss and Legendre.
struct GaussRule {
    Eigen::VectorXd nodes, weights;
};
GaussRule gauss_legendre(int count);

/// (degree+1) × 2(degree+1) directions, rings of constant θ one after the other: Gauss's nodes in cos θ, equal steps in φ. They
/// tell all harmonics up to the degree from each other exactly.
Points ring_directions(int degree);

/// Coefficients of the harmonics up to `degree` from values at ring_directions(degree), one row of `values` a field: by
/// ring, then by order m. Costs 2(degree+1) times less than the full product.
Eigen::MatrixXf harmonic_coefficients(const Eigen::Ref<const Eigen::MatrixXf>& values, int degree);

}  // namespace clangor::detail
