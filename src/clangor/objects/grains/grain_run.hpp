// Grains that move in a scene, and what comes of it. Internal to objects/grains.
#pragma once

#include <clangor/motion/grains/grains.hpp>
#include <clangor/objects/grains/grain_record.hpp>
#include <clangor/objects/grains/grain_source.hpp>
#include <clangor/objects/grains/grain_world.hpp>
#include <clangor/objects/objects.hpp>

#include <algorithm>
#include <limits>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace clangor {

/// Radii of balls that are heard.
class RadiiHeard {
public:
    void add(double radius) {
        low_ = std::min(low_, radius);
        high_ = std::max(high_, radius);
        if (few_.size() <= most_exact) few_.insert(radius);
    }
    /// A few as they are; of many the ends, and some between, between which a spectrum is interpolated [m].
    std::vector<double> values() const;

private:
    static constexpr size_t most_exact = 16;
    std::set<double> few_ = {};
    double low_ = std::numeric_limits<double>::infinity(), high_ = 0;
};

/// What the sound of grains is made of.
struct GrainRun {
    GrainRecord record = {};
    GrainReport report = {};
    RadiiHeard radii = {};
    long quiet = 0;                                ///< collisions that could not be heard anywhere
    long wall_impacts = 0;                         ///< on objects that sound or give way
    double seconds = 0;                            ///< that it took
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< corners of where recorded collisions are [m]
};

/// What is known of an object of grains: by this their kind knows each other.
struct GrainsInScene {
    scene::Grains grains;
    GrainSource source = {};                    ///< what files say
    std::shared_ptr<const GrainRun> last = {};  ///< how they moved
};

/// Simulates those that are filled in, together; follows the files of the others. Keeps the runs, and gives what all of
/// them do to others.
OwnMotion move_grains(const Surroundings& around, const Air& air, const Progress& progress);

/// Why some of them are not heard as they should be; "": they are. Without the object's name.
std::string warning_of_impacts(const GrainRun& run);

}  // namespace clangor
