/// @file solid.hpp — stiffness and mass of an elastic solid from tetrahedra.
/// Model     K = ∫ Bᵀ C B dV,  M = ∫ ρ NᵀN dV, isotropic, small strains               docs/theory/solid.md
/// In        a tetrahedral mesh of 4 or 10 nodes an element (curved sides allowed) and a material.
/// Out       StiffnessMass: modal finds the modes.
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

/// The six rigid motions of a cloud of nodes, scaled to similar size: translations, then rotations about the mean.
Eigen::MatrixXd rigid_body_modes(const Points& nodes);

}  // namespace clangor
