// Balls of diameter 1 and mass 1 in a periodic box. For tests.
#pragma once

#include <clangor/motion/grains/grains.hpp>

#include <cmath>
#include <random>

namespace clangor {

/// 4 side³ balls on a face-centred lattice with velocities of unit variance per axis and no momentum.
inline GrainWorld made_gas(int side, double number_density, const GrainSurface& surface) {
    GrainWorld world{.kinds = {{.name = "ball", .density = 6 / pi, .surface = surface}}, .gravity = Vec3::Zero()};
    const double cell = std::cbrt(4 / number_density);
    world.periodic = Vec3::Constant(side * cell);
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    Vec3 momentum = Vec3::Zero();
    for (int x = 0; x < side; ++x)
        for (int y = 0; y < side; ++y)
            for (int z = 0; z < side; ++z)
                for (const Vec3& at : {Vec3(0, 0, 0), Vec3(0, 0.5, 0.5), Vec3(0.5, 0, 0.5), Vec3(0.5, 0.5, 0)}) {
                    const Vec3 velocity(normal(random), normal(random), normal(random));
                    momentum += velocity;
                    world.grains.push_back(
                        {.position = cell * (Vec3(x, y, z) + at), .velocity = velocity, .radius = 0.5});
                }
    for (Grain& grain : world.grains) grain.velocity -= momentum / double(world.grains.size());
    return world;
}

inline double kinetic_energy(const std::vector<Grain>& grains) {
    double energy = 0;
    for (const Grain& grain : grains) energy += 0.5 * (grain.velocity.squaredNorm() + 0.1 * grain.spin.squaredNorm());
    return energy;
}

inline Vec3 momentum_of(const std::vector<Grain>& grains) {
    Vec3 momentum = Vec3::Zero();
    for (const Grain& grain : grains) momentum += grain.velocity;
    return momentum;
}

}  // namespace clangor
