#include <clangor/radiation/plate/plate.hpp>

#include <array>
#include <cmath>

namespace clangor {
namespace {

using Complex = std::complex<double>;
constexpr int terms = 40;

/// The coefficients of a series in Z = (L + iz)/(L − iz), a rational function of z.
struct Series {
    double L = std::sqrt(terms / std::sqrt(2.0));
    std::array<double, terms> a = {};
    Series() {
        constexpr int half = 2 * terms;
        for (int n = 1; n <= terms; ++n) {
            for (int k = 1 - half; k < half; ++k) {
                const double phi = k * pi / half, t = L * std::tan(phi / 2);
                a[n - 1] += std::exp(-t * t) * (L * L + t * t) * std::cos(n * phi) / (2 * half);
            }
        }
    }
};

// The rational series of [Weideman1994], for Im z ≥ 0
Complex upper(Complex z) {
    static const Series series;
    const Complex iz(-z.imag(), z.real()), below = series.L - iz, Z = (series.L + iz) / below;
    Complex sum = 0;
    for (int n = terms; n-- > 0;) sum = sum * Z + series.a[n];
    return 2.0 * sum / (below * below) + 1.0 / (std::sqrt(pi) * below);
}

}  // namespace

Complex faddeeva(Complex z) { return z.imag() >= 0 ? upper(z) : 2.0 * std::exp(-z * z) - upper(-z); }

}  // namespace clangor
