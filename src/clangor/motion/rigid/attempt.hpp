// Bodies on their way from one recorded frame to the next, as mechanics may have it.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

#include <algorithm>
#include <vector>

namespace clangor::rigid {

/// How a body moves at a frame: its pose is recorded, its velocities follow from how it came there.
struct State {
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    Vec3 velocity = Vec3::Zero();  ///< of the centre of mass [m/s]
    Vec3 spin = Vec3::Zero();      ///< [rad/s]
    double struck_at = 0;          ///< how fast the impacts of the last interval were, which leave them uncertain [m/s]
    std::vector<int> struck_by = {};  ///< whose they were
    int supported = 0;                ///< for how many frames something has been below it
    bool held = false;                ///< something touched it in the last interval
};

/// Instead of what the materials say.
struct Bounce {
    double restitution = 0, friction = 0;
};

/// Some bodies, retraced for two intervals: those that move first.
struct Attempt {
    Motion motion;
    double miss = 0;  ///< how far from where they are recorded they end [m]
};

/// From the way that a body takes to the one that it took.
struct Miss {
    Vec3 shift = Vec3::Zero(), turn = Vec3::Zero();
};

/// From a little before a time to a little after, on a clock that begins there.
inline Trajectory part_of(const Trajectory& path, double from, double span) {
    const double* const t = path.times.data();
    const long n = path.times.size();
    const long first = std::max(0L, long(std::upper_bound(t, t + n, from) - t) - 2);
    const long last = std::min(n, long(std::lower_bound(t, t + n, from + span) - t) + 2);
    return {path.times.segment(first, last - first).array() - from, path.positions.middleRows(first, last - first),
            path.rotations.middleRows(first, last - first)};
}

}  // namespace clangor::rigid
