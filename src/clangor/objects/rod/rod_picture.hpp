// Rods as motion files show them. Internal to objects/rod.
#pragma once

#include <clangor/objects/rod/rod_run.hpp>

namespace clangor {

/// The section about each point of a curve: a ring of its outline across the curve, and a lid on each end that is open.
/// `d_1` is where the section's x axis points; its part along the curve does not count.
Surface swept(const Outline& outline, const RodPlaces& places, bool closed);

/// Its section swept along it, as it moved.
io::MovingShape rod_picture(const RodInScene& rod);

}  // namespace clangor
