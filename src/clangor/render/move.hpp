// Motion that comes from files. Internal to render.
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/motion/imported/imported.hpp>
#include <clangor/motion/record/record.hpp>
#include <clangor/scene/scene.hpp>

#include <vector>

namespace clangor {

/// Where a solid is over time, as far as the scene says: its trajectory, or its pose at the start.
io::ImportedPath path_of(const scene::Solid& solid);

/// Each object where it is at the start, for ever.
Motion motion_at_rest(const Scene& scene);

/// Throws Error for a solid that should be simulated in a scene whose impacts come from a file.
void refuse_simulated(const scene::Solid& solid, const Scene& scene);

/// Impacts from the scene's file, between bodies that follow their paths. Throws Error for what is wrong in the file.
Motion completed_motion(const Scene& scene, const std::vector<ImportedBody>& bodies);

}  // namespace clangor
