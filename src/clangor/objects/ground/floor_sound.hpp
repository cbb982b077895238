// The sound of a floor that is a plate. Internal to objects/ground.
#pragma once

#include <clangor/objects/objects.hpp>
#include <clangor/radiation/plate/plate.hpp>

namespace clangor {

/// Contact forces on it, each heard from where it presses   docs/theory/floor.md, section 3. One emitter per square of
/// 0.25 m that is pressed at all; they share one stem, "plate".
std::vector<Emitter> floor_emitters(const std::string& name, const ThinPlate& plate, Excitation excitation,
                                    const EmissionContext& context);

}  // namespace clangor
