/// @file solid.hpp — stiffness and mass of an elastic solid from tetrahedra.
/// Model     K = ∫ Bᵀ C B dV,  M = ∫ ρ NᵀN dV, isotropic, small strains               docs/theory/solid.md
/// In        a tetrahedral mesh of 4 or 10 nodes an element (curved sides allowed) and a material.
/// Out       StiffnessMass: modal finds the modes.
///           element_excess: what coarse elements add to the squares of frequencies.
/// Not here  meshing (geometry), eigenvalues (modal).
///
///     const StiffnessMass body = assemble(quadratic(tets, surface), steel);
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/vibration/modal/modal.hpp>

namespace clangor {

/// Degree of freedom 3i + d is node i's displacement along axis d. Throws where an element is inverted.
StiffnessMass assemble(const TetMesh& mesh, const Material& material);

/// How much of each mode's ω² is error of the elements, which are too stiff: ‖ε* − ε‖² in energy, where ε is the strain
/// in the elements and ε* a smooth one fitted to it around each corner (docs/theory/solid.md, Eq. 5 to 7). Shapes are
/// mass-normalised, over all degrees of freedom, one column each; 10-node meshes [rad²/s²].
///
///     vibration_modes(assemble(mesh, steel), {.excess = excess_of(mesh, steel)})
Eigen::VectorXd element_excess(const TetMesh& mesh, const Material& material, const Eigen::MatrixXd& shapes);

/// The same as an option of `vibration_modes`; none for 4-node meshes. Keeps references to both.
ModeExcess excess_of(const TetMesh& mesh, const Material& material);

/// The six rigid motions of a cloud of nodes, scaled to similar size: translations, then rotations about the mean.
Eigen::MatrixXd rigid_body_modes(const Points& nodes);

}  // namespace clangor
