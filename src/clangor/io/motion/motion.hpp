/// @file motion.hpp — motion from and for other programs: trajectories, impacts, collisions, animations.
/// In        tables (.csv), lines of JSON, glTF scenes.
/// Out       Trajectory, ImportedImpact and Encounter in our units and axes, or Error with file and line; animations as
///           glTF.
/// Not here  what the impacts lack (motion/imported).
///
///     const Trajectory lid = io::read_trajectory("shot.glb#Lid").path;
#pragma once

#include <clangor/io/motion/collision_file.hpp>
#include <clangor/io/motion/flow_file.hpp>
#include <clangor/io/motion/grain_file.hpp>
#include <clangor/io/motion/impact_file.hpp>
#include <clangor/io/motion/motion_glb.hpp>
#include <clangor/io/motion/trajectory_file.hpp>
