#include <clangor/motion/contact/contact.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

namespace {

// ∫₀¹ sin^p(πx) dx  (docs/theory/contact.md, Eq. 4), through the Gamma function, since Apple's library has no std::beta.
double area_of_sine_power(double p) {
    return std::tgamma((p + 1) / 2) * std::tgamma(0.5) / (std::tgamma(p / 2 + 1) * pi);
}

const double hertz_area = area_of_sine_power(pulse_exponent(PulseShape::Hertz));

}  // namespace

double pulse_area(PulseShape shape) noexcept { return shape == PulseShape::Hertz ? hertz_area : 2 / pi; }

double unit_pulse(PulseShape shape, double x) noexcept {
    if (!(0 < x && x < 1)) return 0;
    // The shorter side: sin(πx) near x = 1 would lose the digits of 1 − x.
    const double sine = std::sin(pi * std::min(x, 1 - x));
    return shape == PulseShape::Hertz ? std::pow(sine, pulse_exponent(shape)) / hertz_area : sine * (pi / 2);
}

}  // namespace clangor
