// The grains of a scene among its other objects, as the simulation takes them. Internal to objects/grains.
#pragma once

#include <clangor/motion/grains/grains.hpp>
#include <clangor/objects/objects.hpp>

#include <span>

namespace clangor {

/// An object of grains.
struct GrainsHere {
    const scene::Grains* grains = nullptr;
    int object = -1;  ///< in the scene
};

/// What holds between grains of an object and each other, those of another object, or a neighbour: what the scene says
/// of the two, or what follows from them.
GrainSurface surface_within(const GrainsHere& grains, const Surroundings& around);
GrainSurface surface_between(const GrainsHere& grains, const GrainsHere& others, const Surroundings& around);
GrainSurface surface_on(const GrainsHere& grains, const Neighbour& neighbour, const Surroundings& around);

/// What the neighbour looks like to grains. Neighbours are walls in their own order.
std::variant<GrainPlane, Surface> shape_of(const Neighbour& neighbour);

/// One kind for each object, without the grains themselves.
GrainWorld world_of(std::span<const GrainsHere> grains, const Surroundings& around);

/// Fills in the grains of all objects: first those that settle, then those that hang. Throws Error with the object.
void fill_in(GrainWorld& world, std::span<const GrainsHere> grains, const Surroundings& around,
             const Progress& progress);

}  // namespace clangor
