/// @file modal.hpp — linear vibration modes of an elastic body.
/// Model     K U = M U Λ,  Uᵀ M U = I,  Λ = diag(ω²)                                docs/theory/modal.md
/// In        stiffness and mass matrices, from solid, shell or rod.
/// Out       Modes: oscillators make them ring, radiation reads how the surface moves.
/// Not here  elements (solid), damping (material), forces and time (oscillator).
///
///     const Modes modes = vibration_modes(assemble(mesh, steel), {.max_hz = 20e3});
#pragma once

#include <clangor/core/core.hpp>

#include <functional>
#include <limits>
#include <memory>
#include <vector>

namespace clangor {

/// A discretised body. K and M are symmetric and hold both triangles; M is positive definite.
struct StiffnessMass {
    SparseMatrix stiffness;  ///< [N/m]
    SparseMatrix mass;       ///< [kg]
    Eigen::MatrixXd rigid;   ///< a basis of the motions without strain: six columns for a free body
    bool is_held = false;    ///< by supports, perhaps softly: modes may be as low as they like
};

/// Σ weight · u[row] = 0.
struct LinearConstraint {
    std::vector<int> rows;
    std::vector<double> weights;
};

/// A body whose displacement u = T v obeys constraints, in unknowns v that need obey none.
struct ConstrainedBody {
    StiffnessMass body;      ///< Tᵀ K T, Tᵀ M T, and the motions without strain that are left
    SparseMatrix expansion;  ///< T
};

/// Each constraint takes one unknown out: the one with the largest weight, in terms of the others
/// docs/theory/supports.md. Constraints that follow from others are passed over.
ConstrainedBody constrained(const StiffnessMass& body, const std::vector<LinearConstraint>& constraints);

/// Modes of one body, ascending, mass-normalised, without its rigid motions.
struct Modes {
    Eigen::VectorXd omega;      ///< undamped angular frequencies, without the excess that is known [rad/s]
    Eigen::MatrixXd shapes;     ///< U: one column per mode, one row per degree of freedom that is kept [kg^-1/2]
    Eigen::VectorXd residuals;  ///< ‖Ku − ω²Mu‖ / (ω²‖Mu‖) with the matrices' own ω², one per mode
    int below = 0;              ///< elastic modes under min_hz that were left out
    int dull = 0;               ///< modes above dull_hz that were not sought
    int factorizations = 0;     ///< how many sparse factorisations it took
};

/// How much of the ω² of each column, a mass-normalised shape over all degrees of freedom, is error of the
/// discretisation [rad²/s²].
using ModeExcess = std::function<Eigen::VectorXd(const Eigen::MatrixXd& shapes)>;

struct ModeOptions {
    double min_hz = 20;
    double max_hz = 20e3;
    int max_count = 0;                                         ///< the lowest so many of them; 0: all up to max_hz
    double dull_hz = std::numeric_limits<double>::infinity();  ///< modes above it matter little: where there are …
    int enough = 2000;        ///< … more than so many modes in all, these and no more than so many are sought
    double tolerance = 1e-6;  ///< on residuals; a frequency is off by less than half of its residual, relatively
    int slice = 128;          ///< modes per shift of the spectrum: bounds the memory of the Lanczos basis
    double memory_limit = std::numeric_limits<double>::infinity();  ///< [bytes]
    std::vector<int> kept_rows = {};  ///< the degrees of freedom whose rows of the shapes are wanted; empty: all
    ModeExcess excess = {};           ///< taken off the ω² that are found; the band is that of ω² before
};

/// What finding modes takes [bytes]: the matrices and the Lanczos basis, the factor with its entries, and two copies of
/// what is kept of the shapes.
double mode_bytes(double unknowns, double factor_entries, double modes, double kept_rows);

/// Entries of the factor for a body of so many unknowns of which `across` separate it into halves: what nested
/// dissection leaves (docs/theory/modal.md, "Memory"). Within a factor of two.
double estimated_factor_entries(double unknowns, double across);

/// All modes with min_hz ≤ f ≤ max_hz, or the first max_count of them. Sylvester's inertia count proves that none is
/// missing: throws Error (Blame::Work) where the proof fails, and Error where K has more motions without strain than
/// `rigid` (a free body is in pieces), or where the work would take more than memory_limit: before it is taken.
Modes vibration_modes(const StiffnessMass& body, const ModeOptions& options, const Progress& progress = {});

class ShiftedFactor;

/// K⁺: how far forces push a body that is at rest, seen from its own mass, rigid motions left out: those of a free
/// body, or those that its supports leave. Keeps one factorisation; the same bits for any number of threads.
class Compliance {
public:
    /// A free body is held by a bed of ω² = bed_omega_sq, which makes the answer too small by bed_omega_sq/ω² in a mode
    /// of ω [rad²/s²]. A body that cannot move without strain needs none.
    Compliance(const StiffnessMass& body, double bed_omega_sq);
    ~Compliance();

    /// Displacements without any rigid motion (RᵀMu = 0), one column per column of forces, which must have no
    /// resultant [m].
    Eigen::MatrixXd operator()(const Eigen::MatrixXd& forces) const;

private:
    std::unique_ptr<const ShiftedFactor> factor_;
    Eigen::MatrixXd rigid_, mass_rigid_;  // mass-normalised, and M times it
};

}  // namespace clangor
