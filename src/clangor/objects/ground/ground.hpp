/// @file ground.hpp — the ground: everything below a height, which reflects sound and does not ring.
/// In        scene::Ground.
/// Out       SoundingObject, by sounding(ground, context), which is declared beside the struct.
///
///     const SoundingObject floor = sounding(scene::Ground{.name = "floor"}, context);
#pragma once

#include <clangor/objects/objects.hpp>
