#include <clangor/signal/signal.hpp>

#include <cmath>

namespace clangor {

// s²/(s² + √2 ω s + ω²) by the bilinear transform, s = (1 − z⁻¹)/(1 + z⁻¹) and ω = tan(πf/rate): exact at f. Transposed
// direct form, in double: at 20 Hz and 48 kHz the poles are 2e-3 from 1, where float would leave a hum.
HighPass::HighPass(double hz, double rate_hz) {
    CLANGOR_ASSERT(hz > 0 && hz < rate_hz / 2, "the corner lies below half the sample rate");
    const double w = std::tan(pi * hz / rate_hz), norm = 1 / (1 + std::sqrt(2.0) * w + w * w);
    b0_ = norm, b1_ = -2 * norm, b2_ = norm;
    a1_ = 2 * (w * w - 1) * norm, a2_ = (1 - std::sqrt(2.0) * w + w * w) * norm;
}

void HighPass::operator()(std::span<float> samples) noexcept {
    constexpr double silent = 1e-30;  // far below a float's denormals, which would cost many times as much
    for (float& sample : samples) {
        const double in = double(sample), out = b0_ * in + s1_;
        s1_ = b1_ * in - a1_ * out + s2_;
        s2_ = b2_ * in - a2_ * out;
        if (in == 0 && std::abs(s1_) < silent && std::abs(s2_) < silent) s1_ = s2_ = 0;
        sample = float(out);
    }
}

}  // namespace clangor
