// Least squares without negative weights. Internal to subspace.
#pragma once

#include <Eigen/Core>

namespace clangor {

/// The w ≥ 0 with the least ½wᵀGw − cᵀw, G = AᵀA and c = Aᵀb, by Lawson and Hanson's active sets. `start` may be a
/// guess from which it is not far, or empty.
Eigen::VectorXd nonnegative_least_squares(const Eigen::MatrixXd& G, const Eigen::VectorXd& c,
                                          const Eigen::VectorXd& start = {});

}  // namespace clangor
