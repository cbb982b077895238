// Shells: what a scene may say of one.
#pragma once

#include <clangor/scene/solid.hpp>

namespace clangor::scene {

/// A thin elastic wall that rings: sheet, lid, cymbal, bottle. Its mesh is the surface in the middle of the wall.
struct Shell {
    /// All that is said of it as of a solid. Edges are those of triangles; parts and elements are not read.
    Solid body = {};
    double thickness = 0;  ///< of the wall, > 0 [m]
};

/// Its keys in a scene file.
Record record_of(Shell& shell);

/// How it is baked, moves and sounds: objects/shell.
SoundingObject sounding(const Shell& shell, BakeContext& context);

/// Shells of one surface and material.
std::string bakes_after(const Shell& shell, const BakeContext& context);

inline bool asks_for_motion(const Shell& shell) { return asks_for_motion(shell.body); }

}  // namespace clangor::scene
