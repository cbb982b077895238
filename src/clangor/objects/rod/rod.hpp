/// @file rod.hpp — elastic rods in scenes: wires, rulers, springs, rings, which move by themselves and sound.
/// Model     one simulation for picture and sound: vibration/rod and vibration/rod_contact; lines of moving dipoles
/// In        scene::Rod.
/// Out       SoundingObject, by sounding(rod, context), which is declared beside the struct.
///
///     const SoundingObject wire = sounding(scene::Rod{.name = "wire", .curve = scene::StraightCurve{0.3}}, context);
#pragma once

#include <clangor/objects/objects.hpp>
