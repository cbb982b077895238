#include <clangor/render/local_contact.hpp>

#include <algorithm>
#include <limits>

namespace clangor {

LocalContact local_contact(const std::array<ContactSide, 2>& sides, const std::vector<ContactBody>& bodies) {
    LocalContact contact;
    double size = std::numeric_limits<double>::infinity(), compliance = 0;
    std::array<double, 2> curvature{};
    for (size_t s = 0; s < 2; ++s) {
        if (sides[s].body < 0) continue;
        const Body& body = *bodies[sides[s].body].body;
        curvature[s] = body.curvature;
        if (body.finder) {
            contact.at[s] = (*body.finder)(sides[s].point);
            curvature[s] = contact.at[s].curvature;
        }
        size = std::min(size, body.radius);
        compliance += contact_compliance(body.material);
        const double density = body.material.density, mass = body.mass.volume * density;
        if (bodies[sides[s].body].is_movable && mass > 0)
            contact.hertz.inverse_mass += inverse_effective_mass(mass, body.mass.inertia * density,
                                                                 sides[s].point - body.mass.centre, sides[s].normal);
    }
    contact.hertz.curvature = contact_curvature(curvature[0], curvature[1], size);
    contact.hertz.modulus = 1 / compliance;
    return contact;
}

double contact_time(const HertzContact& hertz, double speed) {
    // Longer than this a contact no longer rings anything; shorter than this it is an impulse to everything audible.
    constexpr double shortest = 1e-6, longest = 0.05;
    if (!(hertz.inverse_mass > 0) || !(speed > 0)) return 2e-4;
    return std::clamp(hertz_time(hertz, speed), shortest, longest);
}

const ModalMobility* mobility_of(const ContactSide& side, const std::vector<ContactBody>& bodies) {
    return side.body < 0 ? nullptr : bodies[side.body].mobility;
}

}  // namespace clangor
