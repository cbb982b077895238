// Poses of one body as they are recorded.
#pragma once

#include <clangor/motion/record/record.hpp>

#include <vector>

namespace clangor::rigid {

/// Positions and rotations of its frame, three and four numbers each.
struct Poses {
    std::vector<double> times, positions, rotations;

    void record(double time, const Eigen::Isometry3d& pose) {
        if (!times.empty() && times.back() == time) return;
        times.push_back(time);
        const Vec3 position = pose.translation();
        const Eigen::Quaterniond rotation = Eigen::Quaterniond(pose.linear()).normalized();
        positions.insert(positions.end(), position.begin(), position.end());
        rotations.insert(rotations.end(), rotation.coeffs().begin(), rotation.coeffs().end());
    }
    Trajectory trajectory() const {
        const long count = static_cast<long>(times.size());
        return {Eigen::VectorXd::Map(times.data(), count), Points::Map(positions.data(), count, 3),
                Rotations::Map(rotations.data(), count, 4)};
    }
};

}  // namespace clangor::rigid
