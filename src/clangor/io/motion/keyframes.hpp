// A trajectory as keyframes on straight lines. Private to its module.
#pragma once

#include <clangor/motion/record/record.hpp>

#include <vector>

namespace clangor::io {

struct Frames {
    std::vector<double> times;                  ///< k / frame_rate up to the duration, and the duration [s]
    std::vector<Vec3> positions;                ///< [m]
    std::vector<Eigen::Quaterniond> rotations;  ///< neighbours agree in sign
};

Frames frames_of(const Trajectory& path, double duration, double frame_rate);

/// The frames that suffice: what a straight line (or an even turn) between two kept ones gives at those left out is
/// within `tolerance` [m, rad]. The first and the last are kept; one alone where nothing ever moves.
std::vector<std::size_t> position_keys(const Frames& frames, double tolerance);
std::vector<std::size_t> rotation_keys(const Frames& frames, double tolerance);

}  // namespace clangor::io
