// From pressures on spheres around a body to its model.
#pragma once

#include <clangor/radiation/acceleration/acceleration.hpp>

#include <vector>

namespace clangor::acceleration {

/// Where pressures were recorded: on each sphere in all ring_directions(degree) of the frame, sphere after sphere.
struct RecordingSpheres {
    Vec3 centre = Vec3::Zero();
    Mat3 frame = Mat3::Identity();        ///< columns: the axes of the harmonics
    double radius = 0;                    ///< of the body about the centre [m]
    std::vector<double> recording_radii;  ///< radii, ascending; the first becomes the reference sphere [m]
    int degree = 0;                       ///< of the harmonics that the directions resolve
    double pulse_scale = 0;               ///< h [s]
    Air air = {};
};

Points shell_points(const RecordingSpheres& setup);

/// The motion's only field of `record`. Keeps at most `max_signals` harmonics.
NoiseMotion fit_motion(const RecordingSpheres& setup, const WaveRecord& record, int motion, int max_signals);

struct SphereFit {
    AccelerationNoise noise;
    double residual = 0;     ///< part of the recorded pressure (L2, by far energy) that the waves do not explain
    std::vector<int> heard;  ///< motions that were kept
};

/// The model of all motions together. Those that whisper beside the others are left out.
SphereFit assembled(const RecordingSpheres& setup, const std::vector<NoiseMotion>& motions);

}  // namespace clangor::acceleration
