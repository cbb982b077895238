// The listeners of a scene, ready to listen. Internal to render.
#pragma once

#include <clangor/motion/record/record.hpp>
#include <clangor/objects/objects.hpp>
#include <clangor/scene/scene.hpp>

#include <string>
#include <vector>

namespace clangor {

/// All listeners, with their SOFA files and paths read. `messages` gets what the user should know.
std::vector<PlacedListener> placed_listeners(const Scene& scene, const Motion& motion,
                                             std::vector<std::string>& messages);

}  // namespace clangor
