// A gas of hard balls: kinetic theory.
#include <clangor/motion/collision_density/collision_density.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

constexpr double freezing = 0.49, jammed = 0.64;
constexpr double nearest_to_jamming = 1e-3;  // [of the fill]; touching balls meet without end

double carnahan_starling(double fill) { return (1 - fill / 2) / cube(1 - fill); }

}  // namespace

double contact_value(double fill) {
    CLANGOR_ASSERT(fill >= 0, "a part of the volume");
    if (fill <= freezing) return carnahan_starling(fill);
    return carnahan_starling(freezing) * (jammed - freezing) / std::max(jammed - fill, nearest_to_jamming);
}

double gas_encounter_rate(const GrainGas& gas) {
    const double d = 2 * gas.radius, n = gas.fill / (pi / 6 * cube(d));
    return 2 * square(n * d) * std::sqrt(pi * gas.variance) * contact_value(gas.fill);
}

double drawn_gas_speed(const GrainGas& gas, Random& random) { return std::sqrt(2 * gas.variance) * random.rayleigh(); }

Vec3 drawn_direction(Random& random) {
    const double height = 2 * random.uniform() - 1, turn = 2 * pi * random.uniform();
    const double flat = std::sqrt(1 - square(height));
    return {flat * std::cos(turn), height, flat * std::sin(turn)};
}

}  // namespace clangor
