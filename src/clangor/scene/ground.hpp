// The ground: what a scene may say of it.
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/scene/mesh_source.hpp>
#include <clangor/scene/record.hpp>

#include <string>

namespace clangor::scene {

/// A floor that fills everything below its height, or a plate without an end. It reflects sound; a plate also gives way
/// under contacts, and sounds.
struct Ground {
    std::string name = {};
    Material material = {};
    double height = 0;  ///< y of its surface [m]
    double friction = from_material;
    double restitution = from_material;
    double thickness = from_material;  ///< 0: thick, so that it gives no way and is silent; NaN: thickness_of says [m]
    double reflection = 0.96;          ///< pressure of the reflected wave over that of the incident one, 0 to 1
};

/// Of floors of wood whose thickness is not given: usual boards. Chosen [m].
inline constexpr double board_thickness = 0.02;

/// As it is given, or boards for wood, and 0 (thick) for everything else [m].
double thickness_of(const Ground& ground);

/// Its keys in a scene file.
Record record_of(Ground& ground);

/// How it is baked, moves and sounds: objects/ground.
SoundingObject sounding(const Ground& ground, BakeContext& context);

/// It is there to be fallen on.
inline bool asks_for_motion(const Ground&) { return true; }

}  // namespace clangor::scene
