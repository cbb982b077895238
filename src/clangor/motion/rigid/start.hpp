// How bodies stand before time begins.
#pragma once

#include <clangor/motion/rigid/bodies.hpp>
#include <clangor/motion/rigid/warnings.hpp>

namespace clangor::rigid {

/// Moves bodies that overlap apart, along the shortest way, and names them in a warning.
void part_overlaps(const RigidWorld& world, std::vector<MovingBody>& bodies, double h, Warnings& warnings);

/// Lowers bodies that do not move onto what they stand on, where that is at most 1 mm and a hundredth of their size
/// below them.
void set_down(const RigidWorld& world, std::vector<MovingBody>& bodies);

}  // namespace clangor::rigid
