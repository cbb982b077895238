// Peaks between the samples.
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

constexpr int factor = 4;

/// The signal at quarters of samples: value 4i + j + 3 is at i + j/4. Three more stand before the first sample and
/// after the last.
std::vector<float> oversampled(std::span<const float> signal) {
    const long count = factor * (static_cast<long>(signal.size()) - 1) + 7;
    std::vector<double> positions(count);
    for (long i = 0; i < count; ++i) positions[i] = static_cast<double>(i - 3) / factor;
    return read_between(signal, positions);
}

/// The top of the parabola through three neighbours, if the middle one is a maximum of the magnitude; otherwise that
/// one.
float peak_near(float before, float here, float after) {
    const float sign = here < 0 ? -1.f : 1.f;
    const float y = sign * here, y_before = sign * before, y_after = sign * after;
    const float curvature = y_before - 2 * y + y_after;
    if (y < y_before || y < y_after || !(curvature < 0)) return y;
    const float slope = y_after - y_before;
    return y - slope * slope / (8 * curvature);
}

}  // namespace

std::vector<float> peaks_between(std::span<const float> signal) {
    std::vector<float> peaks(signal.size());
    if (signal.empty()) return peaks;
    const std::vector<float> fine = oversampled(signal);
    for (size_t i = 0; i < signal.size(); ++i) {
        float peak = std::abs(signal[i]);
        for (size_t j = factor * i + 1; j <= factor * i + 5; ++j)
            peak = std::max(peak, peak_near(fine[j - 1], fine[j], fine[j + 1]));
        peaks[i] = peak;
    }
    return peaks;
}

double true_peak(std::span<const float> signal) {
    const std::vector<float> peaks = peaks_between(signal);
    return peaks.empty() ? 0.0 : double(*std::max_element(peaks.begin(), peaks.end()));
}

}  // namespace clangor
