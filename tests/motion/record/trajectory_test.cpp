#include <clangor/motion/record/record.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

namespace trajectory_test {

using namespace clangor;

namespace {

Trajectory sampled(const std::function<Vec3(double)>& position, const Vec3& spin, double rate, long frames) {
    Trajectory trajectory{Eigen::VectorXd(frames), Points(frames, 3), Rotations(frames, 4)};
    for (long i = 0; i < frames; ++i) {
        const double t = double(i) / rate;
        trajectory.times[i] = t;
        trajectory.positions.row(i) = position(t).transpose();
        const Eigen::Quaterniond q(Eigen::AngleAxisd(spin.norm() * t, spin.normalized()));
        trajectory.rotations.row(i) = q.coeffs().transpose();
    }
    return trajectory;
}

Vec3 falling(double t) { return {0.5 * t, 1 - 0.5 * 9.81 * t * t, -2 * t}; }

}  // namespace

TEST_CASE("between its frames a thrown body keeps to its parabola, better by an order with four times the frames") {
    const auto worst = [](double rate) {
        const Trajectory flight = sampled(falling, {0, 0, 1}, rate, long(0.4 * rate) + 1);
        double error = 0;
        for (double t = 0.1; t < 0.3; t += 0.00137)
            error = std::max(error, (pose_at(flight, t).translation() - falling(t)).norm());
        return error;
    };
    const double coarse = worst(25), fine = worst(100);
    CHECK(coarse < 2e-4);       // of a flight of 0.8 m; straight lines between the frames: 9.81/8/25² = 2e-3
    CHECK(coarse / fine > 30);  // third order at least: 4³ = 64, less what the offset of the times does
}

TEST_CASE("a bounce between two frames does not overshoot the frames") {
    const Trajectory bounce = sampled([](double t) { return Vec3(0, std::abs(t - 0.5), 0); }, {1, 0, 0}, 10, 11);
    for (double t = 0; t <= 1; t += 0.001) CHECK(pose_at(bounce, t).translation().y() > -1e-15);
}

TEST_CASE("the twist is the derivative of the pose") {
    const Vec3 spin{3, -4, 12};
    const Trajectory flight = sampled(falling, spin, 50, 21);
    const Vec3 point{0.1, 0.2, -0.05};
    for (double t : {0.033, 0.1234, 0.377}) {
        const double h = 1e-6;
        const Vec3 numeric = (pose_at(flight, t + h) * point - pose_at(flight, t - h) * point) / (2 * h);
        const Vec3 velocity = point_velocity(pose_at(flight, t), twist_at(flight, t), point);
        CHECK((velocity - numeric).norm() < 1e-7 * numeric.norm());  // h² times the third derivative, and rounding
        CHECK((twist_at(flight, t).angular - spin).norm() < 1e-9);
    }
}

TEST_CASE("spin does not jump at the frames, and the twist is the derivative of the pose where the axis turns") {
    // A top: it spins about its axis, which goes round.
    Trajectory top{Eigen::VectorXd(25), Points::Zero(25, 3), Rotations(25, 4)};
    for (long i = 0; i < 25; ++i) {
        const double t = top.times[i] = double(i) / 24;
        const Eigen::Quaterniond q = Eigen::AngleAxisd(4 * t, Vec3::UnitY()) * Eigen::AngleAxisd(0.6, Vec3::UnitX()) *
                                     Eigen::AngleAxisd(15 * t, Vec3::UnitY());
        top.rotations.row(i) = (i % 3 == 0 ? -1 : 1) * q.coeffs().transpose();  // q and −q are one rotation
    }
    double largest_jump = 0;
    for (long i = 1; i < 24; ++i) {
        const double t = top.times[i], h = 1e-9;
        const Vec3 before = twist_at(top, t - h).angular, after = twist_at(top, t + h).angular;
        largest_jump = std::max(largest_jump, (after - before).norm());
        CHECK((before - after).norm() < 1e-4);  // 2h times the angular acceleration, a few 100 rad/s², and rounding
    }
    for (double t = 0.013; t < 0.99; t += 0.0317) {
        const double h = 1e-6;
        const Vec3 arm{0.3, -0.2, 0.1};
        const Vec3 numeric = (pose_at(top, t + h) * arm - pose_at(top, t - h) * arm) / (2 * h);
        CHECK((point_velocity(pose_at(top, t), twist_at(top, t), arm) - numeric).norm() < 1e-6 * numeric.norm());
    }
    // Evenly turned from frame to frame, its spin would jump by what the mean spins of neighbouring frames differ by.
    CHECK(largest_jump < 1e-3 * 15 * 4 * std::sin(0.6) / 24);
}

TEST_CASE("a turn that comes back does not go farther than its frames") {
    Trajectory rocking{Eigen::VectorXd(3), Points::Zero(3, 3), Rotations(3, 4)};
    for (long i = 0; i < 3; ++i) {
        rocking.times[i] = 0.1 * double(i);
        const Eigen::Quaterniond q(Eigen::AngleAxisd(i == 1 ? 1.0 : 0.0, Vec3::UnitZ()));
        rocking.rotations.row(i) = q.coeffs().transpose();
    }
    for (double t = 0; t <= 0.2; t += 0.001) {
        const double angle = std::atan2(pose_at(rocking, t).linear()(1, 0), pose_at(rocking, t).linear()(0, 0));
        CHECK(angle > -1e-12);
        CHECK(angle < 1 + 1e-12);
    }
    CHECK(twist_at(rocking, 0.1).angular.norm() < 1e-12);
}

TEST_CASE("before its first and after its last frame a body stays where it is") {
    const Trajectory flight = sampled(falling, {0, 1, 0}, 50, 21);
    CHECK(pose_at(flight, -1).translation() == falling(0));
    CHECK((pose_at(flight, 9).translation() - falling(0.4)).norm() < 1e-14);
    CHECK(twist_at(flight, 9).linear == Vec3::Zero());
    CHECK(moves(flight));
    const Trajectory still = at_rest(pose_at(flight, 0.2));
    CHECK_FALSE(moves(still));
    CHECK(pose_at(still, 3).isApprox(pose_at(flight, 0.2), 1e-14));
}

}  // namespace trajectory_test
