// Which few triangles stand for all, and with what weights. Internal to subspace.
#pragma once

#include <clangor/vibration/subspace/subspace.hpp>

namespace clangor {

/// Modes of a shell of so many triangles.
struct SubspaceModes {
    const std::vector<ShellTriangle>& triangles;
    const Eigen::MatrixXd& shapes;  ///< U, all degrees of freedom
    const Eigen::VectorXd& omega;   ///< [rad/s]

    long vertices() const { return shapes.rows() / 6; }
};

/// Motions with q_i ~ N(0, 1/ω_i²), each scaled until a vertex moves by `largest`: one a column, which depends on its
/// number and the seed alone.
Eigen::MatrixXd random_motions(const SubspaceModes& modes, double largest, long count, std::uint64_t seed);

/// Uᵀg(Uq) − Λq of each column of q, summed over all triangles.
Eigen::MatrixXd forces_beyond_linear(const SubspaceModes& modes, const Eigen::MatrixXd& q);

/// What triangle f feels of each mode, 15×r.
Eigen::MatrixXd rows_of(const SubspaceModes& modes, long f);

struct TriangleCubature {
    std::vector<int> triangles;
    Eigen::VectorXd weights;  ///< [m²]
};

/// The best weights for random motions, of triangles that one after the other go best with what is left.
TriangleCubature triangle_cubature(const SubspaceModes& modes, double thickness, const SubspacePlanOptions& options,
                                   long count, const Progress& progress);

}  // namespace clangor
