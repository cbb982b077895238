/// @file spherical.hpp — spherical harmonics and outgoing spherical waves: sound in the air outside a sphere.
/// Model     p = Σ_lm b_lm Y_lm(direction) h_l(kr)/h_l(kr₀) outside the sphere r₀ that holds all sources
///           docs/theory/acceleration-noise.md
/// In        directions, degrees, kr.
/// Out       values of harmonics, their coefficients from values on rings, and how each degree changes on its way.
/// Not here  who makes the sound (radiation/wave, radiation/bem) and what is kept of it (acceleration, transfer).
///
///     const Points directions = ring_directions(12);
///     const Eigen::MatrixXf b = harmonic_coefficients(values, 12);  // values: a field per row, a direction per column
#pragma once

#include <clangor/core/core.hpp>

#include <complex>
#include <vector>

namespace clangor {

/// Y_lm(direction) for all l ≤ degree at index l² + l + m: real, orthonormal on the sphere; m > 0 goes with cos mφ, m <
/// 0 with sin |m|φ, φ from x to y, θ from z. Polynomials in x, y, z: nothing happens at the poles.
Eigen::VectorXd spherical_harmonics(const Vec3& direction, int degree);

/// The degree l of the harmonic at index l² + l + m.
int degree_of(int harmonic);

/// Nodes in (−1, 1), ascending, and weights of the rule of Gauss and Legendre.
struct GaussRule {
    Eigen::VectorXd nodes, weights;
};
GaussRule gauss_legendre(int count);

/// (degree+1) × 2(degree+1) directions, rings of constant θ one after the other: Gauss's nodes in cos θ, equal steps in
/// φ. They tell all harmonics up to the degree from each other exactly.
Points ring_directions(int degree);

/// Coefficients of the harmonics up to `degree` from values at ring_directions(degree), one row of `values` a field: by
/// ring, then by order m. Costs 2(degree+1) times less than the full product.
Eigen::MatrixXf harmonic_coefficients(const Eigen::Ref<const Eigen::MatrixXf>& values, int degree);

/// h_l(kr)e^{ikr} / (h_l(kr₀)e^{ikr₀}) for l = 0 … degree, with z = kr and z₀ = kr₀ > 0: what is left of the wave at r,
/// over the time of emission. 1 for l = 0 but for the factor r₀/r, (r₀/r)^{l+1} where z → 0; never above r₀/r outside
/// r₀.
std::vector<std::complex<double>> outgoing_ratios(int degree, double z, double z0);

}  // namespace clangor
