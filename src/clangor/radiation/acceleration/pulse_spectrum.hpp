// Contact pulses as frequencies see them.
#pragma once

#include <clangor/motion/contact/contact.hpp>

namespace clangor::acceleration {

/// The spectrum of a pulse of unit impulse about its middle, a real function of ωτ with a sign (pulse_spectrum is its
/// magnitude):
///     M(ν) = ∫₀¹ u(x) cos(ν(x − ½)) dx = Γ(1+p/2)² / (Γ(1+p/2+ν/2π) Γ(1+p/2−ν/2π))
double centred_pulse_spectrum(PulseShape shape, double omega_tau);

/// Pulses of more samples are sampled instead: their spectrum has sunk to 2e-5 at half the sample rate.
inline constexpr int longest_pulse_samples = 128;

/// centred_pulse_spectrum from a table, to 3e-6, for pulses of up to longest_pulse_samples.
class PulseTable {
public:
    explicit PulseTable(PulseShape shape);
    static const PulseTable& of(PulseShape shape);

    float operator()(float omega_tau) const {
        const float at = omega_tau * steps_per_unit;
        const auto i = static_cast<int>(at);
        return values_[i] + (at - static_cast<float>(i)) * (values_[i + 1] - values_[i]);
    }

private:
    static constexpr double longest_omega_tau = 3.15 * longest_pulse_samples;
    static constexpr float steps_per_unit = 50;
    Eigen::VectorXf values_;
};

}  // namespace clangor::acceleration
