// From what a scene says of supports to patches of a body.
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/scene/scene.hpp>
#include <clangor/vibration/solid/solid.hpp>

namespace clangor {

/// A support of a body, with what its mesh must be like.
struct PlacedSupport {
    SolidSupport support = {};
    bool wants_cut = false;   ///< the mesh needs nodes along the border of the patch
    bool wants_area = true;   ///< false: the face of a side, of which a shell may have an edge only
    double longest_edge = 0;  ///< of elements in the patch; 0: whatever they are [m]
};

/// Throws Error, with the support's number, where one misses the surface or would hold all of it.
std::vector<PlacedSupport> placed_supports(const std::vector<scene::Support>& supports, const Surface& surface);

/// What supports leave free, as a message.
std::string free_to_turn(long motions);

/// All that they say, for keys of the cache.
void add_supports(io::Fingerprint& print, const std::vector<scene::Support>& supports);

}  // namespace clangor
