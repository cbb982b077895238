// What becomes of two surfaces where they meet. Internal to motion/grains.
#pragma once

#include <clangor/motion/grains/grains.hpp>

namespace clangor::grains {

/// What is worked out once for a surface.
struct SurfaceLaw {
    GrainSurface surface;
    double w = 0;  ///< of the viscoelastic law, at the reference speed
};
SurfaceLaw law_of(const GrainSurface& surface);

struct PairLaw {
    const SurfaceLaw* one = nullptr;
    const SurfaceLaw* other = nullptr;
    double friction = 0, tangential_restitution = 0, rolling_friction = 0;
};
PairLaw pair_law(const SurfaceLaw& one, const SurfaceLaw& other);

double restitution_of(const PairLaw& pair, double speed);

}  // namespace clangor::grains
