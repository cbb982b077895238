// What a source emits, as it arrives after a changing delay.
#pragma once

#include <clangor/listening/control_curve.hpp>

#include <span>
#include <vector>

namespace clangor::detail {

struct Delayed {
    long begin = 0;              ///< frame of the first sample
    std::vector<float> samples;  ///< from there on; silent before and after
};

struct DelayOptions {
    double sample_rate = 48000;  ///< [Hz]
    long frames = 0;             ///< how long one listens
    long tail = 0;               ///< frames of silence to append, for a filter to die out
};

/// out(t) = emitted(t − delay(t)). Only the frames that `emitted` is not silent for are there.
Delayed delayed(std::span<const float> emitted, const ControlCurve& delays, const DelayOptions& options);

}  // namespace clangor::detail
