/// @file contact.hpp — the force of one contact over time.
/// Model     F(t) = (J/(A_p τ)) sin^p(πt/τ), 0 < t < τ;  ∫F dt = J                 docs/theory/contact.md
/// In        an impulse and a contact time.
/// Out       ContactPulse: vibration is driven by it, acceleration noise will be.
/// Not here  where and when bodies meet (motion/rigid).
///
///     const ContactPulse tap{.start = 0.1, .duration = 2e-4, .impulse = {0, -0.02, 0}};
///     const double force = tap.impulse.norm() / tap.duration * unit_pulse(tap.shape, 0.5);  // its peak [N]
#pragma once

#include <clangor/core/core.hpp>

namespace clangor {

/// Hertz: sin^1.5886, within 0.3 % of the exact Hertz peak. HalfSine: what the papers use, peak 14.6 % low.
enum class PulseShape { Hertz, HalfSine };

/// A contact force: its direction is the impulse's, its time integral is the impulse.
struct ContactPulse {
    double start = 0;             ///< [s]
    double duration = 0;          ///< 0: an instantaneous impulse [s]
    Vec3 impulse = Vec3::Zero();  ///< [N·s]
    PulseShape shape = PulseShape::Hertz;
};

/// The pulse of unit impulse and unit duration, at x = (t − start)/duration; 0 outside (0, 1). The audio thread may
/// call it.
double unit_pulse(PulseShape shape, double x) noexcept;

/// p of sin^p: the pulse grows as x^p after its start.
constexpr double pulse_exponent(PulseShape shape) noexcept { return shape == PulseShape::Hertz ? 1.5886 : 1.0; }

/// A_p = ∫₀¹ sin^p(πx) dx = B((p+1)/2, ½)/π; 1/A_p is the peak force times τ/J.
double pulse_area(PulseShape shape) noexcept;

}  // namespace clangor
