#include <clangor/motion/rigid/contacts.hpp>
#include <clangor/motion/rigid/near_misses.hpp>
#include <clangor/motion/rigid/samples.hpp>

#include <algorithm>
#include <limits>

namespace clangor::rigid {

Vec3 velocity_at(const RigidBody& body, const Vec3& at) {
    const Eigen::Isometry3d pose = pose_at(body.path, 0);
    if (body.movement == Movement::Simulated)
        return body.velocity + body.angular_velocity.cross(at - pose * body.centre);
    return point_velocity(pose, twist_at(body.path, 0), pose.inverse() * at);
}

bool bring_together(RigidWorld& world, std::size_t movers, double time, double slowest) {
    bool moved = false;
    for (std::size_t m = 0; m < movers; ++m) {
        RigidBody& body = world.bodies[m];
        Eigen::Isometry3d pose = pose_at(body.path, 0);
        const double size = body.shape->size;
        const double way = std::min((body.velocity.norm() + size * body.angular_velocity.norm()) * time, 0.02);
        double nearest = touch_gap;
        Vec3 shift = Vec3::Zero();
        for (std::size_t o = 0; o < world.bodies.size(); ++o) {
            if (o == m || (o < movers && o < m)) continue;
            const RigidBody& other = world.bodies[o];
            for (const Contact& contact :
                 contacts_between({*body.shape, pose}, {*other.shape, pose_at(other.path, 0)}, touch_gap + way)) {
                const double u =
                    -contact.normal.dot(velocity_at(body, contact.on_a) - velocity_at(other, contact.on_b));
                const double beyond = contact.gap - u * time;
                if (u < slowest || beyond <= 0 || beyond > nearest) continue;
                nearest = beyond;
                shift = -beyond * contact.normal;
            }
        }
        if (shift.isZero(0)) continue;
        pose.translation() += shift;
        body.path = at_rest(pose);
        moved = true;
    }
    return moved;
}

}  // namespace clangor::rigid
