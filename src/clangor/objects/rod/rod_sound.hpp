// The sound of rods. Internal to objects/rod.
#pragma once

#include <clangor/objects/rod/rod_record.hpp>

namespace clangor {

/// What a rod left when it had moved.
struct RodTrack {
    std::shared_ptr<const RodRecord> record = {};
    Trajectory centre = {};  ///< of its mass; where it is held, its place at the start
    double reach = 0;        ///< no point is farther from the centre at any time [m]
};

/// A line of dipoles, heard from its centre.
std::vector<Emitter> rod_emitters(const std::shared_ptr<const RodTrack>& track, const EmissionContext& context);

}  // namespace clangor
