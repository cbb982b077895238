/// @file shell.hpp — thin elastic shells: how they are baked, move and sound.
/// Model     surface in the middle of a wall → triangles → modes → both sides of the wall, which move as the middle
///           does and turn with it; then sound fields, click and motion as of any body       docs/theory/shell.md
/// In        scene::Shell.
/// Out       SoundingObject, by sounding(shell, context), which is declared beside the struct.
/// Not here  elements (vibration/shell), what any modal body does (objects/modal).
///
///     const ModalBody lid = bake_shell("lid", clean(surface_of(Dome{})), 0.001, *find_material("steel"), {});
#pragma once

#include <clangor/objects/modal/modal.hpp>

namespace clangor {

/// The modes of one shell, from the cleaned surface in the middle of its wall (in metres). Throws for surfaces that are
/// no shell, and, before it has begun, if it would take more than `memory`, which is that of BakeContext.
ModalBody bake_shell(const std::string& name, const CleanSurface& surface, double thickness, const Material& material,
                     const scene::SolidOptions& options, const Progress& progress = {}, double memory = 0);

ModalModel shell_model(const scene::Shell& shell, const BakeContext& context);

/// The shell as it sounds with a model that is there already.
SoundingObject sounding(const scene::Shell& shell, const ModalModel& model, const BakeContext& context);

}  // namespace clangor
