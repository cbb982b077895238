// How the collisions of a run sound. Internal to objects/grains.
#pragma once

#include <clangor/objects/grains/grain_run.hpp>

namespace clangor {

/// One emitter for each cube of 0.25 m that something collides in; they share one stem, "acceleration".
std::vector<Emitter> grain_emitters(const std::shared_ptr<const GrainRun>& run, const Trajectory* path,
                                    const EmissionContext& context);

}  // namespace clangor
