#include <clangor/signal/signal.hpp>

#include <cmath>

namespace clangor {

// s²/(s² + √2 ω s + ω²) by the bilinear transform, s = (1 − z⁻¹)/(1 + z⁻¹) and ω = tan(πf/rate): exact at f. Transposed direct form, in
// double: at 20 Hz and 48 kHz the poles are 2e-3 from 1, where float would leave a hum.
void high_pass(std::span<float> samples, double hz, double rate_hz) {
    CLANGOR_ASSERT(hz > 0 && hz < rate_hz / 2, "the corner lies below half the sample rate");
    const double w = std::tan(pi * hz / rate_hz), norm = 1 / (1 + std::sqrt(2.0) * w + w * w);
    const double b0 = norm, b1 = -2 * norm, b2 = norm;
    const double a1 = 2 * (w * w - 1) * norm, a2 = (1 - std::sqrt(2.0) * w + w * w) * norm;
    constexpr double silent = 1e-30;  // far below a float's denormals, which would cost many times as much
    double s1 = 0, s2 = 0;
    for (float& sample : samples) {
        const double in = double(sample), out = b0 * in + s1;
        s1 = b1 * in - a1 * out + s2;
        s2 = b2 * in - a2 * out;
        if (in == 0 && std::abs(s1) < silent && std::abs(s2) < silent) s1 = s2 = 0;
        sample = float(out);
    }
}

}  // namespace clangor
