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

struct ShellFit {
    AccelerationNoise noise;
    double residual = 0;  ///< part of the recorded pressure (L2, all fields) that the waves do not explain
};

/// record.pressure holds the six fields. Keeps at most `max_signals` harmonics a field.
ShellFit fit_shells(const ShellSetup& setup, const WaveRecord& record, int max_signals);

}  // namespace clangor::detail
