// What happened between recorded poses: mechanics goes on from one such that the next comes out.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

#include <vector>

namespace clangor::rigid {

/// The impacts that recorded poses tell of, and what became of contacts that are none.
struct Retraced {
    std::vector<Impact> impacts;  ///< by time
    IgnoredContacts ignored;
};

/// Impacts of bodies that move by themselves between their poses, which are at `frames`, ascending: a body falls, turns
/// and bounces from each frame to the next as mechanics has it, with the restitution and friction that lead to where
/// the next frames have it  (docs/theory/rigid-motion.md, section 6). `free` tells which of the world's bodies do; the
/// others are in their way. Those have a mass and an inertia.
Retraced retraced_impacts(const RigidWorld& world, const RigidOptions& options, const std::vector<char>& free,
                          const std::vector<double>& frames, const Progress& progress);

}  // namespace clangor::rigid
