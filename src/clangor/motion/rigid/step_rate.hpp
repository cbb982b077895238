// How finely time must be cut.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

namespace clangor::rigid {

/// Steps a second, 1 to 10 kHz: so many that nothing moves by more than a quarter of the thinnest wall in one, at the speeds
/// that bodies can reach.
double step_rate(const RigidWorld& world, double duration);

}  // namespace clangor::rigid
