// What oscillators do, in closed form or by quadrature, in extended precision and without any of the tested code.
#pragma once

#include <clangor/core/core.hpp>

#include <algorithm>
#include <cmath>
#include <complex>

namespace clangor::test {

using Long = long double;
using LongComplex = std::complex<long double>;
inline constexpr Long long_pi = std::numbers::pi_v<long double>;

struct Mode {
    double omega = 0, xi = 0;
    LongComplex pole() const { return {-Long(xi) * Long(omega), omega_d()}; }
    Long omega_d() const { return Long(omega) * std::sqrt((1 - Long(xi)) * (1 + Long(xi))); }
};

/// ζ at time t after a unit impulse.
inline LongComplex after_impulse(const Mode& mode, Long t) {
    return t <= 0 ? LongComplex(0) : std::exp(mode.pole() * t) / mode.omega_d();
}

/// ζ at time t after the start of a half-sine of unit impulse and length τ:
/// ∫₀^T e^{−λs} sin bs ds = (b − e^{−λT}(λ sin bT + b cos bT))/(λ² + b²),  b = π/τ,  T = min(t, τ).
inline LongComplex during_half_sine(const Mode& mode, Long tau, Long t) {
    if (t <= 0) return 0;
    const LongComplex lambda = mode.pole();
    const Long b = long_pi / tau, T = std::min(t, tau);
    const LongComplex bracket =
        b * std::exp(lambda * t) - std::exp(lambda * (t - T)) * (lambda * std::sin(b * T) + b * std::cos(b * T));
    return bracket / (lambda * lambda + b * b) * (b / 2) / mode.omega_d();
}

/// ζ at time t after the start of a sin^p pulse: double-exponential quadrature, which no end-point singularity hurts.
inline LongComplex during_sine_power(const Mode& mode, Long p, Long tau, Long t) {
    if (t <= 0) return 0;
    const Long T = std::min(t, tau);
    const Long area = std::tgamma((p + 1) / 2) * std::tgamma(0.5L) / (std::tgamma(p / 2 + 1) * long_pi);
    const Long step = 1.0L / 32;
    LongComplex sum = 0;
    for (int i = -112; i <= 112; ++i) {
        const Long u = i * step, w = long_pi / 2 * std::sinh(u);
        const Long x = 1 / (1 + std::exp(-2 * w));  // (1 + tanh w)/2
        const Long weight = long_pi / 2 * std::cosh(u) / (2 * std::cosh(w) * std::cosh(w));
        sum +=
            std::exp(mode.pole() * (t - T * x)) * std::pow(std::max(0.0L, std::sin(long_pi * T * x / tau)), p) * weight;
    }
    return sum * step * T / (area * tau) / mode.omega_d();
}

}  // namespace clangor::test
