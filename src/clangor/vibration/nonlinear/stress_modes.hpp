// How a wall is stretched when modes bend it, in few numbers: what in-plane motion cannot relax. Internal to nonlinear.
#pragma once

#include <clangor/vibration/shell/shell.hpp>

#include <cstdint>

namespace clangor {

/// Modes to be reduced, and how their wall stretches.
struct BendingModes {
    const WallStretch& wall;
    Eigen::MatrixXd shapes;  ///< U, all degrees of freedom
    Eigen::VectorXd omega;   ///< [rad/s]
    double thickness = 0;    ///< the thinnest [m]
};

/// How the shell gives way to forces on all degrees of freedom: T K⁺ Tᵀ where supports leave it motions Tv, K⁺ where
/// it is free and T is empty.
struct Relaxation {
    Compliance compliance;
    SparseMatrix expansion;  ///< T

    Eigen::MatrixXd operator()(const Eigen::MatrixXd& forces) const {
        if (expansion.cols() == 0) return compliance(forces);
        return expansion * compliance(expansion.transpose() * forces);
    }
};

/// Orthonormal self-stresses and stresses of modes, W.
struct StressModes {
    Eigen::MatrixXd stresses;  ///< 6F×K, what a strain does work on: c(q) = stressesᵀ n(Uq) [J^1/2]
    Eigen::MatrixXd coupling;  ///< Lᵀ, K×r [1/s]
};

/// Self-stress that is frozen into the wall, and how much of it: −amplitude·stress does work on strains.
struct FrozenStress {
    Eigen::VectorXd stress = {};  ///< 6F, its energy is ½ J; empty: there is none [J^1/2]
    double amplitude = 0;         ///< [J^1/2]
};

/// What is left where each triangle would grow in its plane by so much, and all has given way to it, modes as well.
FrozenStress frozen_stress(const WallStretch& wall, const Relaxation& relaxation, const Eigen::VectorXd& growth);

/// Random motions of one thickness, q_i ~ N(0, 1/ω_i²), one a column: each depends on its number and the seed alone.
Eigen::MatrixXd random_poses(const BendingModes& modes, long count, std::uint64_t seed);

/// The `count` stresses that carry most of the energy of 3·count such motions, fewer where there are no more. The first
/// of them is the frozen one, where there is one.
StressModes stress_modes(const BendingModes& modes, const Relaxation& relaxation, const FrozenStress& frozen,
                         long count, std::uint64_t seed, const Progress& progress);

/// c of each column of q.
Eigen::MatrixXd stretches(const BendingModes& modes, const StressModes& stress, const Eigen::MatrixXd& q);

}  // namespace clangor
