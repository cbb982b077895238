/// @file rigid.hpp — bodies that fall, tumble and collide, as if they could not bend.
/// Model     Newton and Euler with Coulomb friction and restitution                  docs/theory/rigid-motion.md
/// In        collision shapes, masses, and how each body starts or is driven.
/// Out       Motion: poses over time, impacts, touches.
/// Not here  the force during a contact (motion/contact), sound.
///
///     RigidWorld world{.bodies = {{.name = "ball", .shape = collision_shape(Sphere{0.02}), .mass = 0.26,
///                                  .inertia = 4.2e-5 * Mat3::Identity()},
///                                 {.name = "floor", .shape = half_space(), .movement = Movement::Fixed}}};
///     const Motion motion = simulate(world, {.duration = 2});
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/motion/record/record.hpp>

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clangor {

/// What a body collides with. Opaque: a formula where the shape has one, otherwise a signed distance field with points
/// on its surface, which keeps cavities. Immutable, shared by equal bodies.
struct CollisionShape;
using CollisionShapePtr = std::shared_ptr<const CollisionShape>;

/// Of a procedural shape, in its own frame, scaled about its origin. Balls, boxes and full cylinders are exact.
CollisionShapePtr collision_shape(const Shape& shape, double scale = 1, const Progress& progress = {});

/// Of a closed surface, in its frame [m]. Throws Error where it is not closed.
CollisionShapePtr collision_shape(const Surface& surface, const Progress& progress = {});

/// Everything below y = 0 of its frame. For Movement::Fixed only.
CollisionShapePtr half_space();

/// Distance of a point of the body frame from the surface, negative inside [m].
double signed_distance(const CollisionShape& shape, const Vec3& point);

/// Simulated: from the first pose of its path, with the given velocities. Fixed: stays at the first pose. Driven:
/// follows its path, whatever it hits.
enum class Movement { Simulated, Fixed, Driven };

struct RigidBody {
    std::string name = {};
    CollisionShapePtr shape = {};
    Movement movement = Movement::Simulated;
    Trajectory path = {};                  ///< see Movement
    Vec3 velocity = Vec3::Zero();          ///< of the centre of mass, at the start, in the world [m/s]
    Vec3 angular_velocity = Vec3::Zero();  ///< at the start, in the world [rad/s]
    double mass = 0;                       ///< > 0 where it is simulated; otherwise not read [kg]
    Vec3 centre = Vec3::Zero();            ///< of mass, in the body frame [m]
    Mat3 inertia = Mat3::Zero();           ///< about the centre, in the body frame [kg·m²]
    double friction = 0.5;                 ///< of this material on itself
    double restitution = 0.5;              ///< of this material on itself, in [0, 1]
    double compliance = 1;  ///< (1−ν²)/E, relative among bodies: the softer one decides the restitution [1/Pa]
    std::optional<Vec3> hangs_at = {};  ///< a point of the body frame that stays where it is at the start: a string [m]
};

/// What holds between two bodies instead of what follows from their materials.
struct RigidPair {
    int first = -1, second = -1;
    std::optional<double> friction = {};
    std::optional<double> restitution = {};
};

/// A contact that is about to bounce.
struct Bounce {
    std::array<ContactSide, 2> sides = {};  ///< without impulses
    double approach_speed = 0;              ///< [m/s]
    double time = 0;                        ///< of the step that found it [s]
    double since_touch = 0;                 ///< [s]
};

/// The speeds at which the contacts of bodies that touch each other part. Asked by the order of time for each simulated
/// body, and in parallel for bodies that have none of these in common: it may remember them.
using BounceRule = std::function<std::vector<double>(std::span<const Bounce> bounces)>;

/// An impulse from outside of the world: a strike. Bodies that are not simulated do not feel it.
struct Push {
    int body = -1;
    double time = 0;              ///< felt at the nearest beginning of a step [s]
    Vec3 point = Vec3::Zero();    ///< in the body frame [m]
    Vec3 impulse = Vec3::Zero();  ///< in the body frame [N·s]
};

struct RigidWorld {
    std::vector<RigidBody> bodies = {};
    std::vector<RigidPair> pairs = {};
    std::vector<Push> pushes = {};  ///< in any order
    BounceRule bounces = {};        ///< for impacts faster than min_approach_speed; none: restitution
    Vec3 gravity = {0, -9.81, 0};   ///< [m/s²]
};

/// Coulomb's coefficient: √(μ₁μ₂). Restitution: the mean of the two, weighted by compliance.
double pair_friction(const RigidBody& a, const RigidBody& b);
double pair_restitution(const RigidBody& a, const RigidBody& b);

struct RigidOptions {
    double duration = 0;               ///< [s]
    double step_hz = 0;                ///< 0: from sizes and speeds, 1 to 10 kHz
    double min_approach_speed = 0.05;  ///< a contact slower than this is a touch, not an impact [m/s]
    double pose_hz = 1000;             ///< at least so many poses a second are recorded
};

/// Deterministic, for any number of threads. Bodies that overlap at the start are moved apart along the shortest way
/// and named in a warning; one that leaves the world (10 km) or is lost is frozen there and named in a warning. Throws
/// Error for a simulated body without mass, and where a pose stops being finite.
Motion simulate(const RigidWorld& world, const RigidOptions& options, const Progress& progress = {});

/// The impacts and touches of bodies that all follow their paths: approach speeds from the motion, impulses from the
/// masses, restitution and friction.
Motion collisions_of(const RigidWorld& world, const RigidOptions& options, const Progress& progress = {});

}  // namespace clangor
