/// @file subspace.hpp — thin shells in their linear modes alone, as [Chadwick2009] moves them: for comparison.
/// Model     q̈ + D̃q̇ + Λq + Σ_C w_i [g_i(q) − ∇g_i(0) q] = f, g_i = Uᵀ∂W_i/∂u   docs/theory/subspace-shell.md
/// In        a ThinShell, its material and its Modes with all rows.
/// Out       SubspacePlan: plain arrays, made once. SubspaceStepper: modal coordinates, sample by sample.
/// Not here  the right stiffness in large motion (nonlinear): walls that cannot move in their plane are far too stiff.
///
///     const Modes modes = vibration_modes(assemble(shell, steel), {.max_count = 50});
///     const SubspacePlan plan = subspace_plan(shell, steel, modes);
///     SubspaceStepper stepper(plan, {.sample_rate_hz = 48e3, .xi = Eigen::VectorXd::Constant(plan.modes(), 1e-3)});
///     const Eigen::MatrixXd q = stepper.advance(forces);  // one column per sample, one row per mode
#pragma once

#include <clangor/vibration/nonlinear/nonlinear.hpp>

#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace clangor {

/// A shell whose forces are a weighted sum over few of its triangles. r modes, n triangles, p probes. Plain arrays.
struct SubspacePlan {
    Eigen::VectorXd omega;       ///< of all modes that were given, √Λ [rad/s]
    std::vector<int> triangles;  ///< C, faces of the middle surface
    Eigen::VectorXd weights;     ///< w_i, never negative [m²]
    double area = 0;             ///< of the whole surface, which Σw is near to [m²]
    FloatRows rows;      ///< 15n×r: what each triangle feels of modes, as in ShellTriangle [kg^-1/2 m^-1, kg^-1/2]
    FloatRows membrane;  ///< n×36: its form times w_i/area [J]
    FloatRows bending;   ///< n×36, likewise [J]
    FloatRows probes;    ///< 3p×r: displacement of p places, in thicknesses [kg^-1/2 m^-1]
    /// Error of the force beyond Λq that the cubature leaves, rms over random motions that it was not fitted to:
    /// against that force, and against all of it.
    double misfit = 0, misfit_of_whole = 0;

    long modes() const { return omega.size(); }
};

/// Everything that is wrong with it, one sentence each: sizes that disagree, numbers that are not finite.
std::vector<std::string> problems_of(const SubspacePlan& plan);

struct SubspacePlanOptions {
    int triangles = 0;       ///< n at most; 0: six per mode; where there are no more, all of them, weighted by area
    double tolerance = 0;    ///< fewer triangles where the error in training is below this
    double amplitude = 1;    ///< of the random motions that it is fitted to [thicknesses]
    int poses = 60;          ///< so many of them
    int candidates = 200;    ///< tried for each triangle that is taken
    std::uint64_t seed = 1;  ///< of the motions and the candidates
    bool whole = false;      ///< fit all of the force, as [Chadwick2009] does, not what is beyond Λq
};

/// Of a free shell. Modes must have the rows of all degrees of freedom of `assemble`. Throws as `assemble` does, and
/// Error where the modes are not those of this shell. The same bytes for any number of threads.
SubspacePlan subspace_plan(const ThinShell& shell, const Material& material, const Modes& modes,
                           const SubspacePlanOptions& options = {}, const Progress& progress = {});

/// V, the energy beyond ½qᵀΛq, and its gradient [J], [J/(kg^1/2 m)], in the arithmetic of a step.
ShellForce nonlinear_force(const SubspacePlan& plan, const Eigen::VectorXd& q);

struct SubspaceStepperOptions {
    double sample_rate_hz = 48e3;  ///< all modes of the plan must lie below half of it
    Eigen::VectorXd xi = {};       ///< damping ratio of each mode, below 1
    int most_substeps = 4;         ///< 1, 2 or 4: so many steps per sample where fewer are not stable
    /// Forces are scaled such that they do not push the shell's linear energy above this [J]: the impulse limiter of
    /// [Chadwick2009], whose σM is twice as much.
    double most_energy = std::numeric_limits<double>::infinity();
    bool exact_pitch = true;  ///< false: plain Newmark steps, sharp by (ωk)²/24, and stable only where ωk < 2
};

/// Moves a plan, which must outlive it, in time, as ShellStepper does and with its report: `unresolved` are samples
/// where even most_substeps made energy from nothing, more than 5 %, which was then taken away again. No bound on
/// motion comes with these steps otherwise. One thread moves it at a time.
class SubspaceStepper {
public:
    SubspaceStepper(const SubspacePlan& plan, const SubspaceStepperOptions& options);
    ~SubspaceStepper();
    SubspaceStepper(SubspaceStepper&&) noexcept;
    SubspaceStepper& operator=(SubspaceStepper&&) noexcept;

    /// Modal forces Uᵀf [N kg^-1/2], a column per sample. Gives q at each of these samples, before their own forces
    /// have acted [kg^1/2 m]. A sample of force acts as an impulse.
    Eigen::MatrixXd advance(const Eigen::MatrixXd& forces);

    /// Goes on without forces.
    Eigen::MatrixXd advance(long samples);

    /// Puts the shell at q with velocities qdot.
    void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& qdot);

    /// Other damping ratios from here on, each below 1: place and velocity stay as they are.
    void set_damping(const Eigen::VectorXd& xi);

    double energy() const;  ///< of the last step [J]
    const ShellReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The share s of an impulse Δq̇, from 0 to 1, after which q̇ᵀq̇ + qᵀΛq, which is now `energy`, is no more than `most`:
/// a = |Δq̇|², b = q̇·Δq̇ [Chadwick2009, Algorithm 1]. Impulses that take energy away pass.
double impulse_share(double a, double b, double energy, double most);

}  // namespace clangor
