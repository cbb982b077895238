// The impulses of one step.
#pragma once

#include <clangor/vibration/rod_contact/contact_response.hpp>
#include <clangor/vibration/rod_contact/surface_law.hpp>

namespace clangor::rod_contact {

struct SolvedImpulses {
    std::vector<Vec3> impulses, velocities;
    double residual = 0;
    int sweeps = 0;
    bool converged = true;
};

struct StepImpulses {
    std::span<const TouchLaw> touches;
    std::span<const Vec3> u_before, u_free;
    std::span<const Vec3> start;  ///< of the step before
    double step = 0;              ///< [s]
};

/// Friction with rigid and compliant contacts, none of which does work on what it touches. `exact`: none where W leaves
/// out nothing.
SolvedImpulses solve_impulses(const StepImpulses& of, const ContactResponse& W, const ExactResponse& exact,
                              const RodContactOptions& options);

/// Along the normals alone: "impulses" whose displacements part what overlaps by at least so much [m].
std::vector<double> parting_impulses(const ContactResponse& W, std::span<const double> overlaps);

}  // namespace clangor::rod_contact
