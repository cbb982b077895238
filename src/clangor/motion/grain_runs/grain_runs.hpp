/// @file grain_runs.hpp — what runs of single grains tell: their encounters, how they flow, and how they meet when they
/// flow so.
/// In        GrainWorld, and what its simulation hands out.
/// Out       Encounter, GrainFlow, GrainDatabank.
/// Not here  the simulation (motion/grains), and what is done with a databank (motion/grain_databank).
///
///     const GrainDatabank bank = taught({.traits = {.restitution = 0.9, .friction = 0.2}}, world, {.duration = 0.5});
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>
#include <clangor/motion/grain_databank/grain_databank.hpp>
#include <clangor/motion/grains/grains.hpp>

#include <span>
#include <vector>

namespace clangor {

/// Of collisions between two grains; those with walls are left out. The kind of one counts its two kinds of grains:
/// first · kinds + second.
std::vector<Encounter> encounters_of(std::span<const GrainCollision> collisions, const GrainWorld& world);

/// Grains of all sizes count as of the options' radius.
GrainFlow flow_of(const GrainFrame& frame, const FlowOptions& options);

struct LessonOptions {
    double duration = 0;  ///< of the run [s]
    /// Frames are so close that grains stay in their cells: at 500 a second, what falls from 1 m moves by 9 mm.
    double frame_hz = 500;
    double edge = 0;  ///< of a cell; 0: six diameters [m]
};

/// Simulates the world, whose grains are of one size, and adds what happens to what the databank knows. Takes memory
/// for a frame, and not for the run. A sheared databank sees flows whose variances are forgotten.
GrainDatabank taught(GrainDatabank databank, const GrainWorld& world, const LessonOptions& options,
                     const Progress& progress = {});

/// What a course of standard runs teaches, of grains of these traits: some hundreds that fall into a box from three
/// heights, and that are shaken in one. Takes some seconds; the same traits give the same databank. Throws Error for a
/// restitution outside (0, 1).
GrainDatabank standard_databank(const DatabankTraits& traits, const Progress& progress = {});

}  // namespace clangor
