/// @file solid.hpp — stiffness and mass of an elastic solid from tetrahedra, free or held.
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

/// How a patch of the surface is held                                                      docs/theory/supports.md
enum class PatchHold {
    Clamped,  ///< u = 0 at all nodes of the faces within
    Pinned,   ///< ∫u dA = 0: the patch may turn, as on a ball joint
    Hinged,   ///< the same piece by piece along its longest direction, about which it may turn
    Felt      ///< springs
};

struct SolidSupport {
    PatchHold hold = PatchHold::Clamped;
    PatchDistance distance = {};
    double stiffness = 0;    ///< of felt, per area: normal to the surface, half as much along it [N/m³]
    double loss_factor = 0;  ///< of felt
};

struct HeldSolid {
    ConstrainedBody constrained;
    SparseMatrix felt;          ///< stiffness of the felt alone, over all degrees of freedom [N/m]
    SparseMatrix felt_loss;     ///< the same, each felt times its loss factor [N/m]
    std::vector<double> areas;  ///< of the patches; 0: it holds nothing [m²]
};

/// The body with its supports, and with constraints beside them. Its mesh should have nodes along the borders of
/// clamped patches: cut_along. A shell is held by its middle surface as a skin.
HeldSolid held(StiffnessMass body, const Skin& skin, const std::vector<SolidSupport>& supports,
               std::vector<LinearConstraint> constraints = {});

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
