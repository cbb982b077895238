// Motion that comes from files. Internal to render.
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/motion/imported/imported.hpp>
#include <clangor/motion/record/record.hpp>
#include <clangor/objects/objects.hpp>
#include <clangor/scene/scene.hpp>

#include <vector>

namespace clangor {

/// Friction and restitution that the scene gives to pairs of objects.
std::vector<RigidPair> pairs_of(const Scene& scene);

/// Where an object is over time, as far as the scene says: its trajectory, or its pose at the start.
io::ImportedPath path_of(const SoundingObject& object);

/// Throws Error for an object that should be simulated in a scene whose impacts come from a file.
void refuse_simulated(const SoundingObject& object, const Scene& scene);

std::vector<ImportedBody> imported_bodies(const std::vector<SoundingObject>& objects,
                                          const std::vector<Trajectory>& paths);

/// Impacts from the scene's file, between bodies that follow their paths. Throws Error for what is wrong in the file.
Motion completed_motion(const Scene& scene, const std::vector<ImportedBody>& bodies);

}  // namespace clangor
