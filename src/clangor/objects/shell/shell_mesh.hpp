// Triangles that a shell's modes are found on. Internal to objects/shell.
#pragma once

#include <clangor/objects/modal/modal.hpp>
#include <clangor/vibration/shell/shell.hpp>

namespace clangor {

/// The given surface, with edges as short as bending waves of the highest frequency need, and its curvature; creases
/// and borders stay. Surfaces that are fine enough stay as they are. Throws for what is no shell.
Surface shell_mesh(const Surface& surface, double thickness, const Material& material,
                   const scene::SolidOptions& options, double max_hz);

/// How long edges are asked for [m].
double shell_edge(const Surface& surface, double thickness, const Material& material,
                  const scene::SolidOptions& options, double max_hz);

/// With vertices on the border of a patch: edges that cross it are split where they do, or an end is moved there where
/// that is near. Edges that touch the patch are no longer than `longest` [m]; 0: whatever they are.
Surface cut_along_border(const Surface& surface, const PatchDistance& distance, double longest);

/// Everything that is wrong with a surface as a shell of that thickness; the first is thrown.
void check_shell(const Surface& surface, double thickness);

}  // namespace clangor
