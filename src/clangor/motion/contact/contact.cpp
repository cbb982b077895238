#include <clangor/motion/contact/contact.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

namespace {

// ∫₀¹ sin^p(πx) dx  (docs/theory/contact.md, Eq. 4), through the Gamma function, since Apple's library has no
// std::beta.
double area_of_sine_power(double p) {
    return std::tgamma((p + 1) / 2) * std::tgamma(0.5) / (std::tgamma(p / 2 + 1) * pi);
}

const double hertz_area = area_of_sine_power(pulse_exponent(PulseShape::Hertz));

}  // namespace

double log_gamma(double x) noexcept {
    int sign = 0;
    return ::lgamma_r(x, &sign);
}

double pulse_area(PulseShape shape) noexcept { return shape == PulseShape::Hertz ? hertz_area : 2 / pi; }

double unit_pulse(PulseShape shape, double x) noexcept {
    if (!(0 < x && x < 1)) return 0;
    // The shorter side: sin(πx) near x = 1 would lose the digits of 1 − x.
    const double sine = std::sin(pi * std::min(x, 1 - x));
    return shape == PulseShape::Hertz ? std::pow(sine, pulse_exponent(shape)) / hertz_area : sine * (pi / 2);
}

// ∫₀¹ sin^p(πx) e^{−2πiνx} dx about its middle is 2^{−p} Γ(p+1) / (Γ(1+p/2+ν) Γ(1+p/2−ν))  [DLMF, Eq. 5.12.5]
double pulse_spectrum(PulseShape shape, double cycles) noexcept {
    const double p = pulse_exponent(shape), nu = std::abs(cycles);
    int sign = 1;
    const double both = log_gamma(1 + p / 2 + nu) + ::lgamma_r(1 + p / 2 - nu, &sign);
    return sign * std::exp(log_gamma(p + 1) - p * std::log(2.0) - both) / pulse_area(shape);
}

}  // namespace clangor
