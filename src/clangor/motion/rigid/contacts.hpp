// Where two bodies touch, or are about to.
#pragma once

#include <clangor/motion/rigid/collision_shape.hpp>

#include <vector>

namespace clangor::rigid {

/// A point of one of the two surface points.
struct SurfacePointId {
    bool of_a = true;
    int point = -1;
    bool operator==(const SurfacePointId&) const = default;
};

/// Two points that face each other, in the world.
struct Contact {
    Vec3 on_a = Vec3::Zero(), on_b = Vec3::Zero();  ///< [m]
    Vec3 normal = Vec3::Zero();                     ///< unit, from b towards a
    double gap = 0;                                 ///< negative where they overlap [m]
    SurfacePointId found_by = {};                   ///< the point that it was found by; none where a formula gave it
};

struct PlacedShape {
    const CollisionShape& shape;
    const Eigen::Isometry3d& world_from_body;
};

/// At most ten: each way those that were found by one of `known`, the deepest, then others spread as widely as they can
/// be; none with a gap over `margin`. What lies on many points is so held by the same few from step to step: where they
/// changed with every rounding, friction began anew each time, and stacks crept.
std::vector<Contact> contacts_between(const PlacedShape& a, const PlacedShape& b, double margin,
                                      const std::vector<SurfacePointId>& known = {});

/// Two boxes, by Bullet.
std::vector<Contact> contacts_of_boxes(const Box& a, const Eigen::Isometry3d& world_from_a, const Box& b,
                                       const Eigen::Isometry3d& world_from_b, double margin);

}  // namespace clangor::rigid
