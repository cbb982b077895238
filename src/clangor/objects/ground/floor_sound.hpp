// The sound of a floor that is a plate. Internal to objects/ground.
#pragma once

#include <clangor/objects/objects.hpp>
#include <clangor/radiation/plate/plate.hpp>

namespace clangor {

/// Contact forces on it, each heard from where it is pressed   docs/theory/floor.md, section 3. One emitter per
/// quarter of a square metre's side that is pressed at all, in one stem, "plate".
std::vector<Emitter> floor_emitters(const std::string& name, const ThinPlate& plate, Excitation excitation,
                                    const EmissionContext& context);

}  // namespace clangor
