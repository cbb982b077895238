#include <clangor/radiation/spheres/gridding.hpp>

#include <cmath>

namespace clangor::spheres {
namespace {

// π√((w/σ)²(σ−½)² − 0.8), σ = 2: the best for this width and that oversampling [Beatty2005].
constexpr double beta = 18.63;

double kernel_value(double t) {
    const double u = 2 * t / kernel_width;
    return std::abs(u) < 1 ? std::cyl_bessel_i(0, beta * std::sqrt(1 - u * u)) / std::cyl_bessel_i(0, beta) : 0;
}

// I0′ = I1; I1(x)/x → ½ at the kernel's ends.
double kernel_slope(double t) {
    const double u = 2 * t / kernel_width;
    if (std::abs(u) >= 1) return 0;
    const double x = beta * std::sqrt(1 - u * u), ratio = x < 1e-6 ? 0.5 : std::cyl_bessel_i(1, x) / x;
    return -square(beta) * ratio * u * 2 / kernel_width / std::cyl_bessel_i(0, beta);
}

}  // namespace

GriddingKernel::GriddingKernel() : rows_(phases + 1) {
    for (int row = 0; row <= phases; ++row) {
        for (int j = 0; j < kernel_width; ++j) {
            const double t = j - points_before - static_cast<double>(row) / phases;
            rows_[static_cast<std::size_t>(row)].value[j] = static_cast<float>(kernel_value(t));
            rows_[static_cast<std::size_t>(row)].slope[j] = static_cast<float>(kernel_slope(t));
        }
    }
}

const GriddingKernel& GriddingKernel::of() {
    static const GriddingKernel kernel;
    return kernel;
}

double GriddingKernel::spectrum(double frequency) {
    const double under = square(beta) - square(pi * kernel_width * frequency), root = std::sqrt(std::abs(under));
    const double shape = under > 0 ? std::sinh(root) / root : std::sin(root) / root;
    return kernel_width * shape / std::cyl_bessel_i(0, beta);
}

}  // namespace clangor::spheres
