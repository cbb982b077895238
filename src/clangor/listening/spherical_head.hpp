// A rigid sphere with two ears: how late and how bright sound is on the side of an ear.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <span>
#include <vector>

namespace clangor::listening {

/// How much later than at the centre of the head a wave reaches an ear whose axis is θ away from the source's direction
/// [Woodworth1938]: −(a/c) cos θ where it sees the source, (a/c)(θ − π/2) where the wave creeps around. Twice
/// differentiable at 90°.
double ear_delay(double theta, double head_radius, double speed_of_sound);  ///< [s]

/// Gain of high frequencies over low ones, from 2 at the near ear down to 0.1 at 150° and up again to 0.28 on the far
/// side [BrownDuda1998, Eq. 3 and 4].
double ear_brightness(double theta);

/// The head's shadow [BrownDuda1998, Eq. 2], of which α alone depends on direction:
///     H = (1 + iαω/2ω₀) / (1 + iω/2ω₀) = 1 + (α − 1) G,   G = 1 − L,   L = 1/(1 + iω/2ω₀),   ω₀ = c/a
/// α is a gain behind a filter that never changes, so that it may move from sample to sample without a click.
class HeadShadow {
public:
    HeadShadow(double head_radius, double speed_of_sound, double sample_rate);

    static constexpr int reach = 8;

    /// G of the signal, less `reach` samples at each of its ends. `low` is the filter's memory before the first of
    /// these; it is left as that after the last.
    std::vector<float> high_passed(std::span<const float> signal, double& low) const;

    /// The same of a whole signal, silent before and after.
    std::vector<float> high_passed(std::span<const float> signal) const;

    long decay_samples() const;  ///< until the filter's memory is below 1e-7

private:
    std::array<double, 2 * reach + 1> taps_ = {};  ///< b_{−8} … b_8
    double pole_;
};

}  // namespace clangor::listening
