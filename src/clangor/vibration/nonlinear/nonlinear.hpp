/// @file nonlinear.hpp — thin shells in large motion: modes that couple, glide in pitch, crash and snap through.
/// Model     E(q) = ½ qᵀΛq + (Lᵀq)·c(q) + ½|c(q)|² − p c_1(q), c = Ŵ(v∘v), v = Dq    docs/theory/nonlinear-shell.md
/// In        a ThinShell, its material and its Modes with all rows.
/// Out       ShellPlan: plain arrays, made once. ShellStepper: modal coordinates, sample by sample.
/// Not here  what strikes the shell (motion), its linear modes (shell, modal), sound pressure (radiation).
///
///     const ShellPlan plan = shell_plan(shell, steel, vibration_modes(assemble(shell, steel), {.max_count = 100}));
///     ShellStepper stepper(plan, {.sample_rate_hz = 48e3, .xi = Eigen::VectorXd::Constant(plan.modes(), 1e-3)});
///     const Eigen::MatrixXd q = stepper.advance(forces);  // one column per sample, one row per mode of the plan
#pragma once

#include <clangor/vibration/shell/shell.hpp>

#include <cstdint>
#include <memory>

namespace clangor {

/// Row-major, so that files and graphics processors share the memory.
using FloatRows = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// A reduced shell: everything that a step needs, and nothing that changes. r modes, K stresses, n edges, p probes.
/// Plain arrays, to be written and read as they are; 2 MB for 200 modes.
struct ShellPlan {
    /// The modes that it moves, of those given. Those that stay in the wall are left out: they go on ringing linearly,
    /// and what bending does to them follows at once.
    std::vector<int> kept;
    Eigen::VectorXd omega;  ///< of the kept ones, √Λ [rad/s]
    FloatRows coupling;     ///< Lᵀ, K×r: which stresses modes make, zero in plates [1/s]
    FloatRows edges;        ///< D, n×r: how far edges turn out of the wall, v = Dq [kg^-1/2]
    FloatRows squares;      ///< Ŵ, K×n: which stresses follow from turned edges, c = Ŵ(v∘v) [J^1/2 m^-2]
    FloatRows probes;       ///< p×r: displacement at the liveliest places, in thicknesses [kg^-1/2 m^-1]
    double misfit = 0;      ///< of c, which n edges leave: rms over random motions of one thickness, relative
    double prestress = 0;   ///< p: −p times the first stress is frozen into the wall; any multiple will do [J^1/2]

    long modes() const { return omega.size(); }
};

/// Everything that is wrong with it, one sentence each: sizes that disagree, numbers that are not finite.
std::vector<std::string> problems_of(const ShellPlan& plan);

struct ShellPlanOptions {
    int stresses = 0;        ///< K; 0: as many as modes, twice as many where the shell is held
    int edges = 0;           ///< n; 0: six per mode
    std::uint64_t seed = 1;  ///< of the random motions in which stresses are sought, and of the edges that are tried
    /// How much each triangle would grow in its plane if its neighbours let it, which freezes stress into the wall;
    /// empty: not at all [1].
    Eigen::VectorXd growth = {};
};

/// Of a free shell. Modes must have the rows of all degrees of freedom of `assemble`. Throws as `assemble` does, and
/// Error where the modes are not those of this shell. A minute for 40 000 triangles and 200 modes on one core, and
/// 30 kB of memory per triangle and 100 modes. The same bytes for any number of threads.
ShellPlan shell_plan(const ThinShell& shell, const Material& material, const Modes& modes,
                     const ShellPlanOptions& options = {}, const Progress& progress = {});

/// Of a held shell: `held` is what supports leave of `assemble(shell, material)`, with their felt. Modes are those of
/// held.body, their shapes expanded to all degrees of freedom. Twice the time and memory of a free one; throws also
/// where supports are those of another shell.
///
///     const ConstrainedBody held = constrained(assemble(shell, steel), constraints);
///     Modes modes = vibration_modes(held.body, {.max_count = 100});
///     modes.shapes = (held.expansion * modes.shapes).eval();
///     const ShellPlan plan = shell_plan(shell, steel, modes, held);
ShellPlan shell_plan(const ThinShell& shell, const Material& material, const Modes& modes, const ConstrainedBody& held,
                     const ShellPlanOptions& options = {}, const Progress& progress = {});

/// A wall whose middle is too long for its rim, as that of an oil-can or a lid that clicks is: growth falls from 1 at
/// the place nearest to its centroid, as the square of the distance, to 0 at the farthest vertex. For shells that are
/// flat or rise by few thicknesses: at four of them the other rest state is already 26 thicknesses away.
Eigen::VectorXd middle_growth(const Surface& middle);

/// How many times its prestress a plan would need for the shell to buckle from where its modes are at rest; infinity
/// where that shape stays stable however large it is. Prestress is a number that may be multiplied:
///
///     ShellPlan lid = shell_plan(shell, steel, modes, {.growth = middle_growth(shell.middle)});
///     lid.prestress *= 1.5 * critical_prestress(lid);  // has two rest states
double critical_prestress(const ShellPlan& plan);

/// Where the shell stays when it is left alone: zero below the critical prestress; above it, the minimum of E on that
/// side (±1) of the mode that buckles first, +1 being where most of it moves along the surface's normals.
Eigen::VectorXd rest_state(const ShellPlan& plan, int side);

/// ∂²E/∂q² [rad²/s²]: at a rest state, its eigenvalues are ω² of small motion there.
Eigen::MatrixXd stiffness_at(const ShellPlan& plan, const Eigen::VectorXd& q);

/// V = E − ½qᵀΛq and its gradient [J], [J/(kg^1/2 m)], in the float arithmetic of a step.
struct ShellForce {
    double potential = 0;
    Eigen::VectorXd gradient;
};
ShellForce nonlinear_force(const ShellPlan& plan, const Eigen::VectorXd& q);

struct ShellStepperOptions {
    double sample_rate_hz = 48e3;  ///< all modes of the plan must lie below half of it
    Eigen::VectorXd xi = {};       ///< damping ratio of each mode of the plan, below 1
    int most_substeps = 4;         ///< 1, 2 or 4: so many steps per sample where the motion is violent
};

/// How far the model can be trusted, over all that was stepped.
struct ShellReport {
    double largest = 0;        ///< displacement, in thicknesses
    long samples = 0;          ///< in all
    long beyond_validity = 0;  ///< above five thicknesses, beyond which energies of fourth order are not checked
    long refined = 0;          ///< that took more than one step
    long unresolved = 0;       ///< where even most_substeps left an error above 5 % of the amplitude
};

/// Moves a plan, which must outlive it, in time: linear pitch and decay are exact at any rate, energy grows by forces
/// alone, and nothing overflows. One thread moves it at a time.
class ShellStepper {
public:
    ShellStepper(const ShellPlan& plan, const ShellStepperOptions& options);
    ~ShellStepper();
    ShellStepper(ShellStepper&&) noexcept;
    ShellStepper& operator=(ShellStepper&&) noexcept;

    /// Modal forces Uᵀf of the kept modes [N kg^-1/2], the sum of all that pushes: a column per sample. Gives q at each
    /// of these samples, before their own forces have acted [kg^1/2 m]. A sample of force acts as an impulse, so that
    /// modes hear the spectrum of the samples: a pulse shorter than a sample is its impulse times the sample rate.
    Eigen::MatrixXd advance(const Eigen::MatrixXd& forces);

    /// Goes on without forces.
    Eigen::MatrixXd advance(long samples);

    /// Puts the shell at q with velocities qdot.
    void set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& qdot);

    /// Other damping ratios from here on, each below 1: place and velocity stay as they are.
    void set_damping(const Eigen::VectorXd& xi);

    double energy() const;  ///< the one that steps conserve: zero at q = 0, and below it at rest states [J]
    const ShellReport& report() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace clangor
