#include "map_fit.hpp"

#include <Eigen/QR>

#include <algorithm>
#include <cmath>

namespace clangor::modal_transfer {
namespace {

// The spheres as the fit sees them: p e^{ikr} r/R, so that the one at infinity is like the others.
struct FitSpheres {
    Eigen::VectorXd u;          ///< R/r of each sphere; 0: infinitely far away
    Eigen::MatrixXcd radial;    ///< G_l(kr) r/R: a row a sphere, a column a degree
    Eigen::VectorXd loudness2;  ///< ∫|p r/R|² over directions: Σ_l E_l |radial_l|²
};

/// E_l = Σ_m |b_lm|²
Eigen::VectorXd energies(const ModeTransfer& mode) {
    Eigen::VectorXd E(mode.degree + 1);
    for (int l = 0; l <= mode.degree; ++l)
        E[l] = mode.coefficients.segment(l * l, 2 * l + 1).cast<std::complex<double>>().squaredNorm();
    return E;
}

FitSpheres fit_spheres(const ModalTransfer& baked, const ModeTransfer& mode, const MapOptions& options, bool limit) {
    const double R = baked.radius, k = mode.omega / baked.air.speed_of_sound, z0 = k * baked.reference_radius;
    const double first = nearest_distance(baked, options);
    const Eigen::VectorXd E = energies(mode);
    FitSpheres spheres{
        Eigen::VectorXd::Zero(options.spheres + 1), Eigen::MatrixXcd(options.spheres + 1, mode.degree + 1), {}};
    for (int i = 0; i <= options.spheres; ++i) {
        // G_l departs from its limit by l²/z: 1e12 is infinity in double precision.
        const double z = i < options.spheres ? k * first * std::pow(options.growth, i) : 1e12;
        if (i < options.spheres) spheres.u[i] = k * R / z;
        const std::vector<std::complex<double>> G = outgoing_ratios(mode.degree, z, z0);
        for (int l = 0; l <= mode.degree; ++l) spheres.radial(i, l) = G[l] * (z / (k * R));
    }
    spheres.loudness2 = spheres.radial.cwiseAbs2() * E;
    // Low tones of high degree are silent far away: nothing to weigh against there.
    const bool heard = spheres.loudness2[options.spheres] > 1e-200;
    if (!limit || !heard) {
        spheres.u.conservativeResize(options.spheres);
        spheres.radial.conservativeResize(options.spheres, Eigen::NoChange);
        spheres.loudness2.conservativeResize(options.spheres);
    }
    return spheres;
}

Eigen::VectorXcd turned(const Eigen::VectorXd& u, double phase) {
    return (std::complex<double>(0, phase) * u.cast<std::complex<double>>()).array().exp().matrix();
}

// Residual² = tr(Q D C D*), Q the projector onto what powers of u cannot make, C = Σ_l E_l (W g_l)(W g_l)*, D = diag
// e^{iκu}: a trial of κ costs no more than a product of 7×7 matrices. Waves from inside R bend by at most k(R sin
// ϑ)²/2r, so κ ≤ kR/2; a little more allows for harmonics that have not died out. Two passes of 33 find κ to 0.002 kR,
// where the error is flat.
double best_phase(const Eigen::MatrixXd& Q, const Eigen::MatrixXcd& C, const Eigen::VectorXd& u, double largest) {
    const auto residual = [&](double phase) {
        const Eigen::VectorXcd D = turned(u, phase);
        return (Q.cast<std::complex<double>>() * (D.asDiagonal() * C * D.conjugate().asDiagonal())).trace().real();
    };
    double best = 0, least = residual(0), centre = largest / 2, half = largest / 2;
    for (int pass = 0; pass < 2; ++pass) {
        for (int i = -16; i <= 16; ++i) {
            const double phase = std::max(0.0, centre + half * i / 16);
            const double value = residual(phase);
            if (value < least) least = value, best = phase;
        }
        centre = best;
        half /= 16;
    }
    return best;
}

}  // namespace

double nearest_distance(const ModalTransfer& baked, const MapOptions& options) {
    return std::max(options.nearest * baked.radius, baked.reference_radius);
}

// min Σ_i w_i² ∫|Σ_m u_i^{m−1} Ψ_m − e^{iκu_i} p_i r_i/R|² dΩ with w_i = 1/‖p_i‖. All directions share one matrix and
// harmonics are orthonormal, so each degree is fitted by itself     docs/theory/transfer.md, Eq. 6
RadialFit fit_terms(const ModalTransfer& baked, const ModeTransfer& mode, const MapOptions& options,
                    const FitVariant& variant) {
    const FitSpheres spheres = fit_spheres(baked, mode, options, variant.limit);
    const long rows = spheres.u.size(), M = options.terms;
    const Eigen::VectorXd W = spheres.loudness2.cwiseSqrt().cwiseInverse();
    Eigen::MatrixXd A(rows, M);
    for (long m = 0; m < M; ++m)
        for (long i = 0; i < rows; ++i) A(i, m) = m == 0 ? 1 : A(i, m - 1) * spheres.u[i];
    // Columns of equal length first: the rank is then judged by what matters.
    const Eigen::MatrixXd WA = W.asDiagonal() * A;
    const Eigen::VectorXd column = WA.colwise().norm().cwiseInverse();
    const Eigen::MatrixXd scaled = WA * column.asDiagonal();
    const Eigen::MatrixXd inverse = column.asDiagonal() * scaled.completeOrthogonalDecomposition().pseudoInverse();
    const Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(rows, rows) - WA * inverse;
    const Eigen::MatrixXcd Wg = W.asDiagonal() * spheres.radial;
    const Eigen::MatrixXcd C = Wg * energies(mode).asDiagonal() * Wg.adjoint();

    RadialFit fit;
    if (variant.phase)
        fit.phase = best_phase(Q, C, spheres.u, 0.75 * mode.omega / baked.air.speed_of_sound * baked.radius);
    const Eigen::VectorXcd D = turned(spheres.u, fit.phase);
    fit.terms = inverse.cast<std::complex<double>>() * (D.asDiagonal() * Wg);
    const Eigen::MatrixXcd residual = D.asDiagonal() * Wg - WA.cast<std::complex<double>>() * fit.terms;
    fit.error = std::sqrt((residual.cwiseAbs2() * energies(mode)).mean());
    return fit;
}

}  // namespace clangor::modal_transfer
