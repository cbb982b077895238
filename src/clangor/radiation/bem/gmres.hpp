// The generalised minimal residual method, without restarts.
#pragma once

#include <clangor/core/core.hpp>

#include <complex>
#include <functional>

namespace clangor::bem {

struct GmresResult {
    Eigen::VectorXcd x;
    int iterations = 0;
    double residual = 0;  ///< ‖b − A x‖/‖b‖, evaluated, not estimated
    bool converged = false;
};

using LinearMap = std::function<Eigen::VectorXcd(const Eigen::VectorXcd&)>;

/// A P⁻¹ (P x) = b with the preconditioner on the right, so that the residual is that of A x = b  [Saad1986]. Sums are
/// in double precision: what A loses in single does not add up over the iterations.
GmresResult gmres(const LinearMap& A, const LinearMap& P_inverse, const Eigen::VectorXcd& b, double tolerance,
                  int max_iterations, const Progress& progress);

}  // namespace clangor::bem
