// The path of sound from a moving source to a moving listener.
#pragma once

#include <clangor/listening/audio.hpp>
#include <clangor/listening/microphone_array.hpp>

#include <functional>
#include <memory>
#include <span>

namespace clangor {

/// The delay of sound from a moving source to a capsule, at a steady control rate (1 kHz) of the time of *arrival*.
/// Between the control points everything is interpolated by cubics; after the last one it stays as it is there.
struct DelayCurve {
    double control_hz = 1000;
    Eigen::VectorXd delays;  ///< of the sound that arrives at i/control_hz [s]
    Points directions;       ///< unit, from the listener to where the source was, in the listener's frame
    long first = 0;          ///< where these are a part of all control points: which one is the first of them
    long total = -1;         ///< and how many there are in all; −1: these are all
};

struct MovingPoint {
    Vec3 position = Vec3::Zero();  ///< [m]
    Vec3 velocity = Vec3::Zero();  ///< [m/s]
};

/// When the sound that arrives at `time` was emitted: solves t_e + |listener(t) − source(t_e)|/c = t by Newton's
/// method, to a few roundings. `source` gives positions and velocities over time, also before 0. Sources slower than
/// sound have one such time; for others, one of several, or one of none: always finite and not later than `time`.
double emission_time(double time, const Vec3& listener, const std::function<MovingPoint(double)>& source,
                     double speed_of_sound);

/// Adds what one source makes at one capsule: `emitted` is the pressure that the capsule would have without any delay,
/// over the time of emission; its first sample is at time 0. It is delayed along the delay curve (Doppler), weighted or
/// filtered by direction, times `factor` (the reflection of a ground), and added to the array's channels, the first of
/// which is `first_channel` of the audio. Costs nothing while `emitted` is silent.
void add_arrival(Audio& audio, int first_channel, const MicrophoneArray& array, int capsule,
                 std::span<const float> emitted, const DelayCurve& delay_curve, double factor, double speed_of_sound);

/// A part of what a source emits, from sample `first` on.
struct EmittedPart {
    long first = 0;
    std::span<const float> samples;
    bool over = false;  ///< it is silent from the end of these samples on
};

/// The same piece by piece, for sound that is too long to be in memory at once. The samples are the same, however it is
/// cut into windows of a multiple of 32 frames.
class ArrivalStream {
public:
    struct Options {
        double sample_rate = 48000;  ///< [Hz]
        long frames = 0;             ///< of all windows together
        double factor = 1;
        double speed_of_sound = 343.2;  ///< [m/s]
    };
    /// The array outlives it.
    ArrivalStream(const MicrophoneArray& array, int capsule, const Options& options);
    ~ArrivalStream();
    ArrivalStream(ArrivalStream&&) noexcept;
    ArrivalStream& operator=(ArrivalStream&&) noexcept;

    /// What a window needs beside its own frames: the delay curve from so many frames before to so many after it, and
    /// of what is emitted whatever these delays reach, 32 samples on both sides, and so much earlier.
    struct Needs {
        long frames_before = 0, frames_after = 0;
        double more_delay = 0;  ///< [s]
    };
    Needs needs() const;

    /// While what is emitted is silent, nothing needs to be added.
    bool at_rest() const;

    /// Adds to the next window, which begins at frame `begin`.
    void add(Audio& window, int first_channel, long begin, const EmittedPart& emitted, const DelayCurve& delay_curve);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace clangor
