#include <clangor/motion/contact/contact.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor {

namespace {

// ∫₀¹ sin^p(πx) dx  (docs/theory/contact.md, Eq. 4), through the Gamma function, since Apple's library has no
// std::beta.
double area_of_sine_power(double p) {
    return std::tgamma((p + 1) / 2) * std::tgamma(0.5) / (std::tgamma(p / 2 + 1) * pi);
}

const double hertz_area = area_of_sine_power(pulse_exponent(PulseShape::Hertz));

// The spectrum of a Hertz pulse between values and slopes at 64 places a cycle: cubic, so that the error is at most
// h⁴/384 times the fourth derivative, which is below π⁴.
class SpectrumTable {
public:
    SpectrumTable() {
        constexpr double aside = 1e-4;
        for (std::size_t i = 0; i < places_.size(); ++i) {
            const double at = double(i) / per_cycle;
            const double rise =
                pulse_spectrum(PulseShape::Hertz, at + aside) - pulse_spectrum(PulseShape::Hertz, at - aside);
            places_[i] = {pulse_spectrum(PulseShape::Hertz, at), rise / (2 * aside * per_cycle)};
        }
    }
    double operator()(double cycles) const noexcept {
        const double at = std::abs(cycles) * per_cycle;
        if (!(at < double(places_.size() - 1))) return pulse_spectrum(PulseShape::Hertz, cycles);
        const auto i = static_cast<std::size_t>(at);
        const double x = at - double(i), u = 1 - x;
        const Place &a = places_[i], &b = places_[i + 1];
        return u * u * ((1 + 2 * x) * a.value + x * a.slope) + x * x * ((1 + 2 * u) * b.value - u * b.slope);
    }

private:
    static constexpr double per_cycle = 64;
    struct Place {
        double value, slope;
    };
    std::array<Place, 24 * 64 + 1> places_;
};

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

double hertz_spectrum(double cycles) noexcept {
    static const SpectrumTable table;  // when it is asked for: other files' constants are needed
    return table(cycles);
}

}  // namespace clangor
