#include <clangor/radiation/acceleration/pulse_spectrum.hpp>

#include <cmath>

namespace clangor::acceleration {

double centred_pulse_spectrum(PulseShape shape, double omega_tau) {
    const double a = 1 + pulse_exponent(shape) / 2, v = std::abs(omega_tau) / (2 * pi);
    const double scale = 2 * log_gamma(a) - log_gamma(a + v);
    if (v < a) return std::exp(scale - log_gamma(a - v));
    // 1/Γ(x) = Γ(1−x) sin(πx)/π where x ≤ 0
    const double x = a - v;
    return std::exp(scale + log_gamma(1 - x)) * std::sin(pi * x) / pi;
}

PulseTable::PulseTable(PulseShape shape) : values_(static_cast<long>(longest_omega_tau * 50) + 2) {
    for (long i = 0; i < values_.size(); ++i)
        values_[i] = static_cast<float>(centred_pulse_spectrum(shape, static_cast<double>(i) / 50));
}

const PulseTable& PulseTable::of(PulseShape shape) {
    static const PulseTable hertz(PulseShape::Hertz), half_sine(PulseShape::HalfSine);
    return shape == PulseShape::Hertz ? hertz : half_sine;
}

}  // namespace clangor::acceleration
