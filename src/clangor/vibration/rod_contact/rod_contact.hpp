/// @file rod_contact.hpp — rods that touch themselves, each other, bodies and the ground, step by step.
/// Model     a step of all rods and bodies as if nothing touched, then impulses that act over the step: Coulomb's
///           friction, restitution, Hertz's force where a stiffness is given      docs/theory/rod-contact.md
/// In        rods (vibration/rod) with a radius, bodies with a mass, a shape and a pose.
/// Out       both, moved on; the contacts of the step with their impulses.
/// Not here  bodies against bodies (motion/rigid), how a rod bends (vibration/rod).
///
///     const RodShape shape{.points = straight_points({0, 0.1, 0}, {0.6, 0.11, 0}, 60), .section = round_wire(0.006)};
///     const RodPlan plan = rod_plan(shape, steel);
///     RodStepper rod(plan, {.gravity = {0, -9.81, 0}});
///     RodContacts world({{.rod = &rod, .radius = 0.006}}, {RodObstacle{}});  // and the ground, y < 0
///     for (int k = 0; k < 44100; ++k) world.step(1.0 / 44100);
#pragma once

#include <clangor/motion/capsules/capsules.hpp>
#include <clangor/motion/friction/friction.hpp>
#include <clangor/vibration/rod/rod.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace clangor {

/// A rod that may touch. The stepper must outlive the world, and is moved by nothing else meanwhile.
struct ContactRod {
    RodStepper* rod = nullptr;
    double radius = 0;  ///< of the capsules about it > 0 [m]
    double apart = 0;   ///< as in CapsuleChain [m]
};

/// Ground, wall or rigid body: the origin of its frame is its centre of mass. With inverse mass and inertia of zero it
/// goes on with its velocity and spin, whatever it hits.
struct RodObstacle {
    std::variant<Plane, DistanceShape> shape = Plane{};
    Eigen::Isometry3d world_from_body = Eigen::Isometry3d::Identity();
    Vec3 velocity = Vec3::Zero();         ///< [m/s]
    Vec3 spin = Vec3::Zero();             ///< in the world [rad/s]
    double inverse_mass = 0;              ///< [1/kg]
    Mat3 inverse_inertia = Mat3::Zero();  ///< in the body frame [1/(kg·m²)]
};

/// What holds where two surfaces meet.
struct RodContactLaw {
    double friction = 0.3;
    /// Of the material at the contact, in [0, 1]: what rods lose by ringing comes out by itself.
    double restitution = 0;
    /// K of F = K δ^{3/2}: contacts last as they do; 0: rigid, with impulses that are over in a step [N/m^{3/2}].
    double stiffness = 0;
};

struct RodContactOptions {
    RodContactLaw law = {};
    std::function<RodContactLaw(const CapsuleTouch&)> law_of = {};  ///< instead of `law`
    Vec3 gravity = {0, -9.81, 0};  ///< of bodies that move; rods have their own [m/s²]
    double rest_speed = 0.01;      ///< what meets more slowly than this does not bounce [m/s]
    /// Rods that touch something and move more slowly than this (root mean square) lose what is not rigid motion within
    /// `damping_time`; 0: none [m/s].
    double damped_below = 1e-3;
    double damping_time = 0.02;  ///< [s]
    /// What has sunk in is taken out within `parting_time`, but no faster than this, and without velocity.
    double parting_time = 2e-3;
    double parting_speed = 0.03;  ///< [m/s]
    double tolerance = 1e-5;      ///< of impulses
    int max_sweeps = 60;          ///< of impulses, in a step
    int most_halvings = 6;        ///< of a step that cannot be made
};

/// A contact of the last step.
struct RodContact {
    CapsuleTouch touch;
    Vec3 impulse = Vec3::Zero();  ///< on `touch.first`, in the world [N·s]
};

struct RodContactReport {
    long steps = 0, halved = 0;
    long contact_steps = 0;       ///< steps in which something touched
    long contacts = 0;            ///< in all steps
    long sweeps = 0;              ///< of the impulses, in all steps
    long unsolved = 0;            ///< steps whose impulses miss the tolerance
    double largest_residual = 0;  ///< of the impulses, over all steps
    double deepest = 0;           ///< how far anything sank into anything rigid [m]
    long overlaps_at_start = 0;   ///< contacts that were inside each other before the first step
    double deepest_at_start = 0;  ///< [m]
    double work = 0;              ///< of all contacts on what they touch [J]
};

class RodContacts {
public:
    RodContacts(std::vector<ContactRod> rods, std::vector<RodObstacle> bodies, const RodContactOptions& options = {});
    ~RodContacts();
    RodContacts(RodContacts&&) noexcept;
    RodContacts& operator=(RodContacts&&) noexcept;

    /// All by one step. What overlaps at first is parted slowly. Throws Error where even the shortest step cannot be
    /// made; all is then as it was before. The same bytes for any number of threads.
    void step(double seconds);

    std::vector<RodObstacle>& bodies();
    std::span<const RodContact> contacts() const;
    const RodContactReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace clangor
