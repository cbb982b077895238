// A look-ahead limiter for peaks between the samples.
#include <clangor/listening/audio.hpp>
#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>
#include <deque>

namespace clangor {
namespace {

std::span<const float> channel_of(const Audio& audio, long channel) {
    return {audio.samples.data() + channel * audio.frames(), static_cast<size_t>(audio.frames())};
}

/// The largest of all channels around each frame.
std::vector<float> peaks_of(const Audio& audio) {
    std::vector<float> peaks(audio.frames());
    for (long channel = 0; channel < audio.samples.rows(); ++channel) {
        const std::vector<float> own = peaks_between(channel_of(audio, channel));
        for (size_t i = 0; i < peaks.size(); ++i) peaks[i] = std::max(peaks[i], own[i]);
    }
    return peaks;
}

/// The smallest of the values from each one to `ahead` after it.
std::vector<double> smallest_ahead(const std::vector<double>& values, long ahead) {
    const long size = static_cast<long>(values.size());
    std::vector<double> out(values.size());
    std::deque<long> rising;  // candidates, from right to left: each is smaller than those further right
    for (long i = size - 1; i >= 0; --i) {
        while (!rising.empty() && values[rising.back()] >= values[i]) rising.pop_back();
        rising.push_back(i);
        while (rising.front() > i + ahead) rising.pop_front();
        out[i] = values[rising.front()];
    }
    return out;
}

/// Mean over each value and the `width` before it with the weights of a Hann window; 1 before the first.
std::vector<double> smoothed(const std::vector<double>& values, long width) {
    std::vector<double> weights(width + 1);
    double sum = 0;
    for (long k = 0; k <= width; ++k)
        sum += weights[k] = 1 - std::cos(2 * pi * static_cast<double>(k + 1) / static_cast<double>(width + 2));
    std::vector<double> out(values.size());
    for (long i = 0; i < static_cast<long>(values.size()); ++i) {
        double mean = 0;
        for (long k = 0; k <= width; ++k) mean += weights[k] * (i >= k ? values[i - k] : values[0]);
        out[i] = mean / sum;
    }
    return out;
}

/// Gains that bring each peak to the ceiling: down within the look-ahead before a peak, up again to 95 % after 100 ms.
std::vector<double> gains_for(const std::vector<float>& peaks, double ceiling, double sample_rate) {
    const long ahead = std::max(1L, std::lround(1.5e-3 * sample_rate));
    const double stay = std::exp(-3 / (0.1 * sample_rate));
    std::vector<double> gains(peaks.size());
    for (size_t i = 0; i < peaks.size(); ++i) gains[i] = double(peaks[i]) > ceiling ? ceiling / double(peaks[i]) : 1.0;
    gains = smallest_ahead(gains, ahead);
    for (size_t i = 1; i < gains.size(); ++i) gains[i] = std::min(gains[i], 1 - (1 - gains[i - 1]) * stay);
    return smoothed(gains, ahead);
}

}  // namespace

double true_peak_pa(const Audio& audio) {
    double peak = 0;
    for (long channel = 0; channel < audio.samples.rows(); ++channel)
        peak = std::max(peak, true_peak(channel_of(audio, channel)));
    return peak;
}

double limit_true_peak(Audio& audio, double ceiling) {
    CLANGOR_ASSERT(ceiling > 0, "a ceiling is a pressure");
    if (!audio.samples.allFinite())
        throw Error("the sound holds values that are not finite. Please report this with the scene.", Blame::Work);
    std::vector<double> gain(audio.frames(), 1.0);
    // A gain that moves also moves the values between the samples a little, so that a few rounds are needed: two or
    // three for clangs, each a thousandth below the ceiling.
    for (int round = 0; round < 8; ++round) {
        const std::vector<float> peaks = peaks_of(audio);
        if (peaks.empty() || double(*std::max_element(peaks.begin(), peaks.end())) <= ceiling) break;
        const std::vector<double> more = gains_for(peaks, 0.999 * ceiling, audio.sample_rate);
        for (long i = 0; i < audio.frames(); ++i) {
            gain[i] *= more[i];
            audio.samples.col(i) *= static_cast<float>(more[i]);
        }
    }
    const double left = true_peak_pa(audio);
    const double last = left > ceiling ? 0.999 * ceiling / left : 1.0;  // never met in the tests
    if (last < 1) audio.samples *= static_cast<float>(last);
    const double deepest = gain.empty() ? 1.0 : *std::min_element(gain.begin(), gain.end());
    return std::abs(20 * std::log10(deepest * last));
}

}  // namespace clangor
