// Bodies in motion: poses, momenta, and how a step moves them.
#pragma once

#include <clangor/motion/rigid/contacts.hpp>
#include <clangor/motion/rigid/rigid.hpp>

#include <vector>

namespace clangor::rigid {

/// One body at one time. Simulated ones are carried by momentum; others have no inverse mass, and velocities from their
/// path.
struct MovingBody {
    Vec3 centre = Vec3::Zero();  ///< of mass, in the world [m]
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
    Vec3 velocity = Vec3::Zero();          ///< of the centre [m/s]
    Vec3 angular_momentum = Vec3::Zero();  ///< about the centre [kg·m²/s]
    Vec3 angular_velocity = Vec3::Zero();  ///< [rad/s]

    double inverse_mass = 0;                   ///< 0: nothing moves it now [1/kg]
    Mat3 inverse_inertia_body = Mat3::Zero();  ///< [1/(kg·m²)]
    Mat3 inverse_inertia = Mat3::Zero();       ///< in the world, now
    Vec3 centre_body = Vec3::Zero();           ///< of mass, in the body frame [m]
    Eigen::Isometry3d world_from_body = Eigen::Isometry3d::Identity();
    bool frozen = false;   ///< it left the world
    bool struck = false;   ///< an impact changed its velocity at the start of this step
    bool asleep = false;   ///< it is held where it lies, as if it could not move, until something wakes it
    std::size_t slot = 0;  ///< of the solver's

    bool moves() const { return inverse_mass > 0; }
    bool simulated() const { return moves() || asleep; }
    Vec3 velocity_at(const Vec3& point) const { return velocity + angular_velocity.cross(point - centre); }
};

/// At the start. Throws Error for a simulated body whose mass or inertia is none.
std::vector<MovingBody> bodies_at_start(const RigidWorld& world);

/// Bodies on paths: pose and velocities at a time.
void follow_path(MovingBody& body, const RigidBody& of, double time);

/// After centre, rotation or angular momentum changed.
void refresh(MovingBody& body);

/// What a step starts from.
struct Before {
    Vec3 velocity = Vec3::Zero();
    Vec3 angular_momentum = Vec3::Zero();
    Vec3 centre = Vec3::Zero();
    Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

/// The mean velocity over a step of length h: after an impact at its start, only gravity acts; otherwise forces act
/// evenly.
Vec3 mean_velocity(const MovingBody& body, const Before& before, const Vec3& gravity, double h);

/// Moves and turns a body over a step. With no torque its angular momentum stays as it is, and its energy oscillates
/// within O(h²)  (docs/theory/rigid-motion.md, Eq. 3).
void move(MovingBody& body, const Before& before, const Vec3& gravity, double h);

/// Moves a body by a small shift of its centre and a small turn.
void displace(MovingBody& body, const Vec3& shift, const Vec3& turn);

}  // namespace clangor::rigid
