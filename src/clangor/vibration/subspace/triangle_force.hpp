// What one triangle does beyond its linear force, in the 15 numbers that it feels. Internal to subspace.
#pragma once

#include <Eigen/Core>

namespace clangor {

using Vec15 = Eigen::Matrix<double, 15, 1>;
using Form6 = Eigen::Matrix<double, 6, 6>;

struct TriangleForce {
    double potential = 0;  ///< W − ½ yᵀ∂²W y [J]
    Vec15 gradient;        ///< of it
};

/// Exact for any rotations. Nothing large is subtracted: small motions keep their digits.
TriangleForce beyond_linear(const Form6& membrane, const Form6& bending, const Vec15& y);

/// ∂²W y at rest.
Vec15 linear_force(const Form6& membrane, const Form6& bending, const Vec15& y);

}  // namespace clangor
