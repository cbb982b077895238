/// @file ground.hpp — the ground: everything below a height, which reflects sound; a plate, where it has a thickness,
///           which gives way under contacts and sounds                                   docs/theory/floor.md
/// In        scene::Ground.
/// Out       SoundingObject, by sounding(ground, context), which is declared beside the struct.
///
///     const SoundingObject floor = sounding(scene::Ground{.name = "floor"}, context);
#pragma once

#include <clangor/objects/objects.hpp>
