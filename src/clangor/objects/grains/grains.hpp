/// @file grains.hpp — grains in a scene: how they move, what they hit, and how it sounds.
/// Model     hard balls (motion/grains); each collision is heard as the acceleration of its balls (radiation/spheres),
///           and is an impact on what is no grain                                       docs/theory/grain-sound.md
/// In        scene::Grains, and the surroundings that move among them.
/// Out       SoundingObject, by sounding(grains, context), which is declared beside the struct.
/// Not here  the simulation (motion/grains), sounds of balls (radiation/spheres), what impacts do to others (render).
///
///     const SoundingObject beads = sounding(scene::Grains{.name = "beads", .count = 100}, context);
#pragma once

#include <clangor/objects/objects.hpp>
