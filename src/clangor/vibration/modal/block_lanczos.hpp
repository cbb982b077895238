// Block Lanczos with thick restart for (K − σM)⁻¹M. Internal to modal.
//
// Why blocks: at 10⁵ unknowns a solve with one right-hand side reads the whole factor (0.7 GB) for two flops a number.
// Sixteen at a time cost little more than one, and multiple eigenvalues (any symmetric body has them) come out
// together.
#pragma once

#include <clangor/vibration/modal/ldl.hpp>

namespace clangor {

struct LanczosOptions {
    long left = 0;            ///< eigenvalues wanted below the shift, the nearest ones
    long right = 0;           ///< and above it
    long block = 16;          ///< vectors per step
    double tolerance = 1e-9;  ///< on ‖u − OP u/θ‖
    int max_restarts = 60;
};

/// Eigenpairs near the shift, ascending. `converged` is false where max_restarts was not enough.
struct RitzPairs {
    Eigen::VectorXd lambda;   ///< [rad²/s²]
    Eigen::MatrixXd vectors;  ///< M-orthonormal
    long left = 0;            ///< how many of them are below the shift
    bool converged = false;
    long solves = 0;  ///< right-hand sides that were solved
};

/// The wanted eigenpairs, M-orthogonal to `locked` (whose columns must be M-orthonormal), and further ones on the right
/// that converged with them. K − σM must have been factored.
RitzPairs block_lanczos(const ShiftedFactor& factor, const SparseMatrix& M, const Eigen::MatrixXd& locked,
                        const LanczosOptions& options, const Progress& progress);

/// Columns of W made M-orthonormal among themselves.
Eigen::MatrixXd orthonormalized(const Eigen::MatrixXd& W, const SparseMatrix& M);

/// M X for symmetric M.
RowBlock multiply(const SparseMatrix& M, const RowBlock& X);

}  // namespace clangor
