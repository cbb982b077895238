// All rods of a scene that may touch each other, and what they touch. Internal to objects/rod.
#pragma once

#include <clangor/objects/rod/rod_run.hpp>

namespace clangor {

/// Moves all that go together, and leaves each of them its track. What they do to other bodies is in the result.
OwnMotion move_rods(const Surroundings& around, const Air& air, const Progress& progress);

}  // namespace clangor
