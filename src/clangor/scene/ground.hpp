// The ground: what a scene may say of it.
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/scene/mesh_source.hpp>
#include <clangor/scene/record.hpp>

#include <string>

namespace clangor::scene {

/// A floor that fills everything below its height. It does not ring; it reflects sound.
struct Ground {
    std::string name = {};
    Material material = {};
    double height = 0;  ///< y of its surface [m]
    double friction = from_material;
    double restitution = from_material;
    double reflection = 0.96;  ///< pressure of the reflected wave over that of the incident one, 0 to 1
};

/// Its keys in a scene file.
Record record_of(Ground& ground);

/// How it is baked, moves and sounds: objects/ground.
SoundingObject sounding(const Ground& ground, BakeContext& context);

/// It is there to be fallen on.
inline bool asks_for_motion(const Ground&) { return true; }

}  // namespace clangor::scene
