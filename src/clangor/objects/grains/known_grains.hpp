// Grains that nobody simulates: another program says what they do. Internal to objects/grains.
#pragma once

#include <clangor/objects/grains/grain_run.hpp>

namespace clangor {

/// Collisions of a list, or drawn ones of an animation.
void follow_known(const GrainsHere& grains, const GrainSource& source, const Surroundings& around, const Air& air,
                  GrainRun& run, OwnMotion& own, const Progress& progress);

/// By time, between 0 and the end. Throws Error where a name of the list is no object's and no material's, or a place
/// is far from the object that is said to be hit there.
void follow_list(const GrainsHere& grains, const io::CollisionList& list, const Surroundings& around, const Air& air,
                 GrainRun& run, OwnMotion& own);

/// Of each frame, what happens from the one before to the one after, fading in and out.
void follow_animation(const GrainsHere& grains, const Animated& animated, const Surroundings& around, const Air& air,
                      GrainRun& run, OwnMotion& own, const Progress& progress);

}  // namespace clangor
