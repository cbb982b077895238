// A run of grains among other objects, and what comes of it. Internal to objects/grains.
#pragma once

#include <clangor/motion/grains/grains.hpp>
#include <clangor/objects/grains/grain_record.hpp>
#include <clangor/objects/objects.hpp>

namespace clangor {

/// What the sound of grains is made of.
struct GrainRun {
    GrainRecord record = {};
    GrainReport report = {};
    long quiet = 0;                                ///< collisions that could not be heard anywhere
    long wall_impacts = 0;                         ///< on objects that sound or give way
    double seconds = 0;                            ///< that it took
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners of where recorded collisions are [m]
};

/// The run, and what it does to others.
struct MovedGrains {
    std::shared_ptr<const GrainRun> run = {};
    OwnMotion own = {};
};
MovedGrains moved(const scene::Grains& grains, const Surroundings& around, const Air& air, const Progress& progress);

}  // namespace clangor
