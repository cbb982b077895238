// What is wrong with a world, told before anything moves. Internal to motion/grains.
#pragma once

#include <clangor/motion/grains/course.hpp>

namespace clangor::grains {

/// Throws Error for values that no world can have.
void check_values(const GrainWorld& world, const GrainOptions& options);
/// Throws Error where grains overlap each other or reach into walls.
void check_places(const Course& course, const GrainWorld& world);

}  // namespace clangor::grains
