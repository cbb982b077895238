// A ring of wire.
#include <clangor/geometry/shapes_build.hpp>

#include <cmath>

namespace clangor::shapes {

Surface build(const Ring& ring) {
    check_size("ring", "radius", ring.radius);
    check_size("ring", "wire", ring.wire);
    check_below("ring", "wire", ring.wire, ring.radius, "the ring's radius: there would be no hole");
    constexpr int around_wire = 24;
    Profile profile;
    for (int i = 0; i < around_wire; ++i) {
        const double angle = 2 * pi * i / around_wire;
        profile.emplace_back(ring.radius + ring.wire * std::cos(angle), ring.wire * std::sin(angle));
    }
    return revolved(profile).surface;
}

}  // namespace clangor::shapes
