// Two ears: on a rigid sphere, or as measured.
#pragma once

#include <clangor/listening/arrival.hpp>
#include <clangor/listening/delayed.hpp>
#include <clangor/listening/spherical_head.hpp>

#include <array>
#include <optional>

namespace clangor::listening {

/// What arrives at both ears in one window, left and right.
using BothEars = std::array<std::vector<float>, 2>;

struct EarOptions {
    double sample_rate = 48000;     ///< [Hz]
    long frames = 0;                ///< how long one listens
    double head_radius = 0.0875;    ///< [m]
    double speed_of_sound = 343.2;  ///< [m/s]
};

/// Ears on a sphere. Their filters remember one window in the next.
class SphericalEars {
public:
    explicit SphericalEars(const EarOptions& options)
        : options_(options), shadow_(options.head_radius, options.speed_of_sound, options.sample_rate) {}

    static constexpr long frames_around = HeadShadow::reach;
    double longest_delay() const { return pi / 2 * options_.head_radius / options_.speed_of_sound; }  ///< [s]

    bool at_rest() const { return ears_[0].low == 0 && ears_[1].low == 0; }

    /// `over`: the part is silent from its end on.
    BothEars next(const SignalPart& emitted, bool over, const DelayCurve& delay_curve, const FrameRange& window);

private:
    struct Ear {
        double low = 0;                ///< the filter's memory
        std::optional<long> end = {};  ///< the frame after the last that is heard, once that is known
    };
    EarOptions options_;
    HeadShadow shadow_;
    std::array<Ear, 2> ears_;
};

/// Ears as measured, whose responses end: a window needs no memory of the one before.
BothEars measured_ears(const SignalPart& emitted, const DelayCurve& delay_curve, const HeadMeasurement& head,
                       const FrameRange& window, const EarOptions& options);

/// The longest delay of the measurements, on top of the path's [s].
double longest_delay(const HeadMeasurement& head);

}  // namespace clangor::listening
