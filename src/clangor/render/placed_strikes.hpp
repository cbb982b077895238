// Scripted strikes on the objects of a scene: where they land, and what they give. Internal to render.
#pragma once

#include <clangor/render/excite.hpp>
#include <clangor/scene/scene.hpp>

#include <memory>
#include <vector>

namespace clangor {

/// In the frame of the object that is struck.
struct PlacedStrike {
    std::size_t index = 0;  ///< among the scene's strikes
    int object = -1;        ///< among its objects
    ContactPoint at = {};
    Vec3 normal = Vec3::Zero();               ///< unit, against what strikes: out of the object
    Vec3 impulse = Vec3::Zero();              ///< that the object receives; by a mallet: if nothing else hits it [N·s]
    std::shared_ptr<const Body> mallet = {};  ///< none: the strike is an impulse
};

/// A strike on this object, but for a mallet's impulse. Throws Error where it misses by more than a tenth of the
/// object's size, and for a mallet that is larger than the object or moves away from its surface.
PlacedStrike placed_strike(const Scene& scene, std::size_t index, const SoundingObject& struck);

/// All of the scene that land on a surface, in its order.
std::vector<PlacedStrike> placed_strikes(const Scene& scene, const std::vector<SoundingObject>& objects);

/// Strikes by mallets as impacts between an object and one of these bodies, which stand behind those of the scene.
struct MalletImpacts {
    std::vector<ContactBody> mallets = {};
    std::vector<Impact> impacts = {};  ///< likewise
};
MalletImpacts mallet_impacts(const Scene& scene, const std::vector<PlacedStrike>& strikes, int object_count);

/// What strikes by an impulse drive.
void add_given(const Scene& scene, const std::vector<PlacedStrike>& strikes, const std::vector<SoundingObject>& objects,
               std::vector<Excitation>& excitations);

}  // namespace clangor
