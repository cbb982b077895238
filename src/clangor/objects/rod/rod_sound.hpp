// The sound of rods. Internal to objects/rod.
#pragma once

#include <clangor/objects/rod/rod_record.hpp>

namespace clangor {

/// What a rod left when it had moved.
struct RodTrack {
    std::shared_ptr<const RodRecord> record = {};
    Trajectory path = {};     ///< of its centre of mass, to a micrometre
    Trajectory centre = {};   ///< sound is counted from there: the path, or, where it is held, its beginning
    double reach = 0;         ///< no point is farther from the centre at any time [m]
    double round_radius = 0;  ///< of a section that is round; 0: it is not [m]
};

/// A line of dipoles, heard from its centre.
std::vector<Emitter> rod_emitters(const std::shared_ptr<const RodTrack>& track, const EmissionContext& context);

}  // namespace clangor
