// Where two bodies touch, or are about to.
#pragma once

#include <clangor/motion/rigid/collision_shape.hpp>

#include <vector>

namespace clangor::rigid {

/// Two points that face each other, in the world.
struct Contact {
    Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  ///< [m]
    Vec3 normal = Vec3::Zero();                     ///< unit, from b towards a
    double gap = 0;                                 ///< negative where they overlap [m]
};

struct PlacedShape {
    const CollisionShape& shape;
    const Eigen::Isometry3d& world_from_body;
};

/// At most ten: each way the deepest, then others spread as widely as they can be; none with a gap over `margin`.
std::vector<Contact> contacts_between(const PlacedShape& a, const PlacedShape& b, double margin);

/// Two boxes, by Bullet.
std::vector<Contact> contacts_of_boxes(const Box& a, const Eigen::Isometry3d& world_from_a, const Box& b,
                                       const Eigen::Isometry3d& world_from_b, double margin);

}  // namespace clangor::rigid
