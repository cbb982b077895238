// Which keyframes are samples of a motion, and which are its corners.
#include <clangor/io/motion/gltf_motion.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::io::gltf {
namespace {

// Ten to a thousand frames a second. Whatever is keyed more seldom was keyed by hand.
constexpr double longest_frame = 0.1, shortest_frame = 1e-3;  // [s]

// Times are single precision: after an hour they are off by 0.1 ms, a hundredth of a frame.
constexpr double uneven = 0.05;  // of a frame

// The mean frame, from the gaps of up to four frames, counted in the smallest gap.
double mean_frame(const std::vector<double>& gaps, double smallest) {
    double time = 0, frames = 0;
    for (const double gap : gaps) {
        const double count = std::round(gap / smallest);
        if (count > 4) continue;
        time += gap;
        frames += count;
    }
    return time / frames;
}

}  // namespace

std::optional<double> frame_step(const std::vector<double>& keys) {
    if (keys.size() < 3) return std::nullopt;
    std::vector<double> gaps;
    for (std::size_t i = 0; i + 1 < keys.size(); ++i) gaps.push_back(keys[i + 1] - keys[i]);
    gaps.pop_back();  // the last key ends the clip, wherever that is
    const double smallest = *std::ranges::min_element(gaps);
    if (!(smallest >= shortest_frame * (1 - uneven) && smallest <= longest_frame * (1 + uneven))) return std::nullopt;
    const double step = mean_frame(gaps, smallest);
    for (const double gap : gaps) {
        const double count = gap / step;
        // In a long gap what the mean is off by adds up: a thousandth of each frame.
        if (std::abs(count - std::round(count)) > uneven + 1e-3 * count) return std::nullopt;
    }
    return step;
}

std::vector<double> frames_among(const std::vector<double>& keys, double step) {
    const double coarse = std::max(step, 1.0 / 60);
    std::vector<double> times;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        times.push_back(keys[i]);
        if (i + 1 == keys.size() || keys[i + 1] - keys[i] < 1.5 * step) continue;
        const double first = keys[i] + step, last = std::max(first, keys[i + 1] - step);
        const int parts = std::max(1, static_cast<int>(std::ceil((last - first) / coarse - 1e-2)));
        for (int k = 0; k < parts; ++k) times.push_back(first + (last - first) * k / parts);
        if (last - first > 0.5 * step) times.push_back(last);
    }
    return times;
}

}  // namespace clangor::io::gltf
