// What each touch of a step asks of the impulses.
#pragma once

#include <clangor/vibration/rod_contact/touch_sides.hpp>

namespace clangor::rod_contact {

/// A touch with all that its law needs over one step.
struct TouchLaw {
    RodContactLaw law;
    double u_before = 0;                  ///< normal velocity before the step, positive where the two part [m/s]
    double u_free = 0;                    ///< after it, without impulses [m/s]
    double gap_before = 0, gap_free = 0;  ///< [m]
    double loss = 0;                      ///< χ of a compliant contact [s/m]
    double restitution = 0;               ///< of a rigid one, at its speed
};

/// From 0 at the rest speed to all of it at twice that.
double restitution_at(double restitution, double speed, double rest_speed);

/// The normal velocity at which a rigid contact ends the step.
double rigid_target(const TouchLaw& touch);

/// Hertz's force over the step by the overlap at its end: that which takes from the motion exactly what the contact
/// stores, and what its loss takes.
struct ContactForce {
    double force = 0;      ///< [N]
    double stiffness = 0;  ///< its derivative by the overlap at the end [N/m]
};
ContactForce force_over_step(const TouchLaw& touch, double overlap_before, double overlap, double step);

/// The overlap at the end of the step, where the normal velocity is u by then.
double overlap_after(const TouchLaw& touch, double u, double step);

/// Target and compliance that hold the force on its tangent at normal velocity u.
FrictionalContact linearized(const TouchLaw& touch, double u, double step);

}  // namespace clangor::rod_contact
