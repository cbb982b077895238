// Trapezoids in time: Newton's method on a band that is factorised in place   docs/theory/rod.md, Eq. 13 to 17
#include <clangor/vibration/rod/band_matrix.hpp>
#include <clangor/vibration/rod/rod.hpp>
#include <clangor/vibration/rod/rod_forces.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <variant>

namespace clangor {
namespace {

// What is held resists so much more than everything else [kg].
constexpr double immovable = 1e30;
constexpr int most_iterations = 12;
constexpr int most_settling = 2000;
// A factor is used until an iteration leaves more than this of the error: measured in bench/rod_bench.cpp.
constexpr double worn_out = 0.02;
// Steps between two in which that is looked at.
constexpr long look_every = 8;
// Beyond these, length and rest length no longer belong to one rod.
constexpr double longest = 10, shortest = 0.1;

using Band = std::variant<rods::BandMatrix<4>, rods::BandMatrix<6>, rods::BandMatrix<8>, rods::BandMatrix<12>>;

Band band_for(const rods::RodOrder& order) {
    switch (order.block()) {
        case 4:
            return rods::BandMatrix<4>(order.blocks());
        case 6:
            return rods::BandMatrix<6>(order.blocks());
        case 8:
            return rods::BandMatrix<8>(order.blocks());
        default:
            return rods::BandMatrix<12>(order.blocks());
    }
}

// A matrix is mass·M + dashpot·(what dampers resist) + strain·GᵀBG + stress·(what stress makes).
struct MatrixParts {
    double mass = 1, dashpot = 0, strain = 0, stress = 0;
};

// The impulse of half a sine up to some time after its start.
double part_of_pulse(double time, double duration) {
    return 0.5 * (1 - std::cos(pi * std::clamp(time / duration, 0.0, 1.0)));
}

}  // namespace

struct RodStepper::State {
    const RodPlan* plan;
    RodStepperOptions options;
    rods::RodOrder order;
    RodState now;
    rods::RodForces field;
    Band band;
    RodRows forces, weight, driven, free;  // free: 1, or 0 where held
    std::vector<RodPulse> pulses;
    std::vector<long> row_of;  // of unknowns in the band; empty: the same order
    RodReport report;

    // Of the step that is being tried
    RodRows load, base_place, base_velocity, place, velocity, acceleration, inertia, residual;
    std::vector<double> change;
    double factor_step = -1;  // of the matrix that is factorised
    double contraction = 1;   // how much of an error an iteration left when that was last seen
    bool is_worn = true;
    long since_look = 0;
    double total_mass = 0;
    bool has_edge_inertia = false;

    State(const RodPlan& p, const RodStepperOptions& o)
        : plan(&p), options(o), order(p), now(p.rest), field(p), band(band_for(order)) {
        for (RodRows* each : {&forces, &weight, &driven, &load, &place, &velocity, &acceleration, &inertia, &residual})
            each->setZero(p.per_point, p.points);
        free.setOnes(p.per_point, p.points);
        for (size_t r = 0; r < p.held.size(); ++r)
            if (p.held[r]) free.data()[r] = 0;
        weight.topRows<3>() = (p.mass.topRows<3>().array().colwise() * o.gravity.array()).matrix();
        total_mass = p.mass.row(0).sum();
        has_edge_inertia = p.per_point == 6 || p.shared.maxCoeff() > 0;
        change.assign(size_t((order.blocks() + 2) * order.block()), 0.0);
        if (p.closed)
            for (long i = 0; i < p.points; ++i)
                for (int u = 0; u < p.per_point; ++u) row_of.push_back(order.row(i, u));
    }

    // Along the rod, shared by two points.
    void add_pulses(double from, double to) {
        for (const RodPulse& pulse : pulses) {
            const double part =
                part_of_pulse(to - pulse.start, pulse.duration) - part_of_pulse(from - pulse.start, pulse.duration);
            if (part == 0) continue;
            const Eigen::VectorXd& along = plan->length_to;
            const auto behind = std::upper_bound(along.begin() + 1, along.begin() + plan->edges, pulse.at);
            const long edge = behind - along.begin() - 1, next = (edge + 1) % plan->points;
            const double share = std::clamp((pulse.at - along[edge]) / plan->rest_length[edge], 0.0, 1.0);
            const Vec3 force = part / (to - from) * pulse.impulse;
            load.col(edge).head<3>() += (1 - share) * force;
            load.col(next).head<3>() += share * force;
        }
        std::erase_if(pulses, [&](const RodPulse& pulse) { return pulse.start + pulse.duration < now.time; });
    }

    void set_load(double from, double to) {
        load = forces + weight;
        if (to > from) add_pulses(from, to);
    }

    // `residual` is M(a + αv) + βGᵀBG v + ∇E − f at place, velocity and acceleration; `band`, where parts are given, is
    // the matrix of them. Gives the elastic energy.
    double evaluate(const MatrixParts* parts = nullptr) {
        inertia = acceleration + options.damping.alpha * velocity;
        rods::ForceTask task{.place = &place,
                             .velocity = &velocity,
                             .beta = options.damping.beta,
                             .inertia = has_edge_inertia ? &inertia : nullptr};
        double* matrix = nullptr;
        if (parts) {
            task.strain = parts->strain, task.stress = parts->stress, task.mass = parts->mass;
            matrix = std::visit([](auto& A) { return A.set_zero(), A.data(); }, band);
        }
        double energy = field.evaluate(now, task, residual, matrix);
        residual.array() += plan->mass.array() * inertia.array() - load.array();
        for (const RodSpring& spring : plan->springs) {
            const Vec3 x = (place.col(spring.point) - plan->rest.place.col(spring.point)).head<3>();
            residual.col(spring.point).head<3>() +=
                spring.stiffness.cwiseProduct(x) + spring.damping * velocity.col(spring.point).head<3>();
            energy += 0.5 * x.cwiseAbs2().dot(spring.stiffness);
        }
        if (parts) std::visit([&](auto& A) { add_diagonal(A, *parts); }, band);
        return energy;
    }

    template <class Matrix>
    void add_diagonal(Matrix& A, const MatrixParts& parts) {
        for (long r = 0; r < plan->mass.size(); ++r) {
            const long row = row_of.empty() ? r : row_of[size_t(r)];
            A.at(row, row) += parts.mass * plan->mass.data()[r] + (plan->held[size_t(r)] ? immovable : 0.0);
        }
        for (const RodSpring& spring : plan->springs)
            for (int k = 0; k < 3; ++k) {
                const long row = order.row(spring.point, k);
                A.at(row, row) += parts.stress * spring.stiffness[k] + parts.dashpot * spring.damping;
            }
        if (plan->closed && plan->points % 2 == 1)  // the last block is half empty
            for (long row = A.blocks() * order.block() - plan->per_point; row < A.blocks() * order.block(); ++row)
                A.at(row, row) = 1;
    }

    bool factorize() {
        ++report.factorizations;
        return std::visit([](auto& A) { return A.factorize(); }, band);
    }

    // x = A⁻¹·rows, in the order of the band.
    void solve(const double* rows, std::vector<double>& x) const {
        std::fill(x.begin(), x.end(), 0.0);
        for (long r = 0; r < plan->mass.size(); ++r) x[size_t(row_of.empty() ? r : row_of[size_t(r)])] = rows[r];
        std::visit([&](const auto& A) { A.solve(x.data()); }, band);
    }
    double of_band(const std::vector<double>& x, long r) const {
        return x[size_t(row_of.empty() ? r : row_of[size_t(r)])];
    }

    void advance(double step, int halvings);
    bool attempt(double step);
    void accept(double step);
    [[noreturn]] void give_up(double step) const;
};

// One step, or two of half its length.
void RodStepper::State::advance(double step, int halvings) {
    if (attempt(step)) return accept(step);
    if (halvings == 0) give_up(step);
    ++report.halved;
    is_worn = true;
    advance(0.5 * step, halvings - 1);
    advance(0.5 * step, halvings - 1);
}

// Eq. 13, 14: Newton from the acceleration before, with a factor that may be an older one. False where it does not
// converge; `now` is untouched.
bool RodStepper::State::attempt(double step) {
    const double half = 0.5 * step, quarter = 0.25 * step * step;
    const MatrixParts parts{.mass = 1 + half * options.damping.alpha,
                            .dashpot = half,
                            .strain = quarter + half * options.damping.beta,
                            .stress = quarter};
    set_load(now.time, now.time + step);
    base_velocity = free.cwiseProduct(now.velocity + half * now.acceleration) + driven;
    base_place =
        now.place + step * (free.cwiseProduct(now.velocity) + driven) + quarter * free.cwiseProduct(now.acceleration);
    acceleration = free.cwiseProduct(now.acceleration);
    bool is_fresh = false;
    double error_before = std::numeric_limits<double>::infinity();
    for (int i = 0; i < most_iterations; ++i) {
        place = base_place + quarter * acceleration;
        velocity = base_velocity + half * acceleration;
        const bool renew = is_worn || factor_step != step;
        evaluate(renew ? &parts : nullptr);
        if (renew) {
            factor_step = step;
            is_fresh = true;
            is_worn = false;
            if (!factorize()) return is_worn = true, false;
        }
        residual = residual.cwiseProduct(free);
        solve(residual.data(), change);
        ++report.iterations;
        double error_sq = 0, speed_sq = 0, change_sq = 0;
        const double* m = plan->mass.data();
        for (long r = 0; r < plan->mass.size(); ++r) {
            const double by = of_band(change, r) * free.data()[r];
            acceleration.data()[r] -= by;
            error_sq += m[r] * by * by;
            speed_sq += m[r] * square(velocity.data()[r]);
            change_sq += m[r] * square(acceleration.data()[r]);
        }
        const double error = half * std::sqrt(error_sq);
        if (!std::isfinite(error)) return is_worn = true, false;
        const double scale = std::sqrt(speed_sq) + half * std::sqrt(change_sq);
        // Places are rounded, and what strains make of that no iteration takes away.
        const double rounding = std::numeric_limits<double>::epsilon() * place.topRows(3).cwiseAbs().maxCoeff() / step *
                                std::sqrt(total_mass);
        const double target = options.tolerance * scale + rounding;
        if (i > 0) {
            contraction = std::min(1.0, error / error_before);
            since_look = 0;
            if (contraction > worn_out) is_worn = !is_fresh;
        }
        const bool is_known = since_look < look_every && contraction < 0.5;
        if (error <= target || (is_known && error * contraction <= target)) return true;
        if (i > 0 && error > 0.5 * error_before) {
            if (is_fresh && error > error_before) return is_worn = true, false;
            is_worn = true;
        }
        error_before = error;
    }
    return is_worn = true, false;
}

void RodStepper::State::accept(double step) {
    ++since_look;
    ++report.steps;
    const double half = 0.5 * step, quarter = half * half;
    // What is held has the acceleration that its velocity takes.
    acceleration += ((1 - free.array()) * (driven - now.velocity).array() / step).matrix();
    now.place = base_place + quarter * free.cwiseProduct(acceleration);
    now.velocity = base_velocity + half * free.cwiseProduct(acceleration);
    now.acceleration = acceleration;
    now.tangents.swap(field.tangents);
    now.directors.swap(field.directors);
    now.turns.swap(field.turns);
    now.time += step;
    const auto stretch = field.stretch.head(plan->edges).array();
    report.largest_stretch = std::max(report.largest_stretch, (stretch - 1).abs().maxCoeff());
    if (!(stretch.maxCoeff() < longest && stretch.minCoeff() > shortest)) give_up(step);
}

void RodStepper::State::give_up(double step) const {
    long edge = 0, point = 0;
    const auto stretch = field.stretch.head(plan->edges).array();
    stretch.log().abs().maxCoeff(&edge);
    double least_cos = 1;
    for (long i = plan->closed ? 0 : 1; i < plan->edges; ++i) {
        const double cos_turn = field.tangents.row((i + plan->edges - 1) % plan->edges).dot(field.tangents.row(i));
        if (cos_turn < least_cos) least_cos = cos_turn, point = i;
    }
    throw Error(fmt::format(
        "the rod finds no balance at {:.6g} s, even in steps of {:.3g} s: its edge {} is {:.3g} "
        "times as long as at rest, and point {} turns it by {:.0f}°. What pushes it is too "
        "much for its stiffness; push less, or give it a stiffer material or more points.",
        now.time, step, edge, stretch[edge], point, std::acos(std::clamp(least_cos, -1.0, 1.0)) * 180 / pi));
}

RodStepper::RodStepper(const RodPlan& plan, const RodStepperOptions& options)
    : state_(std::make_unique<State>(plan, options)) {
    balance();
}
RodStepper::~RodStepper() = default;
RodStepper::RodStepper(RodStepper&&) noexcept = default;
RodStepper& RodStepper::operator=(RodStepper&&) noexcept = default;

const RodPlan& RodStepper::plan() const { return *state_->plan; }
const RodState& RodStepper::state() const { return state_->now; }
RodRows& RodStepper::forces() { return state_->forces; }
const RodReport& RodStepper::report() const { return state_->report; }

void RodStepper::step(double seconds) {
    CLANGOR_ASSERT(seconds > 0 && std::isfinite(seconds), "steps go forward");
    State& at = *state_;
    const RodState before = at.now;
    try {
        at.advance(seconds, at.options.most_halvings);
    } catch (const Error&) {
        set_state(before);
        throw;
    }
    at.now.heard_before = before.heard;
    at.now.heard = at.now.acceleration;
    at.now.step = seconds;
}

void RodStepper::set_state(const RodState& state) {
    state_->now = state;
    state_->is_worn = true;
}

void RodStepper::balance() {
    State& at = *state_;
    at.place = at.now.place;
    at.velocity = at.now.velocity;
    at.acceleration.setZero();
    at.set_load(at.now.time, at.now.time);
    const MatrixParts mass{};
    at.evaluate(&mass);
    at.factor_step = -1;
    if (!at.factorize()) throw Error("the rod has points without mass", Blame::Work);
    at.residual = at.residual.cwiseProduct(at.free);
    at.solve(at.residual.data(), at.change);
    for (long r = 0; r < at.residual.size(); ++r)
        at.now.acceleration.data()[r] = -at.of_band(at.change, r) * at.free.data()[r];
    at.now.heard = at.now.heard_before = at.now.acceleration;
}

// Newton's method on E − f·q, with M added where that goes uphill: no motion, no history.
void RodStepper::settle() {
    State& at = *state_;
    const RodPlan& plan = *at.plan;
    at.velocity.setZero();
    at.acceleration.setZero();
    at.set_load(at.now.time, at.now.time);
    const double size = plan.rest_length.head(plan.edges).sum(), spacing = size / double(plan.edges);
    double mu = 1e4;  // of M that is added: pulls back as that of 16 Hz would
    const auto potential = [&](double elastic) { return elastic - at.load.cwiseProduct(at.place).sum(); };
    for (int i = 0; i < most_settling; ++i) {
        at.place = at.now.place;
        const MatrixParts parts{.mass = mu, .strain = 1, .stress = 1};
        const double before = potential(at.evaluate(&parts));
        at.factor_step = -1;
        const bool is_good = at.factorize();
        at.residual = at.residual.cwiseProduct(at.free);
        at.solve(at.residual.data(), at.change);
        RodRows by(plan.per_point, plan.points);
        for (long r = 0; r < by.size(); ++r) by.data()[r] = -at.of_band(at.change, r) * at.free.data()[r];
        const double along = -by.cwiseProduct(at.residual).sum();
        const double farthest =
            std::max(by.topRows<3>().cwiseAbs().maxCoeff() / spacing, by.row(3).cwiseAbs().maxCoeff());
        by *= std::min(1.0, 0.5 / std::max(farthest, 1e-300));
        at.place = at.now.place + by;
        const double after = is_good && std::isfinite(farthest) ? potential(at.evaluate()) : before + 1;
        // So little is to be had that rounding hides it.
        const bool is_there = std::abs(along) <= 1e-15 * (std::abs(before) + at.load.cwiseAbs().sum() * size + 1e-300);
        if (after <= before || is_there) {
            at.now.place = at.place;
            at.now.tangents.swap(at.field.tangents);
            at.now.directors.swap(at.field.directors);
            at.now.turns.swap(at.field.turns);
            if (is_there && mu <= 1) {
                at.now.velocity.setZero();
                return balance();
            }
            mu = std::max(1e-3, 0.1 * mu);
        } else {
            mu *= 10;
        }
        if (!((at.now.place - plan.rest.place).topRows<3>().cwiseAbs().maxCoeff() < 100 * size)) break;
    }
    throw Error(
        "the rod finds no place where it can rest: forces push it, and nothing holds it against them. Hold it "
        "at a point or an edge, or let it move.");
}

void RodStepper::strike(const RodPulse& pulse) {
    const RodPlan& plan = *state_->plan;
    const double length = plan.rest_length.head(plan.edges).sum();
    if (!(pulse.at >= 0 && pulse.at <= length * (1 + 1e-9)))
        throw Error(fmt::format("a rod of {:.6g} m cannot be struck at {:.6g} m", length, pulse.at));
    if (!(pulse.duration > 0 && pulse.impulse.allFinite() && std::isfinite(pulse.start + pulse.duration)))
        throw Error(fmt::format("a strike must be finite and take time, but takes {:.6g} s", pulse.duration));
    state_->pulses.push_back(pulse);
}

void RodStepper::drive(long point, int unknown, double velocity) {
    CLANGOR_ASSERT(state_->free(unknown, point) == 0, "what is driven is held");
    state_->driven(unknown, point) = velocity;
}

Eigen::MatrixXd RodStepper::solve(const Eigen::MatrixXd& columns) const {
    const State& at = *state_;
    CLANGOR_ASSERT(at.factor_step > 0 && columns.rows() == at.place.size(), "after a step");
    std::vector<double> x(at.change.size());
    Eigen::MatrixXd solved(columns.rows(), columns.cols());
    for (long c = 0; c < columns.cols(); ++c) {
        at.solve(columns.col(c).data(), x);
        for (long r = 0; r < solved.rows(); ++r) solved(r, c) = at.of_band(x, r) * at.free.data()[r];
    }
    return solved;
}

void RodStepper::push(const RodRows& impulses) {
    add_velocity(solve(impulses.reshaped()).reshaped(impulses.rows(), impulses.cols()));
}

void RodStepper::add_velocity(const RodRows& by) {
    RodState& now = state_->now;
    now.velocity += by;
    if (now.step > 0) now.heard += by / now.step;
}

void RodStepper::displace(const RodRows& by) { state_->now.place += by; }

double RodStepper::energy() const {
    const State& at = *state_;
    return rod_energy(*at.plan, at.now) + kinetic_energy(*at.plan, at.now) - at.weight.cwiseProduct(at.now.place).sum();
}

void step_rods(std::span<RodStepper> rods, double seconds) {
    parallel_for(std::ssize(rods), [&](long i) { rods[size_t(i)].step(seconds); });
}

}  // namespace clangor
