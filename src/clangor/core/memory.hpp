// How much memory the work may take.
#pragma once

#include <cstddef>

namespace clangor {

/// What is asked for, or, where that is 0, 80 % of what is free: of the machine, and of the control group that the
/// process runs in. Infinite where that is unknown. It decides what is refused and what runs together, never what a
/// result is. [bytes]
double allowed_memory(double asked);

/// The same as a solver's option, where 0 means that nothing is known.
std::size_t limit_of(double bytes);

}  // namespace clangor
