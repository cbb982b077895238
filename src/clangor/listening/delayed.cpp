#include <clangor/listening/delayed.hpp>

#include <clangor/signal/signal.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::listening {
namespace {

// Frames whose positions are kept at a time.
constexpr long stretch = 1L << 16;

constexpr long step = 32;  // of frames that are looked at for whether something is heard

bool sounds(float value) { return value != 0; }

double position_at(long frame, const ControlCurve& delays, double sample_rate) {
    const double time = static_cast<double>(frame) / sample_rate;
    return (time - delays.at(time)) * sample_rate;
}

}  // namespace

bool SignalPart::silent() const { return std::none_of(samples.begin(), samples.end(), sounds); }

long SignalPart::last() const {
    const auto found = std::find_if(samples.rbegin(), samples.rend(), sounds);
    return first + static_cast<long>(samples.rend() - found) - 1;
}

bool all_arrived(const SignalPart& emitted, const ControlCurve& delays, double sample_rate, long frame) {
    const double last = static_cast<double>(emitted.last() + read_between_reach);
    return position_at(frame, delays, sample_rate) - static_cast<double>(step) > last;
}

// In steps: delays change by little from one to the next.
FrameRange audible_frames(const SignalPart& emitted, const ControlCurve& delays, double sample_rate,
                          const FrameRange& within) {
    const auto begin = std::find_if(emitted.samples.begin(), emitted.samples.end(), sounds);
    if (begin == emitted.samples.end()) return {within.end, within.begin};
    const double first = static_cast<double>(emitted.first + (begin - emitted.samples.begin()) - read_between_reach);
    const double last = static_cast<double>(emitted.last() + read_between_reach);
    FrameRange frames = {within.end, within.begin};
    double before = position_at(within.begin, delays, sample_rate);
    for (long frame = within.begin; frame < within.end; frame += step) {
        const double after = position_at(std::min(frame + step, within.end), delays, sample_rate);
        if (std::max(before, after) + step >= first && std::min(before, after) - step <= last) {
            frames.begin = std::min(frames.begin, frame);
            frames.end = std::min(within.end, frame + step);
        }
        before = after;
    }
    return frames;
}

std::vector<float> delayed(const SignalPart& emitted, const ControlCurve& delays, double sample_rate,
                           const FrameRange& frames) {
    std::vector<float> out(static_cast<size_t>(frames.end - frames.begin));
    const FrameRange audible = audible_frames(emitted, delays, sample_rate, frames);
    std::vector<double> positions;
    for (long from = audible.begin; from < audible.end; from += stretch) {
        positions.clear();
        // A whole number of samples less is exact, so that a part is read as the whole would be.
        for (long frame = from; frame < std::min(audible.end, from + stretch); ++frame)
            positions.push_back(position_at(frame, delays, sample_rate) - static_cast<double>(emitted.first));
        const std::vector<float> piece = read_between(emitted.samples, positions);
        std::copy(piece.begin(), piece.end(), out.begin() + (from - frames.begin));
    }
    return out;
}

}  // namespace clangor::listening
