// Three frames make a velocity and an acceleration.
#include <clangor/motion/rigid/frames.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::rigid {
namespace {

constexpr double same_time = 1e-9;  // [s]

Eigen::Quaterniond rotation_of(const Trajectory& path, long i) {
    const auto row = path.rotations.row(i);
    return {row[3], row[0], row[1], row[2]};
}

// Mean velocity and spin from frame i to frame j.
Twist mean_twist(const Trajectory& path, long i, long j) {
    const double span = path.times[j] - path.times[i];
    Eigen::Quaterniond turn = rotation_of(path, j) * rotation_of(path, i).conjugate();
    if (turn.w() < 0) turn.coeffs() *= -1;
    const Eigen::AngleAxisd about(turn);
    return {(path.positions.row(j) - path.positions.row(i)).transpose() / span, about.axis() * (about.angle() / span)};
}

// From frame i, with up to two more on the given side, to a time on the other side.
Course extended(const Trajectory& path, long i, long side, long more, double time) {
    Course course;
    course.pose.translation() = path.positions.row(i).transpose();
    course.pose.linear() = rotation_of(path, i).toRotationMatrix();
    if (more == 0) return course;
    const auto ordered = [&](long from, long to) { return mean_twist(path, std::min(from, to), std::max(from, to)); };
    const Twist near = ordered(i, i + side);
    Twist acceleration;
    const double middle = (path.times[i] + path.times[i + side]) / 2;
    if (more >= 2) {
        const Twist far = ordered(i + side, i + 2 * side);
        const double apart = middle - (path.times[i + side] + path.times[i + 2 * side]) / 2;
        acceleration = {(near.linear - far.linear) / apart, (near.angular - far.angular) / apart};
    }
    const double ahead = time - path.times[i], from_middle = path.times[i] - middle;
    const Vec3 v = near.linear + from_middle * acceleration.linear,
               w = near.angular + from_middle * acceleration.angular;
    course.pose.translation() += ahead * v + ahead * ahead / 2 * acceleration.linear;
    const Vec3 turn = ahead * w + ahead * ahead / 2 * acceleration.angular;
    if (const double angle = turn.norm(); angle > 0)
        course.pose.linear() = Eigen::AngleAxisd(angle, turn / angle).toRotationMatrix() * course.pose.linear();
    course.twist = {v + ahead * acceleration.linear, w + ahead * acceleration.angular};
    return course;
}

}  // namespace

Course continued(const Trajectory& path, double known, double clean, double time) {
    const double* const first = path.times.data();
    const long n = path.times.size();
    const long i = std::max(0L, long(std::upper_bound(first, first + n, known + same_time) - first) - 1);
    if (i == n - 1 && time > path.times[n - 1] + same_time) return extended(path, i, -1, 0, time);  // it stops there
    long more = 0;
    while (more < 2 && i - more - 1 >= 0 && path.times[i - more - 1] >= clean - same_time) ++more;
    return extended(path, i, -1, more, time);
}

Course traced_back(const Trajectory& path, double known, double time) {
    const double* const first = path.times.data();
    const long n = path.times.size();
    const long i = std::min(n - 1, long(std::lower_bound(first, first + n, known - same_time) - first));
    return extended(path, i, 1, std::min(2L, n - 1 - i), time);
}

}  // namespace clangor::rigid
