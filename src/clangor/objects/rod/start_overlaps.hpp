// Rods that are inside of something before anything has moved. Internal to objects/rod.
#pragma once

#include <clangor/objects/objects.hpp>

#include <span>
#include <string>
#include <vector>

namespace clangor {

/// Where a rod is deepest in another object, or in itself.
struct StartOverlap {
    int rod = 0;                ///< among those that move together
    int other = -1;             ///< another of them; its own number: itself; −1: a neighbour
    int neighbour = -1;         ///< among the neighbours
    double along = 0;           ///< the rod [m]
    Vec3 point = Vec3::Zero();  ///< in the world [m]
    double depth = 0;           ///< of one surface under the other [m]
    double allowed = 0;         ///< deeper, the middle of the rod is on the wrong side, and would be pushed on [m]
};

/// One for each two that overlap by more than a hundredth of the rod's thickness. `places` are the rods' points in the
/// world.
std::vector<StartOverlap> start_overlaps(const Surroundings& around, std::span<const Points> places);

/// What cannot be: rods whose middle is inside of something, as they are placed.
std::vector<std::string> start_problems(const Surroundings& around);

/// "object "wire" is 3 mm inside of object "cup" at the start, 0.1 m along it at (0.1, 0.2, 0)".
std::string text_of(const StartOverlap& overlap, const Surroundings& around);

}  // namespace clangor
