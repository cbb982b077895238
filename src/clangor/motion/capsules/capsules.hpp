/// @file capsules.hpp — where thin rods touch themselves, each other, shapes and the ground over one step.
/// Model     a rod is a chain of capsules: segments between its points with a radius about them, each point moving
///           straight over the step                                              docs/theory/rod-contact.md, section 3
/// In        the chains' points before and after the step; shapes by their signed distance.
/// Out       touches: where, along which normal, how far apart or inside each other. Nothing slips through.
/// Not here  what touches do (motion/friction, vibration/rod_contact).
///
///     Points wire(2, 3);
///     wire << 0, 0.001, 0, 0.1, 0.003, 0;
///     CapsuleCollisions collisions;
///     const std::vector<CapsuleChain> chains = {{.before = wire, .after = wire, .radius = 0.002}};
///     const std::vector<CapsuleTouch> touches = collisions.touches(chains, {{.shape = Plane{}}});  // its left end
#pragma once

#include <clangor/core/core.hpp>

#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <variant>
#include <vector>

namespace clangor {

struct CapsuleChain {
    Points before = {}, after = {};  ///< the same number, two at least [m]
    double radius = 0;               ///< > 0 [m]
    bool closed = false;             ///< a segment joins the last point to the first
    /// Segments that are nearer to each other than this along the chain do not touch each other; neighbours never do.
    /// 0: four radii [m].
    double apart = 0;
};

/// Everything on one side, y < 0 of its frame.
struct Plane {};

/// A signed distance in the body's frame, negative inside, that changes by no more than the way one goes [m].
struct DistanceShape {
    std::function<double(const Vec3& point)> distance;
    double reach = std::numeric_limits<double>::infinity();  ///< of the shape from its origin [m]
};

struct MovingShape {
    std::variant<Plane, DistanceShape> shape = Plane{};
    Eigen::Isometry3d world_before = Eigen::Isometry3d::Identity();  ///< world from body
    Eigen::Isometry3d world_after = Eigen::Isometry3d::Identity();
};

/// A place on a chain.
struct ChainPlace {
    int chain = -1, segment = -1;
    double along = 0;  ///< 0 at the segment's first point, 1 at its second
};

/// One nearest pair of features: points or insides of segments.
struct CapsuleTouch {
    ChainPlace first;
    ChainPlace second = {};      ///< chain −1: none, but
    int shape = -1;              ///< this shape
    Vec3 normal = Vec3::Zero();  ///< towards `first`
    Vec3 point = Vec3::Zero();   ///< midway between the surfaces, after the step [m]
    double gap = 0;              ///< between the surfaces along the normal after the step, negative inside [m]
    double gap_before = 0;       ///< of the same places along the same normal before the step [m]
    std::uint64_t key = 0;       ///< the same from step to step while the same features touch
};

struct CapsuleOptions {
    double margin = 0;  ///< touches up to this gap are told as well [m]
};

/// Keeps a hierarchy of boxes for each chain, fitted anew at each call.
class CapsuleCollisions {
public:
    /// In the order of their keys. Linear in the number of segments, and in that of segments that come near each
    /// other.
    std::vector<CapsuleTouch> touches(std::span<const CapsuleChain> chains, const std::vector<MovingShape>& shapes,
                                      const CapsuleOptions& options = {});

private:
    std::vector<std::vector<Eigen::AlignedBox3d>> trees_;
};

/// Where two segments are nearest, 0 to 1 along each: the middle of where they run side by side.
struct NearestOnSegments {
    double first = 0, second = 0;
};
NearestOnSegments nearest_on_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1);

}  // namespace clangor
