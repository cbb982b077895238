// Poses between the recorded ones.
#include <clangor/motion/record/record.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// The interval of a time, and where in it: times[i] + x·step.
struct Between {
    long i = 0;
    double step = 0;
    double x = 0;  // 0 to 1
    bool outside = true;
};

Between between(const Eigen::VectorXd& times, double time) {
    const long n = times.size();
    if (n < 2 || time < times[0]) return {};
    if (time >= times[n - 1]) return {.i = n - 1};
    const double* const first = times.data();
    const long i = std::upper_bound(first, first + n, time) - first - 1;
    const double step = times[i + 1] - times[i];
    return {.i = i, .step = step, .x = (time - times[i]) / step, .outside = false};
}

Eigen::Quaterniond rotation_at(const Trajectory& trajectory, long i) {
    const auto row = trajectory.rotations.row(i);
    return {row[3], row[0], row[1], row[2]};
}

// The slope of the interpolant at one recorded time: the weighted harmonic mean of the secants on both sides, or zero where
// the path turns back  [Fritsch1984, Eq. 5].
double slope_at(const Trajectory& trajectory, long i, long axis) {
    const Eigen::VectorXd& t = trajectory.times;
    const long last = t.size() - 1;
    const auto secant = [&](long k) {
        return (trajectory.positions(k + 1, axis) - trajectory.positions(k, axis)) / (t[k + 1] - t[k]);
    };
    if (i == 0) return secant(0);
    if (i == last) return secant(last - 1);
    const double before = secant(i - 1), after = secant(i);
    if (before * after <= 0) return 0;
    const double alpha = (1 + (t[i + 1] - t[i]) / (t[i + 1] - t[i - 1])) / 3;
    return before * after / (alpha * after + (1 - alpha) * before);
}

}  // namespace

Trajectory at_rest(const Eigen::Isometry3d& pose) {
    const Eigen::Quaterniond rotation(pose.linear());
    Trajectory trajectory{Eigen::VectorXd::Zero(1), Points(1, 3), Rotations(1, 4)};
    trajectory.positions.row(0) = pose.translation().transpose();
    trajectory.rotations.row(0) = rotation.normalized().coeffs().transpose();
    return trajectory;
}

bool moves(const Trajectory& trajectory) {
    for (long i = 1; i < trajectory.times.size(); ++i)
        if (trajectory.positions.row(i) != trajectory.positions.row(0) ||
            trajectory.rotations.row(i) != trajectory.rotations.row(0))
            return true;
    return false;
}

double last_motion(const Trajectory& trajectory) {
    long i = trajectory.times.size() - 1;
    while (i > 0 && trajectory.positions.row(i) == trajectory.positions.row(i - 1) &&
           trajectory.rotations.row(i) == trajectory.rotations.row(i - 1))
        --i;
    return trajectory.times[i];
}

Eigen::Isometry3d pose_at(const Trajectory& trajectory, double time) {
    const Between at = between(trajectory.times, time);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    if (at.outside) {
        pose.translation() = trajectory.positions.row(at.i).transpose();
        pose.linear() = rotation_at(trajectory, at.i).toRotationMatrix();
        return pose;
    }
    const double x = at.x, h = at.step;
    for (long axis = 0; axis < 3; ++axis) {
        const double from = trajectory.positions(at.i, axis), to = trajectory.positions(at.i + 1, axis);
        pose.translation()[axis] =
            from + (to - from) * x * x * (3 - 2 * x) +
            h * x * (1 - x) * ((1 - x) * slope_at(trajectory, at.i, axis) - x * slope_at(trajectory, at.i + 1, axis));
    }
    // What does not turn keeps its rotation to the last bit, however long that lasts.
    const bool turns = trajectory.rotations.row(at.i) != trajectory.rotations.row(at.i + 1);
    const Eigen::Quaterniond rotation = rotation_at(trajectory, at.i);
    pose.linear() =
        (turns ? rotation.slerp(x, rotation_at(trajectory, at.i + 1)).normalized() : rotation).toRotationMatrix();
    return pose;
}

Twist twist_at(const Trajectory& trajectory, double time) {
    const Between at = between(trajectory.times, time);
    if (at.outside) return {};
    const double x = at.x, h = at.step;
    Twist twist;
    for (long axis = 0; axis < 3; ++axis) {
        const double secant = (trajectory.positions(at.i + 1, axis) - trajectory.positions(at.i, axis)) / h;
        twist.linear[axis] = 6 * x * (1 - x) * secant + (1 - x) * (1 - 3 * x) * slope_at(trajectory, at.i, axis) +
                             x * (3 * x - 2) * slope_at(trajectory, at.i + 1, axis);
    }
    Eigen::Quaterniond turn = rotation_at(trajectory, at.i + 1) * rotation_at(trajectory, at.i).conjugate();
    if (turn.w() < 0) turn.coeffs() *= -1;  // the short way round, as slerp goes
    const Eigen::AngleAxisd about(turn);
    twist.angular = about.axis() * (about.angle() / h);
    return twist;
}

Vec3 point_velocity(const Eigen::Isometry3d& pose, const Twist& twist, const Vec3& point_body) {
    return twist.linear + twist.angular.cross(pose.linear() * point_body);
}

}  // namespace clangor
