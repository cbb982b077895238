#include <clangor/motion/record/record.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>

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
