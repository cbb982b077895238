// Rods for the tests of contact.
#pragma once

#include <clangor/vibration/rod_contact/rod_contact.hpp>

#include <cmath>

namespace clangor::testing {

inline const Material aluminium{.name = "aluminium", .density = 2700, .young = 70e9, .poisson = 0.33};
inline constexpr double gravity = 9.81;

inline RodPlan straight_rod(const Vec3& from, const Vec3& to, long points, double radius,
                            const RodPlanOptions& options = {}) {
    return rod_plan({.points = straight_points(from, to, points), .section = round_wire(radius)}, aluminium, options);
}

inline RodPlan ring(const Vec3& centre, const Vec3& across, const Vec3& along, double size, long points, double radius,
                    const RodPlanOptions& options = {}) {
    Points around(points, 3);
    for (long i = 0; i < points; ++i) {
        const double angle = 2 * pi * double(i) / double(points);
        around.row(i) = (centre + size * (std::cos(angle) * across + std::sin(angle) * along)).transpose();
    }
    return rod_plan({.points = around, .closed = true, .section = round_wire(radius)}, aluminium, options);
}

/// All points at this velocity.
inline void throw_rod(RodStepper& rod, const Vec3& velocity) {
    RodState state = rod.state();
    state.velocity.topRows<3>().colwise() = velocity;
    rod.set_state(state);
}

inline double mass_of(const RodStepper& rod) { return rod.plan().mass.row(0).sum(); }

inline Vec3 momentum_of(const RodStepper& rod) {
    return rod.state().velocity.topRows<3>() * rod.plan().mass.row(0).transpose();
}

inline Vec3 centre_of(const RodStepper& rod) {
    return rod.state().place.topRows<3>() * rod.plan().mass.row(0).transpose() / mass_of(rod);
}

/// About the origin, of points that move and sections that turn about the rod.
inline Vec3 angular_momentum_of(const RodStepper& rod) {
    const RodState& state = rod.state();
    Vec3 L = Vec3::Zero();
    for (long i = 0; i < rod.plan().points; ++i) {
        const Vec3 x = state.place.col(i).head<3>(), v = state.velocity.col(i).head<3>();
        L += rod.plan().mass(0, i) * x.cross(v);
    }
    for (long j = 0; j < rod.plan().edges; ++j)
        L += rod.plan().mass(3, j) * state.velocity(3, j) * state.tangents.row(j).transpose();
    return L;
}

/// Root mean square of what is heard of the points [m/s²].
inline double heard_of(const RodStepper& rod) {
    return std::sqrt(rod.state().heard.topRows<3>().squaredNorm() / double(rod.plan().points));
}

}  // namespace clangor::testing
