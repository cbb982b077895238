// Steps that keep linear pitch and decay exactly, and energy as well   docs/theory/nonlinear-shell.md, Eq. 13 to 18
#include <clangor/vibration/nonlinear/shell_force.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using Array = Eigen::ArrayXd;

constexpr long chunk_samples = 64;        // after so many samples the rate may change
constexpr long probe_samples = 8;         // displacements are looked at once in so many
constexpr double most_error = 0.05;       // of s, in amplitudes √(2E)
constexpr long calm_chunks = 32;          // so long the error must have been small …
constexpr double calm_error = 0.05 / 16;  // … and so small, for the rate to fall
constexpr double validity = 5;            // thicknesses
constexpr double healing = 0.01;          // s that is off comes back within about so long, as damping allows [s]

// Eq. 14 for one step length: q⁺ = pull·q − decay·q⁻ + kick·J − give·F.
struct Coefficients {
    double step = 0;         // k [s]
    Array pull, decay;       // 2ε cos ω_d k, ε²
    Array kick;              // ε sin(ω_d k)/ω_d [s]
    Array give;              // B [s²]
    Array inertia, damping;  // 1/(ψk²), σ̃/(2k) [1/s²]
    Array cos, sin, epsilon;

    Coefficients(const Array& omega, const Array& xi, double k) : step(k) {
        const Array omega_d = omega * (1 - xi.square()).sqrt();
        epsilon = (-xi * omega * k).exp();
        cos = (omega_d * k).cos();
        sin = (omega_d * k).sin();
        pull = 2 * epsilon * cos;
        decay = epsilon.square();
        kick = epsilon * sin / omega_d;
        inertia = omega.square() / (2 - 2 * pull / (1 + decay));
        give = (1 + decay) / (2 * inertia);
        damping = inertia * (1 - decay) / (2 * (1 + decay));
    }
};

[[maybe_unused]] bool are_ratios(const Eigen::VectorXd& xi, long modes) {
    return xi.size() == modes && (xi.array() >= 0).all() && (xi.array() < 1).all();
}

struct Motion {
    Array q, before;    // at this step and the one before it
    double s = 0;       // at half a step before
    double offset = 0;  // C [J]
};

// The largest part of linear energy that sits in the stresses of the plan: V ≥ −ρ·½qᵀΛq.
double stretched_part(const ShellPlan& plan) {
    const Eigen::MatrixXd scaled = plan.coupling.cast<double>() * plan.omega.cwiseInverse().asDiagonal();
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(scaled * scaled.transpose(), Eigen::EigenvaluesOnly);
    return std::max(0.0, eigen.eigenvalues().maxCoeff());
}

}  // namespace

struct ShellStepper::State {
    const ShellPlan* plan;
    Array omega, omega_sq, xi, omega_d;
    std::vector<Coefficients> rates;  // k, k/2, k/4
    size_t rate = 0;
    double stretched = 0;
    double quiet = 0;         // at a millionth of a thickness [J]
    double frozen = 0;        // ½p²: E does not lie deeper below zero [J]
    double least_offset = 0;  // [J]
    Motion now;
    ShellForceField field;
    Array G, b, give_G;
    double error = 0;  // the largest since it was set to zero
    long calm = 0;     // chunks in a row that a slower rate would do for
    ShellReport report = {};
    Eigen::VectorXf probed;

    State(const ShellPlan& of, const ShellStepperOptions& options)
        : plan(&of), omega(of.omega.array()), omega_sq(omega.square()), xi(options.xi.array()), field(of) {
        for (int f = 1; f <= options.most_substeps; f *= 2)
            rates.emplace_back(omega, xi, 1 / (options.sample_rate_hz * f));
        omega_d = omega * (1 - xi.square()).sqrt();
        stretched = stretched_part(of);
        const double unit = omega[0] / std::max(1e-30, double(of.probes.col(0).cwiseAbs().maxCoeff()));
        frozen = 0.5 * square(of.prestress);
        quiet = 0.5 * square(1e-6 * unit);
        least_offset = quiet + 4 * frozen;
        now = {Array::Zero(omega.size()), Array::Zero(omega.size()), std::sqrt(2 * least_offset), least_offset};
    }

    const Coefficients& rule() const { return rates[rate]; }

    double linear_energy() const {
        return (0.5 * rule().inertia * (now.q - now.before).square() + 0.5 * omega_sq * now.q * now.before).sum();
    }

    double energy() const { return linear_energy() + 0.5 * square(now.s) - now.offset; }

    // Eq. 17: ½s² − C does not change.
    void set_offset(double offset) {
        now.s = std::sqrt(std::max(0.0, square(now.s) + 2 * (offset - now.offset)));
        now.offset = offset;
    }

    // C stays above what V may be below zero, and within reason of it.
    void adapt_offset(double E) {
        const double wanted = std::max(least_offset, 4 * stretched * (E + frozen));
        if (now.offset < wanted) return set_offset(2 * wanted);
        const bool may_fall = now.offset > 16 * wanted && square(now.s) > 2 * now.offset - 2 * wanted;
        if (may_fall) set_offset(2 * wanted);
    }

    // s̄, with G = ∇V/s̄.
    double slope() {
        // Nearly at rest nothing couples, V is zero, and numbers would soon be too small for float.
        if (frozen == 0 && linear_energy() < quiet) {
            G.setZero(omega.size());
            return now.s = std::sqrt(2 * now.offset);
        }
        const double V = field.potential(now.q.matrix());
        if (V < -0.5 * now.offset) set_offset(-4 * V);
        const double root = std::sqrt(2 * std::max(V + now.offset, 0.5 * quiet));
        // Beyond what float can hold there is no force, and linear motion comes back from there.
        if (std::isfinite(root) && field.gradient().allFinite())
            G = field.gradient().array() / root;
        else
            G = Array::Zero(omega.size());
        return std::isfinite(root) ? root : now.s;
    }

    // Eq. 15 and 16.
    void step(const double* impulse) {
        const Coefficients& at = rule();
        const double root = slope();
        b = at.pull * now.q - at.decay * now.before;
        if (impulse) b += at.kick * Eigen::Map<const Array>(impulse, omega.size()) * rates[0].step;
        give_G = at.give * G;
        const double along = (G * (b - now.before - give_G * now.s)).sum() / (1 + 0.25 * (G * give_G).sum());
        b -= give_G * (now.s + 0.25 * along);
        const double lost = (at.damping * (b - now.before).square()).sum();
        const double off = now.s + 0.25 * along - root;
        now.before = now.q;
        now.q = b;
        now.s += 0.5 * along;
        heal(off, lost);
        const double E = energy();
        error = std::max(error, std::abs(off) / std::sqrt(2 * std::max(E + frozen, quiet)));
        adapt_offset(E);
    }

    // Eq. 18: s comes back to s̄ by no more than half of what damping takes away, so that energy does not grow.
    void heal(double off, double lost) {
        // |(s + δ)² − s²|/2 ≤ lost/2
        const double most = lost / (std::abs(now.s) + std::sqrt(square(now.s) + lost) + 1e-300);
        now.s += std::clamp(-off * std::min(1.0, rule().step / healing), -most, most);
    }

    // q⁻ of velocities q̇ where the force is G times s_here and was so a step before: Eq. 14 is exact then, and a shell
    // at rest under that force stays.
    Array before_of(const Array& qdot, double s_here) const {
        const Coefficients& at = rule();
        const Array rest = -G * s_here / omega_sq, away = now.q - rest;
        return rest + (away * at.cos - (qdot + xi * omega * away) / omega_d * at.sin) / at.epsilon;
    }

    Array velocity(double s_here) const {
        const Coefficients& at = rule();
        const Array rest = -G * s_here / omega_sq, away = now.q - rest;
        return (away * at.cos - at.epsilon * (now.before - rest)) / at.sin * omega_d - xi * omega * away;
    }

    void set_damping(const Array& to);
    void change_rate(size_t to);
    void chunk(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out);
    void run(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out);
};

// The same place, velocity and force, seen with another step. Energy stays: s takes what is left of it.
void ShellStepper::State::change_rate(size_t to) {
    const double E = energy();
    slope();
    const Array qdot = velocity(now.s);
    rate = to;
    now.before = before_of(qdot, now.s);
    now.s = std::copysign(std::sqrt(std::max(0.0, square(now.s) + 2 * (E - energy()))), now.s);
}

// The same place and velocity in this sample, and s as far from s̄ as it was half a step before.
void ShellStepper::State::set_damping(const Array& to) {
    const double root = slope();
    const Array qdot = velocity(root), before = now.before;
    xi = to;
    omega_d = omega * (1 - xi.square()).sqrt();
    for (Coefficients& each : rates) each = Coefficients(omega, xi, each.step);
    now.before = before_of(qdot, root);
    now.s += 0.5 * (G * (now.before - before)).sum();
}

void ShellStepper::State::run(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out) {
    error = 0;
    for (long i = first; i < first + count; ++i) {
        out.col(i) = now.q.matrix();
        for (int sub = 0; sub < 1 << rate; ++sub) step(forces && sub == 0 ? forces->col(i).data() : nullptr);
    }
}

void ShellStepper::State::chunk(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out) {
    const Motion start = now;
    if (frozen > 0) field.centre_at(now.q.matrix());
    run(forces, first, count, out);
    while (error > most_error && rate + 1 < rates.size()) {
        now = start;
        change_rate(rate + 1);
        run(forces, first, count, out);
    }
    report.samples += count;
    if (rate > 0) report.refined += count;
    if (error > most_error) report.unresolved += count;
    for (long i = 0; i < count; i += probe_samples) {
        probed.noalias() = plan->probes * out.col(first + i).cast<float>();
        const double w = double(probed.cwiseAbs().maxCoeff());
        report.largest = std::max(report.largest, w);
        if (w > validity) report.beyond_validity += std::min(probe_samples, count - i);
    }
    calm = error < calm_error ? calm + 1 : 0;
    if (rate > 0 && calm >= calm_chunks) {
        change_rate(rate - 1);
        calm = 0;
    }
}

ShellStepper::ShellStepper(const ShellPlan& plan, const ShellStepperOptions& options) {
    CLANGOR_ASSERT(problems_of(plan).empty(), "readers check plans");
    CLANGOR_ASSERT(are_ratios(options.xi, plan.modes()), "one damping ratio per mode of the plan");
    CLANGOR_ASSERT(plan.omega.maxCoeff() < pi * options.sample_rate_hz, "modes lie below half the sample rate");
    state_ = std::make_unique<State>(plan, options);
}
ShellStepper::~ShellStepper() = default;
ShellStepper::ShellStepper(ShellStepper&&) noexcept = default;
ShellStepper& ShellStepper::operator=(ShellStepper&&) noexcept = default;

Eigen::MatrixXd ShellStepper::advance(const Eigen::MatrixXd& forces) {
    CLANGOR_ASSERT(forces.rows() == state_->omega.size() && forces.allFinite(), "a finite force for each mode");
    Eigen::MatrixXd out(forces.rows(), forces.cols());
    for (long first = 0; first < out.cols(); first += chunk_samples)
        state_->chunk(&forces, first, std::min(chunk_samples, out.cols() - first), out);
    return out;
}

Eigen::MatrixXd ShellStepper::advance(long samples) {
    Eigen::MatrixXd out(state_->omega.size(), samples);
    for (long first = 0; first < samples; first += chunk_samples)
        state_->chunk(nullptr, first, std::min(chunk_samples, samples - first), out);
    return out;
}

void ShellStepper::set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& qdot) {
    State& state = *state_;
    Motion& now = state.now;
    now.q = q.array();
    const double linear = 0.5 * (qdot.array().square() + state.omega_sq * now.q.square()).sum();
    if (state.frozen > 0) state.field.centre_at(q);
    const double V = state.field.potential(q);
    now.offset = std::max(state.least_offset, 8 * state.stretched * (linear + std::max(V + state.frozen, 0.0)));
    const double root = state.slope();
    now.before = state.before_of(qdot.array(), root);
    now.s = root - 0.5 * state.rule().step * (state.G * qdot.array()).sum();
}

void ShellStepper::set_damping(const Eigen::VectorXd& xi) {
    CLANGOR_ASSERT(are_ratios(xi, state_->omega.size()), "one damping ratio per mode of the plan");
    state_->set_damping(xi.array());
}

double ShellStepper::energy() const { return state_->energy(); }
const ShellReport& ShellStepper::report() const { return state_->report; }

ShellForce nonlinear_force(const ShellPlan& plan, const Eigen::VectorXd& q) {
    ShellForceField field(plan);
    if (plan.prestress != 0) field.centre_at(q);
    const double V = field.potential(q);
    return {V, field.gradient()};
}

}  // namespace clangor
