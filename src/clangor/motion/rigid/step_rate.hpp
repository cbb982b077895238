// How finely time must be cut.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

namespace clangor::rigid {

/// Steps a second, 1 to 10 kHz: so many that nothing moves by more than a quarter of the thinnest wall in one, at the
/// speeds that bodies can reach. How long they move has no part in it: the first seconds of a long scene are those of a
/// short one.
double step_rate(const RigidWorld& world);

}  // namespace clangor::rigid
