/// @file spheres.hpp — acceleration noise of colliding balls: each collision exactly, millions of them band-limited.
/// Model     p = (ρ0 a c cosθ/r)[f′ + (c/r) f](t − (r−a)/c),  f″ + 2l f′ + 2l² f = A(t),  l = c/a
///           docs/theory/grain-sound.md
/// In        when, where and how hard two balls meet: SphereCollision, from a simulator, a file or a density.
/// Out       sound pressure at a listener, in blocks.
/// Not here  what finds the collisions (motion/grains), what rings (vibration): a body that is no ball is silent here.
///
///     const SpherePair beads = sphere_pair({0.001, glass}, {0.001, glass});
///     const std::vector<SphereCollision> taps = {collision_of(beads, {.time = 0.1, .speed = 0.5})};
///     const SphereSoundOptions options{.listener = {0, 0, 0.15}, .radii = {0.001}};
///     const std::vector<float> heard = sphere_sound(taps, options, 1.0).pressure;  // of a second [Pa]
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/motion/contact/contact.hpp>

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace clangor {

/// Two balls that touch, or a ball and something else.
struct SphereCollision {
    double time = 0;                    ///< when the contact begins [s]
    Vec3 point = Vec3::Zero();          ///< where they touch [m]
    Vec3 normal = Vec3::UnitX();        ///< unit, out of the second, into the first
    Vec3 impulse = Vec3::Zero();        ///< that the first receives, friction included; the second its opposite [N·s]
    std::array<double, 2> radii = {};   ///< 0 for what is no ball, as a wall, and makes no sound here [m]
    std::array<double, 2> masses = {};  ///< of the balls [kg]
    double duration = 0;                ///< τ of the contact [s]
};

/// Longer contacts make no audible sound; SphereSound takes them for as long as this [s].
inline constexpr double longest_sphere_contact = 4e-3;

/// One of two balls. An infinite radius stands for a wall that does not move.
struct SphereKind {
    double radius = 0;  ///< [m]
    Material material = {};
};

/// What all collisions of two kinds of balls share.
struct SpherePair {
    std::array<double, 2> radii = {};   ///< 0 for a wall [m]
    std::array<double, 2> masses = {};  ///< infinite for a wall [kg]
    double unit_duration = 0;           ///< τ at 1 m/s; it goes with speed^(−1/5) [s]
};
SpherePair sphere_pair(const SphereKind& first, const SphereKind& second);

/// How two balls of a pair meet.
struct SphereMeeting {
    double time = 0;                   ///< [s]
    Vec3 point = Vec3::Zero();         ///< [m]
    Vec3 normal = Vec3::UnitX();       ///< unit, out of the second, into the first
    double speed = 0;                  ///< at which they approach, > 0 [m/s]
    double restitution = 1;            ///< parting speed over approach speed, where there is no friction …
    std::optional<Vec3> impulse = {};  ///< … or what the first receives in all [N·s]
};
SphereCollision collision_of(const SpherePair& pair, const SphereMeeting& meeting);

/// One ball that is accelerated along an axis by a pulse.
struct SpherePush {
    double radius = 0;           ///< [m]
    double velocity_change = 0;  ///< along the axis [m/s]
    double duration = 0;         ///< τ > 0 [s]
    PulseShape shape = PulseShape::Hertz;
};

/// Samples in time, the k-th at start + k·step.
struct SampleTimes {
    double start = 0;  ///< [s]
    double step = 0;   ///< [s]
    long count = 0;
};

/// The pressure at `distance` from the centre, in a direction at cos_theta to the axis, exact at each sample: closed
/// for the half-sine, by an exact recurrence over short straight pieces of Hertz's pulse (1e-6 of the peak). The push
/// begins at time 0.
std::vector<double> push_pressure(const SpherePush& push, const Air& air, double distance, double cos_theta,
                                  const SampleTimes& times);

/// The pressure of both balls of a collision, exact at each sample; the time is that of the collision.
std::vector<double> collision_pressure(const SphereCollision& collision, const Vec3& listener, const Air& air,
                                       PulseShape shape, const SampleTimes& times);

/// max |f′| and l·max |f| per unit change of velocity for a pulse of length T = lτ, within 0.2 %: what a ball's
/// pressure cannot exceed.
struct PushPeaks {
    double far = 0, near = 0;
};
PushPeaks push_peaks(PulseShape shape, double l_tau);

/// A bound of the pressure of a collision at a listener, over all frequencies: the sum of the peaks of its balls [Pa].
double loudest_pressure(const SphereCollision& collision, const Vec3& listener, const Air& air, PulseShape shape);

struct SphereSoundOptions {
    double sample_rate_hz = 48000;
    Vec3 listener = Vec3::Zero();  ///< [m]; one inside a ball hears what is heard at its surface
    Air air = {};
    PulseShape shape = PulseShape::Hertz;
    /// A collision whose loudest_pressure is below this is left out and counted; 0: none [Pa].
    double threshold = 2e-5;
    /// Of all balls that may come. Up to 16 different ones are exact; between the ends of more of them spectra are
    /// interpolated [m].
    std::vector<double> radii = {};
};

struct SphereSoundCount {
    long heard = 0;      ///< collisions that are in the sound
    long quiet = 0;      ///< … that are left out as too quiet
    double loudest = 0;  ///< of all, by loudest_pressure [Pa]
};

/// The sound of a stream of collisions at one listener, band-limited: to 0.4535 of the sample rate the spectrum of each
/// is that of its exact waveform, and nothing is left from half of it on   docs/theory/grain-sound.md, section 4.
/// The samples depend neither on how the stream is cut nor on the number of threads.
class SphereSound {
public:
    /// `first` is the sample that comes out first; sample k is at k/sample_rate_hz. What is heard before it is lost.
    explicit SphereSound(const SphereSoundOptions& options, long first = 0);
    ~SphereSound();
    SphereSound(SphereSound&&) noexcept;
    SphereSound& operator=(SphereSound&&) noexcept;

    /// Collisions in any order, but none before the time that samples have been taken for.
    void add(std::span<const SphereCollision> collisions);

    /// Samples that no collision at `time` or later can change, from where the last call ended. They come out in
    /// blocks of some hundredths of a second, so that there may be none.
    std::vector<float> take_before(double time);

    /// Samples up to this one, whatever may still come.
    std::vector<float> take_until(long sample);

    SphereSoundCount count() const;

private:
    struct Stream;
    std::unique_ptr<Stream> stream_;
};

struct SphereSoundResult {
    std::vector<float> pressure;  ///< from time 0 [Pa]
    SphereSoundCount count;
};

/// All at once. Collisions may be in any order.
SphereSoundResult sphere_sound(std::span<const SphereCollision> collisions, const SphereSoundOptions& options,
                               double duration);

}  // namespace clangor
