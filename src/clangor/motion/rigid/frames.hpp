// Motion that is known at frames only: where it came from, and where it went on.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

namespace clangor::rigid {

/// A pose and how it moves.
struct Course {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    Twist twist = {};
};

/// Continues the motion of the frames at or before `known` to a later time, evenly accelerated: what would have been
/// without an impact after them. Frames before `clean` are not read.
Course continued(const Trajectory& path, double known, double clean, double time);

/// The same, backwards from the frames at or after `known`.
Course traced_back(const Trajectory& path, double known, double time);

}  // namespace clangor::rigid
