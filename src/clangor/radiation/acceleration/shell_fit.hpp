// From pressures on spheres around a body to its model.
#pragma once

#include <clangor/radiation/acceleration/acceleration.hpp>

#include <vector>

namespace clangor::detail {

/// Where pressures were recorded: on each shell in all ring_directions(degree) of the frame, shell after shell.
struct ShellSetup {
    Vec3 centre = Vec3::Zero();
    Mat3 frame = Mat3::Identity();  ///< columns: the axes of the harmonics
    double radius = 0;              ///< of the body about the centre [m]
    std::vector<double> shells;     ///< radii, ascending; the first becomes the reference sphere [m]
    int degree = 0;                 ///< of the harmonics that the directions resolve
    double pulse_scale = 0;         ///< h [s]
    Air air = {};
};

Points shell_points(const ShellSetup& setup);

/// The motion's only field of `record`. Keeps at most `max_signals` harmonics.
NoiseMotion fit_motion(const ShellSetup& setup, const WaveRecord& record, int motion, int max_signals);

struct ShellFit {
    AccelerationNoise noise;
    double residual = 0;     ///< part of the recorded pressure (L2, by far energy) that the waves do not explain
    std::vector<int> heard;  ///< motions that were kept
};

/// The model of all motions together. Those that whisper beside the others are left out.
ShellFit assembled(const ShellSetup& setup, const std::vector<NoiseMotion>& motions);

}  // namespace clangor::detail
