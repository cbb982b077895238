// Explicit Newmark steps that audit their energy   docs/theory/subspace-shell.md, Eq. 7 to 12
#include <clangor/vibration/subspace/subspace_force.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using Array = Eigen::ArrayXd;

constexpr long chunk_samples = 64;        // after so many samples the rate may change
constexpr long probe_samples = 8;         // displacements are looked at once in so many
constexpr double most_error = 0.05;       // energy from nothing within a chunk, of all energy
constexpr long calm_chunks = 32;          // so long the error must have been small …
constexpr double calm_error = 0.05 / 16;  // … and so small, for the rate to fall
constexpr double validity = 5;            // thicknesses

// One step length: q⁺ = pull·q − decay·q⁻ − give·N + kick·J, whose free motion is q = εⁿ(q₀ cos nφ + B sin nφ).
struct NewmarkRule {
    double step = 0;    // k [s]
    Array pull, decay;  // 2ε cos φ, ε²
    Array give, kick;   // k²/(1 + σ) [s²]; of an impulse [s]
    Array speed, lean;  // B = speed·q̇ + lean·q [s], [1]
    // Energy of two places one step apart, ½ inertia (q − q⁻)² + ½ stiffness q q⁻, is that of free motion [1/s²].
    Array inertia, stiffness;
    Array cos, sin, epsilon;
    bool is_stable = true;  // linearly

    NewmarkRule(const Array& omega, const Array& xi, double k, bool exact_pitch) : step(k) {
        const Array omega_d = omega * (1 - xi.square()).sqrt();
        // σ = ½kD̃ and κ = k²Λ̃: (1 + σ) q⁺ = (2 − κ) q − (1 − σ) q⁻ − k²N
        Array sigma = xi * omega * k, kappa = (omega * k).square();
        if (exact_pitch) {  // those that make ε and φ what they should be: Eq. 9
            sigma = sigma.tanh();
            const Array decayed = (-2 * xi * omega * k).exp();
            kappa = 2 - 4 * decayed.sqrt() * (omega_d * k).cos() / (1 + decayed);
        }
        is_stable = (kappa < 4).all() && (sigma < 1).all();
        pull = (2 - kappa) / (1 + sigma);
        decay = (1 - sigma) / (1 + sigma);
        give = k * k / (1 + sigma);
        epsilon = decay.max(0).sqrt();
        cos = (pull / (2 * epsilon)).max(-1).min(1);
        sin = (1 - cos.square()).sqrt();
        if (exact_pitch) {
            speed = 1 / omega_d;
            lean = xi * omega / omega_d;
            kick = epsilon * sin * speed;
            // q q⁻ is cos²(φ/2) of what it should be on average, and so is the other square over κ: Eq. 11
            stiffness = 2 * omega.square() / (1 + cos);
        } else {  // velocities are central differences
            const Array spread = sin * (epsilon + 1 / epsilon);
            speed = 2 * k / spread;
            lean = cos * (1 / epsilon - epsilon) / spread;
            kick = k / (1 + sigma);
            stiffness = omega.square();
        }
        inertia = stiffness / kappa;
    }
};

[[maybe_unused]] bool are_ratios(const Eigen::VectorXd& xi, long modes) {
    return xi.size() == modes && (xi.array() >= 0).all() && (xi.array() < 1).all();
}

struct SubspaceMotion {
    Array q, before;       // at this step and the one before it
    Array force;           // ∂V where it was before
    double potential = 0;  // V there [J]
};

}  // namespace

struct SubspaceStepper::State {
    const SubspacePlan* plan;
    Array omega_sq;
    SubspaceStepperOptions options;
    std::vector<NewmarkRule> rates;  // k, k/2, k/4
    size_t rate = 0, slowest = 0;
    double least_energy = 0;
    SubspaceMotion now;
    SubspaceForceField field;
    Array next, force;
    double gained = 0;  // energy from nothing, since it was set to zero [J]
    double error = 0;   // the largest part of all energy that it was
    long calm = 0;      // chunks in a row that a slower rate would do for
    ShellReport report = {};
    Eigen::VectorXf probed;

    State(const SubspacePlan& of, const SubspaceStepperOptions& given)
        : plan(&of), omega_sq(of.omega.array().square()), options(given), field(of) {
        make_rates();
        rate = slowest;
        // A millionth of a thickness, below which nothing couples.
        const double unit = of.omega[0] / std::max(1e-30, double(of.probes.col(0).cwiseAbs().maxCoeff()));
        least_energy = 0.5 * square(1e-6 * unit);
        const Array rest = Array::Zero(of.modes());
        now = {rest, rest, rest, 0};
        next = force = rest;
    }

    void make_rates() {
        rates.clear();
        for (int f = 1; f <= options.most_substeps; f *= 2)
            rates.emplace_back(plan->omega.array(), options.xi.array(), 1 / (options.sample_rate_hz * f),
                               options.exact_pitch);
        slowest = 0;
        while (!rates[slowest].is_stable && slowest + 1 < rates.size()) ++slowest;
        CLANGOR_ASSERT(rates[slowest].is_stable, "plain Newmark steps are shorter than 2/ω of every mode");
    }

    const NewmarkRule& rule() const { return rates[rate]; }

    // Of two places one step apart: Eq. 11.
    double linear_energy(const Array& q, const Array& before) const {
        return (0.5 * rule().inertia * (q - before).square() + 0.5 * rule().stiffness * q * before).sum();
    }

    // V at q, its gradient in `force`.
    double feel(const Array& q) {
        const double V = field.potential(q.matrix());
        force = field.gradient().cast<double>().array();
        return V;
    }

    double energy() { return linear_energy(now.q, now.before) + 0.5 * (feel(now.q) + now.potential); }

    bool is_quiet() const { return linear_energy(now.q, now.before) < least_energy; }

    // q̇, as free motion has it.
    Array velocity() const {
        const NewmarkRule& at = rule();
        return ((now.q * at.cos - at.epsilon * (now.before + 0.5 * at.give * force / at.decay)) / at.sin -
                at.lean * now.q) /
               at.speed;
    }

    // Eq. 8.
    double share(const Array& impulse) const {
        if (options.most_energy == std::numeric_limits<double>::infinity()) return 1;
        const Array qdot = velocity();
        return impulse_share(impulse.square().sum(), (qdot * impulse).sum(),
                             (qdot.square() + omega_sq * now.q.square()).sum(), 2 * options.most_energy);
    }

    // The force at q, and what energy steps have made of nothing so far: Eq. 12. False where that is too much.
    bool audit() {
        if (is_quiet()) {
            force.setZero();
            now.force.setZero();
            now.potential = 0;
            return true;
        }
        const double V = feel(now.q);
        if (!std::isfinite(V) || !force.allFinite()) return false;
        gained += 0.5 * ((force + now.force) * (now.q - now.before)).sum() - (V - now.potential);
        const double E = linear_energy(now.q, now.before) + 0.5 * (V + now.potential);
        error = std::max(error, std::abs(gained) / std::max({E, std::abs(V), least_energy}));
        now.force = force;
        now.potential = V;
        return error <= most_error;
    }

    // Eq. 7. Gives what the impulse added to the energy.
    double step(const double* impulse) {
        const NewmarkRule& at = rule();
        next = at.pull * now.q - at.decay * now.before - at.give * force;
        double work = 0;
        if (impulse) {
            const Array J = Eigen::Map<const Array>(impulse, next.size()) * rates[0].step;
            const double before = linear_energy(next, now.q);
            next += at.kick * J * share(J);
            work = linear_energy(next, now.q) - before;
        }
        now.before.swap(now.q);
        now.q.swap(next);
        return work;
    }

    void hold(double allowed);
    Array felt_velocity();
    void set_before(const Array& qdot);
    void change_rate(size_t to);
    void set_damping(const Eigen::VectorXd& xi);
    void chunk(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out);
    bool run(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out);
    void run_held(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out);
};

// q̇, with the force at q in `force`.
Eigen::ArrayXd SubspaceStepper::State::felt_velocity() {
    if (is_quiet()) {
        force.setZero();
    } else {
        feel(now.q);
    }
    return velocity();
}

// From velocities q̇ where the force is `force`.
void SubspaceStepper::State::set_before(const Array& qdot) {
    const NewmarkRule& at = rule();
    const Array B = at.speed * qdot + at.lean * now.q;
    now.before = (now.q * at.cos - B * at.sin) / at.epsilon - 0.5 * at.give * force / at.decay;
    now.potential = feel(now.before);
    now.force = force;
}

// The same place, velocity and force, seen with another step.
void SubspaceStepper::State::change_rate(size_t to) {
    const Array qdot = felt_velocity();
    rate = to;
    set_before(qdot);
}

void SubspaceStepper::State::set_damping(const Eigen::VectorXd& xi) {
    const Array qdot = felt_velocity();
    options.xi = xi;
    make_rates();
    rate = std::max(rate, slowest);
    set_before(qdot);
}

// False as soon as energy comes from nothing.
bool SubspaceStepper::State::run(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out) {
    gained = error = 0;
    for (long i = first; i < first + count; ++i) {
        out.col(i) = now.q.matrix();
        for (int sub = 0; sub < 1 << rate; ++sub) {
            if (!audit()) return false;
            step(forces && sub == 0 ? forces->col(i).data() : nullptr);
        }
    }
    return true;
}

// Scales the motion down until its energy is no more than allowed.
void SubspaceStepper::State::hold(double allowed) {
    for (int trial = 0; trial < 100; ++trial) {
        now.potential = feel(now.before);
        now.force = force;
        const double E = linear_energy(now.q, now.before) + 0.5 * (feel(now.q) + now.potential);
        if (std::isfinite(E) && force.allFinite() && now.force.allFinite() && E <= allowed * (1 + 1e-6)) return;
        // V is of second to fourth order, and falls at least so fast, or nearly.
        const double share = std::isfinite(E) && E > 0 ? std::sqrt(std::max(allowed, 0.0) / E) : 0.1;
        now.q *= std::clamp(share, 0.1, 0.99);
        now.before *= std::clamp(share, 0.1, 0.99);
    }
    now.q.setZero(), now.before.setZero(), now.force.setZero(), force.setZero();
    now.potential = 0;
}

// Where no step is short enough, what energy there is, and what forces add, is all that there may be.
void SubspaceStepper::State::run_held(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out) {
    double allowed = std::max(energy(), 0.0);
    for (long i = first; i < first + count; ++i) {
        out.col(i) = now.q.matrix();
        for (int sub = 0; sub < 1 << rate; ++sub) {
            feel(now.q);
            if (!force.allFinite()) force.setZero();
            allowed += step(forces && sub == 0 ? forces->col(i).data() : nullptr);
            hold(allowed);
        }
    }
}

void SubspaceStepper::State::chunk(const Eigen::MatrixXd* forces, long first, long count, Eigen::MatrixXd& out) {
    const SubspaceMotion start = now;
    bool is_resolved = run(forces, first, count, out);
    while (!is_resolved && rate + 1 < rates.size()) {
        now = start;
        change_rate(rate + 1);
        is_resolved = run(forces, first, count, out);
    }
    report.samples += count;
    if (rate > 0) report.refined += count;
    if (!is_resolved) {
        now = start;
        run_held(forces, first, count, out);
        report.unresolved += count;
    }
    for (long i = 0; i < count; i += probe_samples) {
        probed.noalias() = plan->probes * out.col(first + i).cast<float>();
        const double w = double(probed.reshaped(3, probed.size() / 3).colwise().norm().maxCoeff());
        report.largest = std::max(report.largest, w);
        if (w > validity) report.beyond_validity += std::min(probe_samples, count - i);
    }
    calm = error < calm_error ? calm + 1 : 0;
    if (rate > slowest && calm >= calm_chunks) {
        change_rate(rate - 1);
        calm = 0;
    }
}

SubspaceStepper::SubspaceStepper(const SubspacePlan& plan, const SubspaceStepperOptions& options) {
    CLANGOR_ASSERT(problems_of(plan).empty(), "readers check plans");
    CLANGOR_ASSERT(are_ratios(options.xi, plan.modes()), "one damping ratio per mode of the plan");
    CLANGOR_ASSERT(plan.omega.maxCoeff() < pi * options.sample_rate_hz, "modes lie below half the sample rate");
    CLANGOR_ASSERT(options.most_energy > 0, "some energy");
    state_ = std::make_unique<State>(plan, options);
}
SubspaceStepper::~SubspaceStepper() = default;
SubspaceStepper::SubspaceStepper(SubspaceStepper&&) noexcept = default;
SubspaceStepper& SubspaceStepper::operator=(SubspaceStepper&&) noexcept = default;

Eigen::MatrixXd SubspaceStepper::advance(const Eigen::MatrixXd& forces) {
    CLANGOR_ASSERT(forces.rows() == state_->omega_sq.size() && forces.allFinite(), "a finite force for each mode");
    Eigen::MatrixXd out(forces.rows(), forces.cols());
    for (long first = 0; first < out.cols(); first += chunk_samples)
        state_->chunk(&forces, first, std::min(chunk_samples, out.cols() - first), out);
    return out;
}

Eigen::MatrixXd SubspaceStepper::advance(long samples) {
    Eigen::MatrixXd out(state_->omega_sq.size(), samples);
    for (long first = 0; first < samples; first += chunk_samples)
        state_->chunk(nullptr, first, std::min(chunk_samples, samples - first), out);
    return out;
}

void SubspaceStepper::set_state(const Eigen::VectorXd& q, const Eigen::VectorXd& qdot) {
    state_->now.q = q.array();
    state_->feel(state_->now.q);
    state_->set_before(qdot.array());
}

void SubspaceStepper::set_damping(const Eigen::VectorXd& xi) {
    CLANGOR_ASSERT(are_ratios(xi, state_->omega_sq.size()), "one damping ratio per mode of the plan");
    state_->set_damping(xi);
}

double SubspaceStepper::energy() const { return state_->energy(); }
const ShellReport& SubspaceStepper::report() const { return state_->report; }

ShellForce nonlinear_force(const SubspacePlan& plan, const Eigen::VectorXd& q) {
    SubspaceForceField field(plan);
    const double V = field.potential(q);
    return {V, field.gradient().cast<double>()};
}

}  // namespace clangor
