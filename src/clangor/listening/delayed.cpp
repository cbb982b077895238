#include <clangor/listening/delayed.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::detail {
namespace {

struct Range {
    double first = 0;
    double last = 0;
};

/// The samples of `emitted` that are heard, with what read_between makes of them at both ends; empty (first > last) if none.
Range sounding(std::span<const float> emitted) {
    const auto sounds = [](float value) { return value != 0; };
    const auto first = std::find_if(emitted.begin(), emitted.end(), sounds);
    if (first == emitted.end()) return {1, 0};
    const auto last = std::find_if(emitted.rbegin(), emitted.rend(), sounds);
    return {static_cast<double>(first - emitted.begin() - read_between_reach),
            static_cast<double>(emitted.rend() - last - 1 + read_between_reach)};
}

struct Frames {
    long begin = 0;
    long end = 0;
};

/// The frames whose time of emission may lie in the range, in steps of 32: delays change by little from one to the next.
Frames audible_frames(const Range& range, const ControlCurve& delays, const DelayOptions& options) {
    constexpr long step = 32;
    Frames frames = {options.frames, 0};
    const auto position = [&](long frame) {
        const double time = static_cast<double>(frame) / options.sample_rate;
        return (time - delays.at(time)) * options.sample_rate;
    };
    double before = position(0);
    for (long frame = 0; frame < options.frames; frame += step) {
        const double after = position(frame + step);
        if (std::max(before, after) + step >= range.first && std::min(before, after) - step <= range.last) {
            frames.begin = std::min(frames.begin, frame);
            frames.end = std::min(options.frames, frame + step);
        }
        before = after;
    }
    return frames;
}

}  // namespace

Delayed delayed(std::span<const float> emitted, const ControlCurve& delays, const DelayOptions& options) {
    const Range range = sounding(emitted);
    if (range.first > range.last) return {};
    const Frames frames = audible_frames(range, delays, options);
    if (frames.begin >= frames.end) return {};
    std::vector<double> positions(frames.end - frames.begin);
    for (long frame = frames.begin; frame < frames.end; ++frame) {
        const double time = static_cast<double>(frame) / options.sample_rate;
        positions[frame - frames.begin] = (time - delays.at(time)) * options.sample_rate;
    }
    Delayed out = {frames.begin, read_between(emitted, positions)};
    out.samples.resize(out.samples.size() + options.tail, 0.f);
    return out;
}

}  // namespace clangor::detail
