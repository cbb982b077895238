// Motion that comes from files. Internal to render.
#pragma once

#include <clangor/motion/record/record.hpp>
#include <clangor/scene/scene.hpp>

#include <memory>
#include <vector>

namespace clangor {

/// Where a solid is over time, as far as the scene says: its trajectory, or its pose at the start.
Trajectory path_of(const scene::Solid& solid);

/// Each object where it is at the start, for ever.
Motion motion_at_rest(const Scene& scene);

/// Throws Error for a solid that should be simulated in a scene whose impacts come from a file.
void refuse_simulated(const scene::Solid& solid, const Scene& scene);

/// Impacts from the scene's file: nothing is simulated, and whatever has no trajectory stays where it is. One surface for
/// each object, none for the ground. Throws Error for an object that should be simulated, and for what is wrong in the files.
Motion imported_motion(const Scene& scene, const std::vector<std::shared_ptr<const Surface>>& surfaces);

}  // namespace clangor
