#include <clangor/render/sine_cosine.hpp>

#include <cmath>

namespace clangor {
namespace {

// π/2 in three parts, the first two of 33 bits, so that so many quarter turns of them are exact.
constexpr double first_part = 1.57079632673412561417, second_part = 6.07710050630396597660e-11,
                 third_part = 2.02226624879595063154e-21;
constexpr double most_quarters = 1 << 19;

}  // namespace

SineCosine sine_cosine(const Eigen::ArrayXd& angle) {
    const long count = angle.size();
    SineCosine out{Eigen::ArrayXd(count), Eigen::ArrayXd(count)};
    if (count > 0 && !(angle.abs().maxCoeff() < most_quarters)) {
        for (long k = 0; k < count; ++k) out.sine[k] = std::sin(angle[k]), out.cosine[k] = std::cos(angle[k]);
        return out;
    }
    const double* const from = angle.data();
    double *const sines = out.sine.data(), *const cosines = out.cosine.data();
#pragma omp simd
    for (long k = 0; k < count; ++k) {
        const double quarters = std::rint(from[k] * (2 / pi));
        const double x = ((from[k] - quarters * first_part) - quarters * second_part) - quarters * third_part,
                     y = x * x;
        // Their series, to below 3e-17 for |x| ≤ π/4.
        double s = 1.0 / 355687428096000, c = 1.0 / 20922789888000;
        s = s * y - 1.0 / 1307674368000, c = c * y - 1.0 / 87178291200;
        s = s * y + 1.0 / 6227020800, c = c * y + 1.0 / 479001600;
        s = s * y - 1.0 / 39916800, c = c * y - 1.0 / 3628800;
        s = s * y + 1.0 / 362880, c = c * y + 1.0 / 40320;
        s = s * y - 1.0 / 5040, c = c * y - 1.0 / 720;
        s = s * y + 1.0 / 120, c = c * y + 1.0 / 24;
        s = s * y - 1.0 / 6, c = c * y - 0.5;
        s = x + x * (s * y), c = 1 + c * y;
        // 0, 1, ±2 or −1; not by floor, which the compiler does one by one
        const double quadrant = quarters - 4 * std::rint(quarters * 0.25), size = std::abs(quadrant);
        const double sine = size == 1 ? c : s, cosine = size == 1 ? s : c;
        sines[k] = sine * (std::abs(quadrant - 0.5) > 1 ? -1.0 : 1.0);
        cosines[k] = cosine * (std::abs(quadrant + 0.5) > 1 ? -1.0 : 1.0);
    }
    return out;
}

}  // namespace clangor
