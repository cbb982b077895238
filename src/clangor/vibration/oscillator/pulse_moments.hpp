// A contact pulse as one sample interval sees it.
#pragma once

#include <clangor/motion/contact/contact.hpp>

#include <array>

namespace clangor::oscillator {

/// Legendre terms of e^{λ(h−s)} over one step: for |λh| < π the seventeenth is below 1e-14.
inline constexpr int moment_count = 16;

using Moments = std::array<double, moment_count>;

/// P_0(x) … P_15(x).
Moments legendre_polynomials(double x) noexcept;

/// Makes the tables that pulse_moments reads. Call it once before the audio thread does.
void prepare_pulses();

/// ∫ of the pulse of unit impulse and unit duration up to x, from 0 before its start to 1 from its end on. Error below
/// 1e-12.
double pulse_until(PulseShape shape, double x) noexcept;

/// μ_n = ∫₀¹ f(s) P_n(2s−1) ds, where the pulse f has unit impulse, starts at s = start and lasts `duration` ≥ 0, both
/// in samples from the beginning of the interval. Error below 1e-13.
Moments pulse_moments(PulseShape shape, double start, double duration) noexcept;

}  // namespace clangor::oscillator
