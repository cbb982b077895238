// How the radial part of each degree is put into a few powers of R/r.
#pragma once

#include <clangor/radiation/transfer/transfer.hpp>

namespace clangor::modal_transfer {

/// p e^{ikr} ≈ e^{−iκR/r} Σ_m Ψ_m (R/r)^m with Ψ_m = Σ_l α_ml Σ_m′ b_lm′ Y_lm′.
struct RadialFit {
    double phase = 0;             ///< κ ≥ 0 [rad]
    Eigen::MatrixXcd terms = {};  ///< α, a row for each m = 1 … M, a column for each degree
    double error = 0;             ///< relative, root mean square over directions and spheres
};

/// What differs from the fit of [Chadwick2009]; without both it is theirs.
struct FitVariant {
    bool limit = true;  ///< one more sphere, infinitely far away
    bool phase = true;  ///< κ is sought; otherwise 0
};

/// The distance from the centre from which maps are used: the nearest sphere, and never inside the reference sphere
/// [m].
double nearest_distance(const ModalTransfer& baked, const MapOptions& options);

/// Weighted least squares over the spheres. The mode has coefficients that are not all zero.
RadialFit fit_terms(const ModalTransfer& baked, const ModeTransfer& mode, const MapOptions& options,
                    const FitVariant& variant = {});

}  // namespace clangor::modal_transfer
