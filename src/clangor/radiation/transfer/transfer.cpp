// The baked waves of all modes, summed at a point.
#include <clangor/radiation/transfer/transfer.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {

bool ModalTransfer::complete() const {
    return std::all_of(modes.begin(), modes.end(), [](const ModeTransfer& mode) { return mode.degree >= 0; });
}

std::size_t ModalTransfer::bytes() const {
    std::size_t total = 0;
    for (const ModeTransfer& mode : modes) total += sizeof(std::complex<float>) * mode.coefficients.size();
    return total;
}

// Far away p r → Σ A_lm Y_lm e^{−ikr} with A_lm = b_lm r G_l, and harmonics are orthonormal: P = Σ|A_lm|²/2ρ0c.
Eigen::VectorXd radiation_damping(const ModalTransfer& baked) {
    const double c = baked.air.speed_of_sound, r0 = baked.reference_radius, far = 1e6;
    Eigen::VectorXd damping = Eigen::VectorXd::Zero(static_cast<long>(baked.modes.size()));
    for (std::size_t j = 0; j < baked.modes.size(); ++j) {
        const ModeTransfer& mode = baked.modes[j];
        if (mode.degree < 0) continue;
        const double z0 = mode.omega / c * r0;
        const std::vector<std::complex<double>> spread = outgoing_ratios(mode.degree, far * z0, z0);
        double sum = 0;
        for (int l = 0; l <= mode.degree; ++l)
            sum += square(far * r0) * std::norm(spread[l]) *
                   static_cast<double>(mode.coefficients.segment(l * l, 2 * l + 1).squaredNorm());
        damping[static_cast<long>(j)] = sum / (2 * baked.air.density * c) / cube(mode.omega);
    }
    return damping;
}

bool in_near_field(const ModalTransfer& baked, const Vec3& listener) {
    return (listener - baked.centre).norm() < baked.reference_radius;
}

// P_j = Σ_l G_l(kr) Σ_m b_lm Y_lm, G_l as outgoing_ratios has it     docs/theory/transfer.md, Eq. 1
Eigen::VectorXcd transfer(const ModalTransfer& baked, const Vec3& listener) {
    const Vec3 arm = listener - baked.centre;
    const double distance = arm.norm(), r = std::max(distance, baked.reference_radius);
    const Vec3 direction = distance > 0 ? Vec3(arm / distance) : Vec3::UnitZ();
    int degree = 0;
    for (const ModeTransfer& mode : baked.modes) degree = std::max(degree, mode.degree);
    const Eigen::VectorXd Y = spherical_harmonics(direction, degree);

    Eigen::VectorXcd pressures = Eigen::VectorXcd::Zero(static_cast<long>(baked.modes.size()));
    for (long j = 0; j < pressures.size(); ++j) {
        const ModeTransfer& mode = baked.modes[j];
        if (mode.coefficients.size() == 0) continue;  // silent
        CLANGOR_ASSERT(mode.coefficients.size() == (mode.degree + 1) * (mode.degree + 1), "all harmonics of a degree");
        const double k = mode.omega / baked.air.speed_of_sound;
        const std::vector<std::complex<double>> G = outgoing_ratios(mode.degree, k * r, k * baked.reference_radius);
        for (int l = 0; l <= mode.degree; ++l) {
            const int first = l * l, count = 2 * l + 1;
            const std::complex<double> on_reference = mode.coefficients.segment(first, count)
                                                          .cast<std::complex<double>>()
                                                          .cwiseProduct(Y.segment(first, count))
                                                          .sum();
            pressures[j] += G[l] * on_reference;
        }
        if (!std::isfinite(std::abs(pressures[j])))
            throw Error(
                fmt::format("the sound of mode {} is not a number at ({}, {}, {}): check the listener's position, "
                            "and bake the object again",
                            j, listener.x(), listener.y(), listener.z()),
                Blame::Work);
    }
    return pressures;
}

}  // namespace clangor
