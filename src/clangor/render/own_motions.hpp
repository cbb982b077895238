// Objects that move by themselves, rods and grains, among the others. Internal to render.
#pragma once

#include <clangor/render/render.hpp>

#include <optional>
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

/// Among which things an object moves by itself, with all that it moves; none where another one moves it. Refers to all
/// of these. Of pairs of objects it knows nothing yet.
std::optional<Surroundings> surroundings_of(size_t self, const Scene& scene, const Baked& baked, const Motion& motion,
                                            const OwnMotion& felt = {});

/// What it pushes others by. `body` of each push is the number of an object.
std::vector<Push> pushes_of(const OwnPass& pass);

/// Adds its impacts, touches and warnings to the motion.
void add_own(const OwnPass& pass, Motion& motion);

}  // namespace clangor
