// What a CollisionShape holds.
#pragma once

#include <clangor/motion/rigid/distance_field.hpp>
#include <clangor/motion/rigid/rigid.hpp>
#include <clangor/motion/rigid/surface_points.hpp>

#include <variant>

namespace clangor {

namespace rigid {
struct HalfSpace {};
using Solid = std::variant<HalfSpace, Sphere, Box, Cylinder, DistanceField>;
}  // namespace rigid

struct CollisionShape {
    rigid::Solid solid;
    rigid::SurfacePoints shell;  ///< none for balls and half spaces: their partners' points and distances do
    Bounds bounds;               ///< in the body frame; without meaning for a half space
    double size = 0;             ///< the largest edge of the bounds; infinite for a half space [m]
    double thickness = 0;        ///< of its thinnest part; infinite for a half space [m]
};

namespace rigid {

template <class Kind>
const Kind* as(const CollisionShape& shape) {
    return std::get_if<Kind>(&shape.solid);
}

Probe probe(const CollisionShape& shape, const Vec3& point);

/// Never more than the distance, cheap.
double distance_bound(const CollisionShape& shape, const Vec3& point);

}  // namespace rigid
}  // namespace clangor
