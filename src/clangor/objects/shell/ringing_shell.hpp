// A shell's triangles and all that its modes do to them. Internal to objects/shell.
#pragma once

#include <clangor/objects/modal/modal.hpp>
#include <clangor/vibration/shell/shell.hpp>

#include <optional>

namespace clangor {

struct RingingShell {
    Surface middle;
    Modes modes;  ///< shapes: displacements of all vertices, then rotations
    Eigen::VectorXd support_share = {}, support_loss = {};
    long free_motions = 6;
    std::optional<ConstrainedBody> held = {};  ///< none: it is free
};

/// Triangles and modes from the cleaned surface in the middle of the wall. Throws for surfaces that are no shell, and,
/// before it has begun, if it would take more than `memory`, which is that of BakeContext.
RingingShell ringing_shell(const std::string& name, const CleanSurface& surface, double thickness,
                           const Material& material, const scene::SolidOptions& options, double memory,
                           const Progress& progress);

/// The model that rings.
ModalBody modal_body(const std::string& name, const RingingShell& shell, const CleanSurface& surface, double thickness,
                     const Material& material, const scene::SolidOptions& options);

}  // namespace clangor
