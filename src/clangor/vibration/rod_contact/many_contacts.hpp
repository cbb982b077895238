// Impulses of many compliant contacts, by solving for whole rods alone.
#pragma once

#include <clangor/vibration/rod_contact/contact_solve.hpp>
#include <clangor/vibration/rod_contact/whole_response.hpp>

namespace clangor::rod_contact {

/// Contacts with a stiffness each, which along the surface give like springs until they slip: all of them by one
/// iteration, in which each is solved with what the others do now.
SolvedImpulses solve_many(const StepImpulses& of, WholeResponse& W, const RodContactOptions& options);

}  // namespace clangor::rod_contact
