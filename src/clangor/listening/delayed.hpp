// What a source emits, as it arrives after a changing delay.
#pragma once

#include <clangor/listening/control_curve.hpp>

#include <span>
#include <vector>

namespace clangor::listening {

/// Samples of a signal from `first` on: all of it that is asked for, and is not silent.
struct SignalPart {
    long first = 0;
    std::span<const float> samples;

    bool silent() const;
    long last() const;  ///< the last that is not silent; before `first` where all are
};

struct FrameRange {
    long begin = 0, end = 0;
    bool empty() const { return begin >= end; }
};

/// Those of `within` for which something of `emitted` may be heard.
FrameRange audible_frames(const SignalPart& emitted, const ControlCurve& delays, double sample_rate,
                          const FrameRange& within);

/// Nothing of `emitted` is heard from this frame on.
bool all_arrived(const SignalPart& emitted, const ControlCurve& delays, double sample_rate, long frame);

/// out(t) = emitted(t − delay(t)) for these frames; silence where nothing can be heard costs nothing.
std::vector<float> delayed(const SignalPart& emitted, const ControlCurve& delays, double sample_rate,
                           const FrameRange& frames);

}  // namespace clangor::listening
