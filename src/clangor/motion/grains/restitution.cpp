#include <clangor/motion/grains/restitution.hpp>

#include <cmath>

namespace clangor {
namespace {

// e of a viscoelastic ball over w = (b v)^{1/10}, with b from material and size  [Mueller2011]: falls from 1 to 0.
double viscoelastic(double w) {
    constexpr double c1 = 0.501086, b2 = 1.15345, b3 = 0.577977, b4 = 0.532178;
    return (1 + c1 * w) / (1 + w * (c1 + w * (b2 + w * (b3 + w * b4))));
}

double w_of(double restitution) {
    double low = 0, high = 1;
    while (viscoelastic(high) > restitution) high *= 2;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (viscoelastic(middle) > restitution ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

double of_law(const grains::SurfaceLaw& law, double speed) {
    if (law.w == 0) return law.surface.restitution;
    return viscoelastic(law.w * std::pow(speed / law.surface.reference_speed, 0.1));
}

}  // namespace

namespace grains {

SurfaceLaw law_of(const GrainSurface& surface) {
    const bool same_at_all_speeds = surface.restitution >= 1 || surface.reference_speed <= 0;
    return {surface, same_at_all_speeds ? 0 : w_of(surface.restitution)};
}

PairLaw pair_law(const SurfaceLaw& one, const SurfaceLaw& other) {
    const GrainSurface &a = one.surface, &b = other.surface;
    return {&one, &other, std::sqrt(a.friction * b.friction),
            0.5 * (a.tangential_restitution + b.tangential_restitution),
            0.5 * (a.rolling_friction + b.rolling_friction)};
}

double restitution_of(const PairLaw& pair, double speed) {
    if (pair.one == pair.other) return of_law(*pair.one, speed);
    return 0.5 * (of_law(*pair.one, speed) + of_law(*pair.other, speed));
}

}  // namespace grains

double restitution_at(const GrainSurface& one, const GrainSurface& other, double speed) {
    const grains::SurfaceLaw a = grains::law_of(one), b = grains::law_of(other);
    return grains::restitution_of(grains::pair_law(a, b), speed);
}

}  // namespace clangor
