// Strikes that miss what they should hit. Internal to render.
#pragma once

#include <clangor/scene/scene.hpp>

#include <cstddef>

namespace clangor {

/// Throws Error where the closest point of an object of that size [m] is more than a tenth of the size away from the
/// strike.
void refuse_missed(std::size_t index, const scene::Strike& strike, const Vec3& closest, double size);

}  // namespace clangor
