#include <clangor/motion/rigid/contacts.hpp>
#include <clangor/motion/rigid/samples.hpp>

#include <algorithm>

namespace clangor::rigid {

Vec3 turn_from(const Mat3& from, const Mat3& to) {
    const Eigen::AngleAxisd about(Mat3(to * from.transpose()));
    return about.axis() * about.angle();
}

Samples::Samples(const RigidWorld& world, const std::vector<char>& free, const std::vector<double>& frames)
    : world_(world), free_(free), frames_(frames) {
    for (std::size_t i = 0; i < world.bodies.size(); ++i) {
        const RigidBody& body = world.bodies[i];
        poses_.emplace_back();
        if (free[i])
            for (const double t : frames) poses_.back().push_back(pose_at(body.path, t));
        const Bounds& bounds = body.shape->bounds;
        const Vec3 low = (bounds.low - body.centre).cwiseAbs(), high = (bounds.high - body.centre).cwiseAbs();
        radii_.push_back(as<HalfSpace>(*body.shape) ? 0 : low.cwiseMax(high).norm());
    }
}

Eigen::Isometry3d Samples::pose(std::size_t i, std::size_t k) const {
    return free_[i] ? poses_[i][k] : pose_at(world_.bodies[i].path, frames_[k]);
}

Vec3 Samples::centre(std::size_t i, std::size_t k) const { return pose(i, k) * world_.bodies[i].centre; }

Vec3 Samples::velocity(std::size_t i, std::size_t k) const { return (centre(i, k + 1) - centre(i, k)) / length(k); }

Vec3 Samples::spin(std::size_t i, std::size_t k) const {
    return turn_from(pose(i, k).linear(), pose(i, k + 1).linear()) / length(k);
}

double Samples::change(std::size_t i, std::size_t k) const {
    return (velocity(i, k) - velocity(i, k - 1)).norm() + radii_[i] * (spin(i, k) - spin(i, k - 1)).norm();
}

bool Samples::rests(std::size_t i, std::size_t k) const {
    // Tables are rounded, mostly to 10 µm; and 2 mm/s are not heard.
    const auto is_still = [&](std::size_t j) {
        const double speed = velocity(i, j).norm() + radii_[i] * spin(i, j).norm();
        return speed * length(j) < 5e-5 + 2e-3 * length(j);
    };
    return is_still(k) && (k == 0 || is_still(k - 1)) && (k + 2 >= count() || is_still(k + 1));
}

bool Samples::is_smooth(std::size_t i, std::size_t k) const {
    const double around = change(i, k - 1) + (k + 3 < count() ? change(i, k + 2) : change(i, k - 1));
    return change(i, k) + change(i, k + 1) < 1.5 * around + 0.04 + 0.5 * world_.gravity.norm() * length(k);
}

// With the means m of equal intervals, (7 (m₋₁ + m₀) − m₋₂ − m₁)/12 is the value between m₋₁ and m₀, to fourth order.
Vec3 Samples::smooth_velocity(std::size_t i, std::size_t k) const {
    return (7 * (velocity(i, k - 1) + velocity(i, k)) - velocity(i, k - 2) - velocity(i, k + 1)) / 12;
}

Vec3 Samples::smooth_spin(std::size_t i, std::size_t k) const {
    return (7 * (spin(i, k - 1) + spin(i, k)) - spin(i, k - 2) - spin(i, k + 1)) / 12;
}

double Samples::apart(const Impact& impact, const Vec3& normal, std::size_t k) const {
    const auto at = [&](const ContactSide& side) -> Vec3 { return pose(std::size_t(side.body), k) * side.point; };
    return normal.dot(at(impact.sides[0]) - at(impact.sides[1]));
}

double Samples::jump(const Impact& impact, const Vec3& normal, std::size_t k) const {
    const auto speed = [&](long j) {
        const std::size_t from = std::size_t(j);
        return (apart(impact, normal, from + 1) - apart(impact, normal, from)) / length(from);
    };
    const long last = long(count()) - 2;
    const long from = std::max(0L, long(k) - 1), to = std::min(last, long(k) + 1);
    const double before = from > 0 ? speed(from) - speed(from - 1) : 0;
    const double after = to < last ? speed(to + 1) - speed(to) : 0;
    return speed(to) - speed(from) - double(to - from) * std::min(before, after);
}

double Samples::gap_near(const Impact& impact, std::size_t k, double margin) const {
    const std::size_t a = std::size_t(impact.sides[0].body), b = std::size_t(impact.sides[1].body);
    const Eigen::Isometry3d pose_a = pose(a, k), pose_b = pose(b, k);
    const CollisionShape &shape_a = *world_.bodies[a].shape, &shape_b = *world_.bodies[b].shape;
    const std::size_t interval = std::min(k, count() - 2);
    const double turned = (spin(a, interval) - spin(b, interval)).norm() * length(interval);
    const double near = std::min(shape_a.size, shape_b.size) * (0.15 + std::min(0.2, 0.5 * turned));
    double gap = margin;
    for (const Contact& contact : contacts_between({shape_a, pose_a}, {shape_b, pose_b}, margin)) {
        const Vec3 normal_a = pose_a.linear().transpose() * contact.normal,
                   normal_b = pose_b.linear().transpose() * contact.normal;
        if (std::max(-normal_a.dot(impact.sides[0].normal), normal_b.dot(impact.sides[1].normal)) < 0.3) continue;
        const double moved = std::min((pose_a.inverse() * contact.on_a - impact.sides[0].point).norm(),
                                      (pose_b.inverse() * contact.on_b - impact.sides[1].point).norm());
        if (moved < near) gap = std::min(gap, contact.gap);
    }
    return gap;
}

}  // namespace clangor::rigid
