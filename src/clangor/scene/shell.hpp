// Shells: what a scene may say of one.
#pragma once

#include <clangor/scene/solid.hpp>

namespace clangor::scene {

/// How a shell moves when it is struck. Nonlinear: its modes couple, as the wall stretches and relaxes. Linear: each
/// mode rings by itself. Seed: linear modes moved by their full elastic forces, as [Chadwick2009] has it.
enum class ShellMethod { Nonlinear, Linear, Seed };

/// A thin elastic wall that rings: sheet, lid, cymbal, bottle. Its mesh is the surface in the middle of the wall.
struct Shell {
    /// All that is said of it as of a solid. Edges are those of triangles; parts and elements are not read.
    Solid body = {};
    double thickness = 0;  ///< of the wall, > 0 [m]
    ShellMethod method = ShellMethod::Nonlinear;
    int nonlinear_modes = 0;  ///< the lowest so many couple; 0: as many as the quality has
    double most_energy = 0;   ///< Seed: forces push it no further than this; 0: as far as they do [J/kg]
    double prestress = 0;     ///< frozen into the wall, as a multiple of that at which it buckles
};

/// Its keys in a scene file.
Record record_of(Shell& shell);

/// How it is baked, moves and sounds: objects/shell.
SoundingObject sounding(const Shell& shell, BakeContext& context);

/// Shells of one surface and material.
std::string bakes_after(const Shell& shell, const BakeContext& context);

inline bool asks_for_motion(const Shell& shell) { return asks_for_motion(shell.body); }

}  // namespace clangor::scene
