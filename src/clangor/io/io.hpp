/// @file io.hpp — files: meshes, scenes, materials, motion, sound, baked models and their cache.
/// In        paths; bytes that may hold anything.
/// Out       checked values, or Error with file, line and what to do. Files appear complete or not at all.
/// Not here  what the values mean (scene, geometry, material), when to bake (render).
///
///     const Scene scene = io::read_scene("bell.json");
///     io::write_wav("bell.wav", audio);
#pragma once

#include <clangor/io/atomic_file.hpp>
#include <clangor/io/audio_file.hpp>
#include <clangor/io/audio_spool.hpp>
#include <clangor/io/cache.hpp>
#include <clangor/io/collisions_file.hpp>
#include <clangor/io/hash.hpp>
#include <clangor/io/impact_file.hpp>
#include <clangor/io/material_file.hpp>
#include <clangor/io/mesh_file.hpp>
#include <clangor/io/model_file.hpp>
#include <clangor/io/motion_glb.hpp>
#include <clangor/io/noise_file.hpp>
#include <clangor/io/picture_file.hpp>
#include <clangor/io/scene_file.hpp>
#include <clangor/io/trajectory_file.hpp>
#include <clangor/io/transfer_file.hpp>
