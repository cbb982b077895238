// Poses between the recorded ones.
#include <clangor/motion/record/record.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace clangor {
namespace {

// The interval of a time, and where in it: times[i] + x·step.
struct Place {
    long i = 0;
    double step = 0;
    double x = 0;  // 0 to 1
    bool outside = true;
};

Place place_of(const Eigen::VectorXd& times, double time) {
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

// The slope of a monotone interpolant at a recorded time, from the secants before and after it and the intervals that
// they span: their weighted harmonic mean, or zero where the path turns back  [Fritsch1984, Eq. 5].
double monotone_slope(double before, double after, double step_before, double step_after) {
    if (before * after <= 0) return 0;
    const double alpha = (1 + step_after / (step_before + step_after)) / 3;
    return before * after / (alpha * after + (1 - alpha) * before);
}

// Of positions each axis by itself, so that what bounces off a floor does not overshoot, however fast it goes along it.
Vec3 velocity_between(const Vec3& before, const Vec3& after, double step_before, double step_after) {
    Vec3 velocity;
    for (int axis = 0; axis < 3; ++axis)
        velocity[axis] = monotone_slope(before[axis], after[axis], step_before, step_after);
    return velocity;
}

// Of spins their magnitudes, in the direction between them: a tumbling body's axis goes round smoothly, and passes zero
// along one axis of the world while it turns about the others.
Vec3 spin_between(const Vec3& before, const Vec3& after, double step_before, double step_after) {
    if (before.dot(after) <= 0) return Vec3::Zero();
    const double b = before.norm(), a = after.norm();
    return monotone_slope(b, a, step_before, step_after) * (before / b + after / a) / 2;
}

// The velocities at both ends of interval i, where `secant(k)` is the mean one of interval k.
template <class Secant, class Between>
std::array<Vec3, 2> velocities(const Eigen::VectorXd& t, long i, const Secant& secant, const Between& between) {
    const Vec3 own = secant(i);
    const double step = t[i + 1] - t[i];
    return {i == 0 ? own : between(secant(i - 1), own, t[i] - t[i - 1], step),
            i + 2 == t.size() ? own : between(own, secant(i + 1), step, t[i + 2] - t[i + 1])};
}

// The cubic of Hermite from 0 to `end` within an interval, and its derivative over time.
struct Hermite {
    Vec3 end, velocity_begin, velocity_end;
    double step;

    Vec3 value(double x) const {
        return x * x * (3 - 2 * x) * end + step * x * (1 - x) * ((1 - x) * velocity_begin - x * velocity_end);
    }
    Vec3 slope(double x) const {
        return 6 * x * (1 - x) / step * end + (1 - x) * (1 - 3 * x) * velocity_begin + x * (3 * x - 2) * velocity_end;
    }
};

Hermite displacement(const Trajectory& path, long i) {
    const auto secant = [&](long k) -> Vec3 {
        return (path.positions.row(k + 1) - path.positions.row(k)).transpose() / (path.times[k + 1] - path.times[k]);
    };
    const auto [begin, end] = velocities(path.times, i, secant, velocity_between);
    return {(path.positions.row(i + 1) - path.positions.row(i)).transpose(), begin, end,
            path.times[i + 1] - path.times[i]};
}

// The short way from frame k to frame k+1: axis times angle, in the world [rad].
Vec3 turn_between(const Trajectory& path, long k) {
    Eigen::Quaterniond turn = rotation_at(path, k + 1) * rotation_at(path, k).conjugate();
    if (turn.w() < 0) turn.coeffs() *= -1;
    const Eigen::AngleAxisd about(turn);
    return about.axis() * about.angle();
}

// A rotation vector θ that changes at the rate θ̇ turns at the angular velocity ω = J(θ) θ̇  [Sola2018, Eqs. 145 and
// 146]:
//     J  θ̇ = θ̇ + (1 − cos ϑ)/ϑ² θ×θ̇ + (ϑ − sin ϑ)/ϑ³ θ×(θ×θ̇),    J⁻¹ ω = ω − ½ θ×ω + (1 − ϑ/2 cot ϑ/2)/ϑ² θ×(θ×ω)
// with ϑ = |θ| ≤ π; below 10⁻³ rad the first terms of their series are exact.
Vec3 spin_of(const Vec3& turn, const Vec3& rate) {
    const double angle = turn.norm();
    const bool tiny = angle < 1e-3;
    const double b = tiny ? 0.5 - square(angle) / 24 : (1 - std::cos(angle)) / square(angle);
    const double c = tiny ? 1.0 / 6 - square(angle) / 120 : (angle - std::sin(angle)) / (angle * square(angle));
    const Vec3 across = turn.cross(rate);
    return rate + b * across + c * turn.cross(across);
}
Vec3 rate_of(const Vec3& turn, const Vec3& spin) {
    const double angle = turn.norm();
    const double c =
        angle < 1e-3 ? 1.0 / 12 + square(angle) / 720 : (1 - angle / 2 / std::tan(angle / 2)) / square(angle);
    const Vec3 across = turn.cross(spin);
    return spin - 0.5 * across + c * turn.cross(across);
}

// The rotation vector from frame i on, such that the angular velocities of two intervals agree where they meet.
Hermite turning(const Trajectory& path, long i) {
    const Vec3 whole = turn_between(path, i);
    const auto secant = [&](long k) -> Vec3 {
        return (k == i ? whole : turn_between(path, k)) / (path.times[k + 1] - path.times[k]);
    };
    const auto [begin, end] = velocities(path.times, i, secant, spin_between);
    return {whole, begin, rate_of(whole, end), path.times[i + 1] - path.times[i]};
}

Eigen::Quaterniond rotation_by(const Vec3& turn) {
    const double angle = turn.norm();
    return angle > 0 ? Eigen::Quaterniond(Eigen::AngleAxisd(angle, turn / angle)) : Eigen::Quaterniond::Identity();
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

Eigen::Isometry3d pose_at(const Trajectory& path, double time) {
    const Place at = place_of(path.times, time);
    Eigen::Isometry3d pose = Eigen::Isometry3d::Identity();
    if (at.outside) {
        pose.translation() = path.positions.row(at.i).transpose();
        pose.linear() = rotation_at(path, at.i).toRotationMatrix();
        return pose;
    }
    pose.translation() = path.positions.row(at.i).transpose() + displacement(path, at.i).value(at.x);
    // What does not turn keeps its rotation to the last bit, however long that lasts.
    const bool turns = path.rotations.row(at.i) != path.rotations.row(at.i + 1);
    const Eigen::Quaterniond rotation = rotation_at(path, at.i);
    pose.linear() =
        (turns ? (rotation_by(turning(path, at.i).value(at.x)) * rotation).normalized() : rotation).toRotationMatrix();
    return pose;
}

Twist twist_at(const Trajectory& path, double time) {
    const Place at = place_of(path.times, time);
    if (at.outside) return {};
    const Hermite turn = turning(path, at.i);
    return {displacement(path, at.i).slope(at.x), spin_of(turn.value(at.x), turn.slope(at.x))};
}

Vec3 point_velocity(const Eigen::Isometry3d& pose, const Twist& twist, const Vec3& point_body) {
    return twist.linear + twist.angular.cross(pose.linear() * point_body);
}

}  // namespace clangor
