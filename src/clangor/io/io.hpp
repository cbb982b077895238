/// @file io.hpp — files: meshes, scenes, materials, motion, collisions, sound, baked models and their cache.
/// In        paths; bytes that may hold anything.
/// Out       checked values, or Error with file, line and what to do. Files appear complete or not at all.
/// Not here  what the values mean (scene, geometry, material), when to bake (render).
///
///     const Scene scene = io::read_scene("bell.json");
///     io::write_wav("bell.wav", audio);
#pragma once

#include <clangor/io/collisions/collisions.hpp>
#include <clangor/io/file/file.hpp>
#include <clangor/io/gltf/gltf.hpp>
#include <clangor/io/media/media.hpp>
#include <clangor/io/mesh/mesh.hpp>
#include <clangor/io/model/model.hpp>
#include <clangor/io/motion/motion.hpp>
#include <clangor/io/scene/scene.hpp>
