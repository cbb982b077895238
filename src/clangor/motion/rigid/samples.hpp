// Motion that is known at frames: mean velocities between them, and what they tell about an impact.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

#include <vector>

namespace clangor::rigid {

/// Exported bodies seldom touch exactly: solvers keep a margin, meshes differ from what collided [m].
inline constexpr double touch_gap = 1.5e-3;

/// Axis times angle that takes one rotation to another [rad].
Vec3 turn_from(const Mat3& from, const Mat3& to);

/// The poses of some bodies of a world at common frames. Interval k is from frame k to frame k + 1.
class Samples {
public:
    /// `free` tells whose poses are asked for often; the others are where their paths say.
    Samples(const RigidWorld& world, const std::vector<char>& free, const std::vector<double>& frames);

    std::size_t count() const { return frames_.size(); }
    double time(std::size_t k) const { return frames_[k]; }
    double length(std::size_t k) const { return frames_[k + 1] - frames_[k]; }
    bool is_free(std::size_t i) const { return free_[i]; }
    double radius(std::size_t i) const { return radii_[i]; }  ///< about its centre of mass [m]
    Eigen::Isometry3d pose(std::size_t i, std::size_t k) const;
    Vec3 centre(std::size_t i, std::size_t k) const;    ///< of mass [m]
    Vec3 velocity(std::size_t i, std::size_t k) const;  ///< mean of an interval, of the centre of mass [m/s]
    Vec3 spin(std::size_t i, std::size_t k) const;      ///< mean of an interval [rad/s]

    /// By how much the velocities of its points change at most from interval k − 1 to interval k [m/s].
    double change(std::size_t i, std::size_t k) const;

    /// It does not move before, in or after this interval.
    bool rests(std::size_t i, std::size_t k) const;

    /// Its velocities change in this interval hardly more than they do around it. Not at the first two and last two.
    bool is_smooth(std::size_t i, std::size_t k) const;

    /// At frame k, of a motion without jumps, from the means of four intervals, to fourth order.
    Vec3 smooth_velocity(std::size_t i, std::size_t k) const;
    Vec3 smooth_spin(std::size_t i, std::size_t k) const;

    /// How far apart the points of an impact are along its normal (towards its first body) at a frame [m].
    double apart(const Impact& impact, const Vec3& normal, std::size_t k) const;

    /// By how much their speed along the normal changes about interval k, less what it goes on changing by before and
    /// after: what rolls, rocks or swings past something turns round too, but no faster than it did or will [m/s].
    double jump(const Impact& impact, const Vec3& normal, std::size_t k) const;

    /// How far apart the two bodies are near the place of an impact; `margin` where that is more [m].
    double gap_near(const Impact& impact, std::size_t k, double margin) const;

private:
    const RigidWorld& world_;
    const std::vector<char>& free_;
    const std::vector<double>& frames_;
    std::vector<std::vector<Eigen::Isometry3d>> poses_;
    std::vector<double> radii_;
};

}  // namespace clangor::rigid
