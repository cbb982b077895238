// Shells that are held. Internal to objects/shell.
#pragma once

#include <clangor/objects/modal/modal.hpp>
#include <clangor/vibration/shell/shell.hpp>

namespace clangor {

/// The shell with its supports, whose patches are of its middle surface. What is clamped does not turn either; a side
/// without a depth is held along its edge. Throws where a support holds nothing.
HeldSolid held_shell(StiffnessMass body, const Surface& middle, const std::vector<PlacedSupport>& supports);

}  // namespace clangor
