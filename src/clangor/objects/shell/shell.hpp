/// @file shell.hpp — thin elastic shells: how they are baked, move and sound.
/// Model     surface in the middle of a wall → triangles → modes → both sides of the wall, which move as the middle
///           does and turn with it; then sound fields, click and motion as of any body       docs/theory/shell.md
///           Its lowest modes move together as its wall stretches                  docs/theory/nonlinear-shell.md
/// In        scene::Shell.
/// Out       SoundingObject, by sounding(shell, context), which is declared beside the struct.
/// Not here  elements (vibration/shell), motion in time (vibration/nonlinear, vibration/subspace), what any modal body
///           does (objects/modal).
///
///     const ModalBody lid = bake_shell("lid", clean(surface_of(Dome{})), 0.001, *find_material("steel"), {});
#pragma once

#include <clangor/objects/modal/modal.hpp>

namespace clangor {

/// The modes of one shell, from the cleaned surface in the middle of its wall (in metres). Throws for surfaces that are
/// no shell, and, before it has begun, if it would take more than `memory`, which is that of BakeContext.
ModalBody bake_shell(const std::string& name, const CleanSurface& surface, double thickness, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress = {}, double memory = 0);

/// Its linear modes, with their sound fields and its click, from the cache or into it.
ModalModel shell_model(const scene::Shell& shell, const BakeContext& context);

/// All that is baked of a shell of the scene.
struct MovingShell {
    ModalModel model = {};
    std::shared_ptr<const CoupledModes> coupled = {};  ///< none: its modes ring each by itself
};

/// The same, and how its modes move together, as its method has it.
MovingShell moving_shell(const scene::Shell& shell, const BakeContext& context);

/// The shell as it sounds with what is there already.
SoundingObject sounding(const scene::Shell& shell, const MovingShell& baked, const BakeContext& context);

}  // namespace clangor
