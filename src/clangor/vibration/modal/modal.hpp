/// @file modal.hpp — linear vibration modes of an elastic body.
/// Model     K U = M U Λ,  Uᵀ M U = I,  Λ = diag(ω²)                                docs/theory/modal.md
/// In        stiffness and mass matrices, from solid, shell or rod.
/// Out       Modes: oscillators make them ring, radiation reads how the surface moves.
/// Not here  elements (solid), damping (material), forces and time (oscillator).
///
///     const Modes modes = vibration_modes(assemble(mesh, steel), {.max_hz = 20e3});
#pragma once

#include <clangor/core/core.hpp>

namespace clangor {

/// A discretised body. K and M are symmetric and hold both triangles; M is positive definite.
struct StiffnessMass {
    SparseMatrix stiffness;  ///< [N/m]
    SparseMatrix mass;       ///< [kg]
    Eigen::MatrixXd rigid;   ///< a basis of the motions without strain: six columns for a free body
};

/// Modes of one body, ascending, mass-normalised, without its rigid motions.
struct Modes {
    Eigen::VectorXd omega;      ///< undamped angular frequencies [rad/s]
    Eigen::MatrixXd shapes;     ///< U: one column a mode, one row a degree of freedom [kg^-1/2]
    Eigen::VectorXd residuals;  ///< ‖Ku − ω²Mu‖ / (ω²‖Mu‖), one a mode
    int below = 0;              ///< elastic modes under min_hz that were left out
    int factorizations = 0;     ///< how many sparse factorisations it took
};

struct ModeOptions {
    double min_hz = 20;
    double max_hz = 20e3;
    int max_count = 0;        ///< the lowest so many of them; 0: all up to max_hz
    double tolerance = 1e-6;  ///< on residuals; a frequency is off by less than half of its residual, relatively
    int slice = 128;          ///< modes per shift of the spectrum: bounds the memory of the Lanczos basis
};

/// All modes with min_hz ≤ f ≤ max_hz, or the first max_count of them. Sylvester's inertia count proves that none is
/// missing: throws Error (Blame::Work) where the proof fails, and Error where K has more motions without strain than
/// `rigid` (the body is in pieces).
Modes vibration_modes(const StiffnessMass& body, const ModeOptions& options, const Progress& progress = {});

}  // namespace clangor
