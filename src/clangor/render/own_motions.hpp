// Objects that move by themselves, rods and grains, among the others. Internal to render.
#pragma once

#include <clangor/render/render.hpp>

#include <vector>

namespace clangor {

/// Whether any object does.
bool any_moves_by_itself(const Baked& baked);

/// One pass over the whole time, among objects that move like this; `felt` is what they know of it: the last pass.
struct OwnPass {
    std::vector<OwnMotion> of_object = {};  ///< of those that move by themselves; of others empty
};
OwnPass own_pass(const Scene& scene, const Baked& baked, const Motion& motion, const OwnPass& felt,
                 const Progress& progress);

/// What it pushes others by. `body` of each push is the number of an object.
std::vector<Push> pushes_of(const OwnPass& pass);

/// Adds its impacts, touches and warnings to the motion.
void add_own(const OwnPass& pass, Motion& motion);

}  // namespace clangor
