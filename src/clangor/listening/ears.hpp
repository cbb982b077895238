// Two ears: on a rigid sphere, or as measured.
#pragma once

#include <clangor/listening/arrival.hpp>

#include <array>

namespace clangor::detail {

/// What arrives at an ear: samples from frame `begin` on.
struct EarSignal {
    long begin = 0;
    std::vector<float> samples;
};
using BothEars = std::array<EarSignal, 2>;  ///< left, right

struct EarOptions {
    double sample_rate = 48000;     ///< [Hz]
    long frames = 0;                ///< how long one listens
    double head_radius = 0.0875;    ///< [m]
    double speed_of_sound = 343.2;  ///< [m/s]
};

BothEars spherical_ears(std::span<const float> emitted, const Passage& passage, const EarOptions& options);
BothEars measured_ears(std::span<const float> emitted, const Passage& passage, const HeadMeasurement& head,
                       const EarOptions& options);

}  // namespace clangor::detail
