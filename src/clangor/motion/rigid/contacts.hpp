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

/// What of two bodies may touch while no point of one moves by more than `reach` against the other: whoever follows
/// them step by step looks at these points only, and finds what a search of all of them would.
struct Nearby {
    struct Point {
        int point = 0;     ///< of the shell
        double away = 0;   ///< it does not count before they have moved by this [m]
        double after = 0;  ///< nor before they have gone this far, to and fro [m]
    };
    double reach = 0;                         ///< [m]
    bool apart = false;                       ///< nothing may
    double moved = 0;                         ///< by how much they have moved against each other since [m]
    double gone = 0;                          ///< the way that they have gone since, at least as long [m]
    std::vector<Point> of_a = {}, of_b = {};  ///< by number
};

/// Within the margin, and `reach` more; of bodies that are farther apart the reach of the result is as much greater.
Nearby nearby(const PlacedShape& a, const PlacedShape& b, double margin, double reach);

/// At most ten: each way those that were found by one of `known`, the deepest, then others spread as widely as they can
/// be; none with a gap over `margin`. What lies on many points is so held by the same few from step to step: where they
/// changed with every rounding, friction began anew each time, and stacks crept.
std::vector<Contact> contacts_between(const PlacedShape& a, const PlacedShape& b, double margin,
                                      const std::vector<SurfacePointId>& known = {});

/// The same, by the points that may touch; those that are seen to be farther away wait longer. The bodies are not
/// `apart`.
std::vector<Contact> contacts_between(const PlacedShape& a, const PlacedShape& b, double margin,
                                      const std::vector<SurfacePointId>& known, Nearby& nearby);

/// Two boxes, by Bullet.
std::vector<Contact> contacts_of_boxes(const Box& a, const Eigen::Isometry3d& world_from_a, const Box& b,
                                       const Eigen::Isometry3d& world_from_b, double margin);

}  // namespace clangor::rigid
