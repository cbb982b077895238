// What of a rod is the same for the whole scene. Internal to objects/rod.
#pragma once

#include <clangor/objects/objects.hpp>
#include <clangor/objects/rod/rod_curve.hpp>
#include <clangor/radiation/dipole/dipole.hpp>
#include <clangor/vibration/rod/rod.hpp>

#include <string>
#include <vector>

namespace clangor {

struct RodModel {
    scene::Rod rod = {};
    CurvePoints curve = {};
    SectionProperties section = {};
    Eigen::Isometry3d world_from_rod = Eigen::Isometry3d::Identity();
    RodPlan plan = {};  ///< in the world
    RodDamping damping = {};
    RadiatingRod radiating = {};
    double contact_radius = 0;  ///< of the capsules that touch [m]
    bool is_held = false;
    bool has_gravity = false;
    std::vector<std::string> warnings = {};  ///< without its name
};

/// Throws Error where there is no such rod.
RodModel rod_model(const scene::Rod& rod, bool scene_is_still);

/// Between its control points [m].
double spacing_of(const RodModel& model);

/// By more than this part of their length things flow or tear; soft ones (below 1 GPa) go far.
double largest_stretch(const Material& material);

/// "it is stretched by 20 %, …": of what is too stiff for that.
std::string stretch_text(double strain, const Material& material);

/// The control point that is next to a place along the rod. Throws Error where the rod is not so long.
long point_at(const RodModel& model, double along, const std::string& what);

/// α and β of a loss factor: exact at `hz`. A held rod also at the lowest pitch that one of its length has; a free one
/// has β alone, since α would brake its flight.
RodDamping rod_damping(const Damping& damping, double hz, double lowest_hz, bool is_held);

/// As contacts see it: a body of its mass and inertia about its centre, without a surface.
Body body_of(const RodModel& model);

/// Of its mass [m].
Vec3 centre_of(const RodPlan& plan, const RodRows& place);

}  // namespace clangor
