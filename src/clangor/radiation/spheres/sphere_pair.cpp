// What a contact of two balls is like, by Hertz.
#include <clangor/radiation/spheres/spheres.hpp>

#include <cmath>

namespace clangor {

SpherePair sphere_pair(const SphereKind& first, const SphereKind& second) {
    SpherePair pair;
    double inverse_mass = 0, curvature = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const SphereKind& ball = i == 0 ? first : second;
        CLANGOR_ASSERT(ball.radius > 0, "a ball has a radius, if an infinite one");
        pair.masses[i] = ball.material.density * 4 / 3 * pi * cube(ball.radius);
        inverse_mass += 1 / pair.masses[i];
        curvature += 1 / ball.radius;
        if (std::isfinite(ball.radius)) pair.radii[i] = ball.radius;
    }
    CLANGOR_ASSERT(inverse_mass > 0, "one of the two is a ball");
    pair.unit_duration = hertz_time({.inverse_mass = inverse_mass,
                                     .curvature = curvature,
                                     .modulus = contact_modulus(first.material, second.material)},
                                    1.0);
    return pair;
}

// J = (1 + e) m v; τ as for an elastic contact: losses shorten it by a few in a hundred.
SphereCollision collision_of(const SpherePair& pair, const SphereMeeting& meeting) {
    CLANGOR_ASSERT(meeting.speed > 0, "balls that meet approach each other");
    const double mass = 1 / (1 / pair.masses[0] + 1 / pair.masses[1]);
    const Vec3 along_normal = (1 + meeting.restitution) * mass * meeting.speed * meeting.normal;
    return {.time = meeting.time,
            .point = meeting.point,
            .normal = meeting.normal,
            .impulse = meeting.impulse.value_or(along_normal),
            .radii = pair.radii,
            .masses = pair.masses,
            .duration = pair.unit_duration * std::pow(meeting.speed, -0.2)};
}

}  // namespace clangor
