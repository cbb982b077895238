// What takes the last buzz out of rods that lie still.
#pragma once

#include <clangor/vibration/rod_contact/rod_contact.hpp>

namespace clangor::rod_contact {

/// Velocities of the points as of a rigid body with the same momentum and angular momentum; zero where something holds
/// the rod.
RodRows rigid_velocities(const RodPlan& plan, const RodState& state);

/// Takes from a slow rod a part of what is not rigid motion. Momentum and angular momentum stay, energy falls.
void damp_slow_motion(RodStepper& rod, const RodContactOptions& options, double step);

}  // namespace clangor::rod_contact
