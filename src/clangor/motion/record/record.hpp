/// @file record.hpp — what moved and what hit: the record that a simulator leaves, ours or another.
/// Model     a body's frame is its mesh's frame after scaling; its pose takes body coordinates to world coordinates.
/// In        nothing: motion/rigid simulates it, motion/imported completes what came from another program.
/// Out       Motion: render turns impacts and touches into forces, listening hears bodies where they are.
/// Not here  forces over time (motion/contact), files (io).
///
///     const Trajectory still = at_rest(Eigen::Isometry3d::Identity());
///     const Vec3 corner_world = pose_at(motion.bodies[0], 0.25) * corner_body;
#pragma once

#include <clangor/core/core.hpp>

#include <Eigen/Geometry>

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace clangor {

/// Unit quaternions, one per row: x y z w.
using Rotations = Eigen::Matrix<double, Eigen::Dynamic, 4, Eigen::RowMajor>;

/// Poses of one body over time. At least one; times ascend strictly.
struct Trajectory {
    Eigen::VectorXd times;  ///< [s]
    Points positions;       ///< of the body frame's origin [m]
    Rotations rotations;
};

/// One that never moves.
Trajectory at_rest(const Eigen::Isometry3d& pose);

bool moves(const Trajectory& trajectory);

/// The time after which it stays where it is; its first time if it never moves [s].
double last_motion(const Trajectory& trajectory);

/// The pose at any time: before the first as the first, after the last as the last. The poses are samples of a smooth
/// motion: positions follow the monotone cubic of Fritsch and Carlson, and so does the rotation vector from each pose
/// to the next, so that velocity and spin have no jumps at the poses and nothing overshoots where it bounces. O(log n).
Eigen::Isometry3d pose_at(const Trajectory& trajectory, double time);

/// How a body moves, about the origin of its frame.
struct Twist {
    Vec3 linear = Vec3::Zero();   ///< of the body frame's origin, in the world [m/s]
    Vec3 angular = Vec3::Zero();  ///< in the world [rad/s]
};

/// The derivative of pose_at; zero outside the times.
Twist twist_at(const Trajectory& trajectory, double time);

/// The velocity of a point of the body, in the world [m/s].
Vec3 point_velocity(const Eigen::Isometry3d& pose, const Twist& twist, const Vec3& point_body);

/// One body's side of a contact, in its own frame at the time of the contact.
struct ContactSide {
    int body = -1;                ///< in Motion::bodies
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 normal = Vec3::Zero();   ///< unit, out of this body
    Vec3 impulse = Vec3::Zero();  ///< that this body receives; as large as the other's, and against it [N·s]
};

/// One impact between two bodies.
struct Impact {
    double time = 0;              ///< when they first touch [s]
    Vec3 impulse = Vec3::Zero();  ///< that the first body receives, in the world; friction included [N·s]
    double approach_speed = 0;    ///< of the two points along the normal, before the impact; > 0 [m/s]
    std::array<ContactSide, 2> sides;
    double seen = -1;  ///< when its approach speed held: impacts seen at once did not feel each other; −1: `time` [s]
    bool is_given = false;  ///< the impulse is an animator's, who knows best; otherwise it follows from the motion
};

/// Two bodies that stay in contact for a short while, resting, sliding or rolling; long contacts are a row of these.
struct Touch {
    double time = 0;              ///< when it begins [s]
    double duration = 0;          ///< [s]
    Vec3 impulse = Vec3::Zero();  ///< that the first body receives in all, in the world [N·s]
    double slip_speed = 0;        ///< mean, of one surface over the other, tangential [m/s]
    double travel_speed = 0;      ///< mean, of the place of contact over the faster of the two surfaces [m/s]
    std::array<ContactSide, 2> sides;
};

/// Contacts in recorded poses that are no impacts of their own, and why.
struct IgnoredContacts {
    long merged = 0;          ///< of the same two bodies just after another: one landing
    long touching = 0;        ///< of bodies that were together before: they rest, slide or roll
    long slow = 0;            ///< no faster than the poses can tell
    long without_effect = 0;  ///< the bodies went on as if nothing had been in their way
};

/// All that happened. Whatever a body receives is in exactly one impact or touch, or in its support: gravity and what
/// pushes it from outside apart, their impulses add up to its change of momentum.
struct Motion {
    std::vector<Trajectory> bodies;
    std::vector<Impact> impacts;      ///< by time
    std::vector<Touch> touches;       ///< by time
    std::vector<Vec3> supports = {};  ///< what strings and hinges gave each body; empty where there are none [N·s]
    std::vector<std::string> warnings = {};
    std::optional<IgnoredContacts> ignored = {};  ///< where impacts were looked for in recorded poses
    double step_hz = 0;                           ///< of the simulation; 0 for imported motion
    bool from_cache = false;                      ///< its impacts and touches were found before
    double seconds = 0;                           ///< that it took to find or to load
};

}  // namespace clangor
