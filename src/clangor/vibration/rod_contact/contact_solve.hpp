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

/// Friction with rigid and compliant contacts, none of which does work on what it touches.
SolvedImpulses solve_impulses(const std::vector<TouchLaw>& touches, const ContactResponse& W,
                              std::span<const Vec3> u_free, std::span<const Vec3> u_before, std::span<const Vec3> start,
                              const RodContactOptions& options, double step);

/// Along the normals alone: "impulses" whose displacements part what overlaps by at least so much [m].
std::vector<double> parting_impulses(const ContactResponse& W, std::span<const double> overlaps, double tolerance);

}  // namespace clangor::rod_contact
