// Trapezoids in time: Newton with a factor that is kept until it is worn out   docs/theory/rod.md, Eq. 13 to 17
#include <clangor/vibration/rod/stepper_state.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

// What is held resists so much more than everything else [kg].
constexpr double immovable = 1e30;
constexpr int most_iterations = 12;
// A factor is used until an iteration leaves more than this of the error: measured in bench/rod_bench.cpp.
constexpr double worn_out = 0.02;
// Steps between two in which that is looked at.
constexpr long look_every = 8;
constexpr long reach_every = 64;
// Pulses that ended so long ago are forgotten: no state that is returned to is older [s].
constexpr double kept = 1;
// Beyond these, length and rest length no longer belong to one rod.
constexpr double longest = 10, shortest = 0.1;

auto band_for(const rods::RodOrder& order) {
    std::variant<rods::BandMatrix<4>, rods::BandMatrix<6>, rods::BandMatrix<8>, rods::BandMatrix<12>> band(
        rods::BandMatrix<4>(0));
    if (order.block() == 4) band = rods::BandMatrix<4>(order.blocks());
    if (order.block() == 6) band = rods::BandMatrix<6>(order.blocks());
    if (order.block() == 8) band = rods::BandMatrix<8>(order.blocks());
    if (order.block() == 12) band = rods::BandMatrix<12>(order.blocks());
    return band;
}

// The impulse of half a sine up to some time after its start.
double part_of_pulse(double time, double duration) {
    return 0.5 * (1 - std::cos(pi * std::clamp(time / duration, 0.0, 1.0)));
}

// Along the rod, shared by two points.
void add_pulses(const RodPlan& plan, std::span<const RodPulse> pulses, double from, double to, RodRows& load) {
    for (const RodPulse& pulse : pulses) {
        const double part =
            part_of_pulse(to - pulse.start, pulse.duration) - part_of_pulse(from - pulse.start, pulse.duration);
        if (part == 0) continue;
        const Eigen::VectorXd& along = plan.length_to;
        const auto behind = std::upper_bound(along.begin() + 1, along.begin() + plan.edges, pulse.at);
        const long edge = behind - along.begin() - 1, next = (edge + 1) % plan.points;
        const double share = std::clamp((pulse.at - along[edge]) / plan.rest_length[edge], 0.0, 1.0);
        const Vec3 force = part / (to - from) * pulse.impulse;
        load.col(edge).head<3>() += (1 - share) * force;
        load.col(next).head<3>() += share * force;
    }
}

template <class Matrix>
void add_diagonal(const RodPlan& plan, const rods::RodOrder& order, const std::vector<long>& row_of,
                  const RodMatrixParts& parts, Matrix& A) {
    for (long r = 0; r < plan.mass.size(); ++r) {
        const long row = row_of.empty() ? r : row_of[size_t(r)];
        A.at(row, row) += parts.mass * plan.mass.data()[r] + (plan.held[size_t(r)] ? immovable : 0.0);
    }
    for (const RodSpring& spring : plan.springs)
        for (int k = 0; k < 3; ++k) {
            const long row = order.row(spring.point, k);
            A.at(row, row) += parts.stress * spring.stiffness[k] + parts.dashpot * spring.damping;
        }
    if (plan.closed && plan.points % 2 == 1)  // the last block is half empty
        for (long row = A.blocks() * order.block() - plan.per_point; row < A.blocks() * order.block(); ++row)
            A.at(row, row) = 1;
}

}  // namespace

RodStepper::State::State(const RodPlan& p, const RodStepperOptions& o)
    : plan(&p), options(o), order(p), now(p.rest), field(p), band(band_for(order)) {
    for (RodRows* each : {&forces, &weight, &driven, &load, &base_place, &base_velocity, &place, &velocity,
                          &acceleration, &inertia, &residual, &change})
        each->setZero(p.per_point, p.points);
    free.setOnes(p.per_point, p.points);
    for (size_t r = 0; r < p.held.size(); ++r)
        if (p.held[r]) free.data()[r] = 0;
    weight.topRows<3>() = (p.mass.topRows<3>().array().colwise() * o.gravity.array()).matrix();
    total_mass = p.mass.row(0).sum();
    has_edge_inertia = p.per_point == 6 || p.shared.maxCoeff() > 0;
    scratch.assign(size_t((order.blocks() + 2) * order.block()), 0.0);
    if (p.closed)
        for (long i = 0; i < p.points; ++i)
            for (int u = 0; u < p.per_point; ++u) row_of.push_back(order.row(i, u));
}

void RodStepper::State::set_load(double from, double to) {
    load = forces + weight;
    if (to > from) add_pulses(*plan, pulses, from, to, load);
    std::erase_if(pulses, [&](const RodPulse& pulse) { return pulse.start + pulse.duration < now.time - kept; });
}

double RodStepper::State::evaluate(const RodMatrixParts* parts) {
    if (has_edge_inertia) inertia = acceleration + options.damping.alpha * velocity;
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
    for (const RodSpring& spring : plan->springs) {
        const Vec3 x = (place.col(spring.point) - plan->rest.place.col(spring.point)).head<3>();
        residual.col(spring.point).head<3>() +=
            spring.stiffness.cwiseProduct(x) + spring.damping * velocity.col(spring.point).head<3>();
        energy += 0.5 * x.cwiseAbs2().dot(spring.stiffness);
    }
    if (parts) std::visit([&](auto& A) { add_diagonal(*plan, order, row_of, *parts, A); }, band);
    // One pass over memory: long rods are larger than a cache.
    const long size = residual.size();
    const double alpha = options.damping.alpha;
    double* r = residual.data();
    const double *m = plan->mass.data(), *a = acceleration.data(), *v = velocity.data(), *f = load.data();
#pragma omp simd
    for (long k = 0; k < size; ++k) r[k] += m[k] * (a[k] + alpha * v[k]) - f[k];
    return energy;
}

bool RodStepper::State::factorize() {
    ++report.factorizations;
    return std::visit([](auto& A) { return A.factorize(); }, band);
}

void RodStepper::State::solve(const double* rows, std::vector<double>& x, double* solved) const {
    const long size = free.size();
    const double* moves = free.data();
    if (row_of.empty()) {
        for (long r = 0; r < size; ++r) x[size_t(r)] = rows[r] * moves[r];
        std::fill(x.begin() + size, x.end(), 0.0);
    } else {
        std::fill(x.begin(), x.end(), 0.0);
        for (long r = 0; r < size; ++r) x[size_t(row_of[size_t(r)])] = rows[r] * moves[r];
    }
    std::visit([&](const auto& A) { A.solve(x.data()); }, band);
    for (long r = 0; r < size; ++r) solved[r] = x[size_t(row_of.empty() ? r : row_of[size_t(r)])] * moves[r];
}

void RodStepper::State::advance(double step, int halvings) {
    if (attempt(step)) return accept(step);
    if (halvings == 0) give_up(step);
    ++report.halved;
    const RodState before = now;
    try {
        advance(0.5 * step, halvings - 1);
        advance(0.5 * step, halvings - 1);
    } catch (const Error&) {
        now = before;
        throw;
    }
}

// Eq. 13: what the state before says of the end of the step, and the first guess: the acceleration before.
void RodStepper::State::predict(double step) {
    const double half = 0.5 * step, quarter = half * half;
    const long size = free.size();
    const double *q = now.place.data(), *v = now.velocity.data(), *a = now.acceleration.data();
    const double *moves = free.data(), *driving = driven.data();
    double *to_q = base_place.data(), *to_v = base_velocity.data(), *to_a = acceleration.data();
#pragma omp simd
    for (long k = 0; k < size; ++k) {
        const double ak = moves[k] * a[k], vk = moves[k] * v[k] + driving[k];
        to_a[k] = ak;
        to_v[k] = vk + half * ak;
        to_q[k] = q[k] + step * vk + quarter * ak;
    }
}

void RodStepper::State::place_at(double step) {
    const double half = 0.5 * step, quarter = half * half;
    const long size = free.size();
    const double *a = acceleration.data(), *from_q = base_place.data(), *from_v = base_velocity.data();
    double *q = place.data(), *v = velocity.data();
#pragma omp simd
    for (long k = 0; k < size; ++k) q[k] = from_q[k] + quarter * a[k], v[k] = from_v[k] + half * a[k];
}

double RodStepper::State::correct() {
    solve(residual.data(), scratch, change.data());
    ++report.iterations;
    const long size = free.size();
    const double *by = change.data(), *m = plan->mass.data();
    double* a = acceleration.data();
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (long k = 0; k < size; ++k) {
        a[k] -= by[k];
        sum += m[k] * by[k] * by[k];
    }
    return std::sqrt(sum);
}

double RodStepper::State::size_of(const RodRows& rows) const {
    return std::sqrt((plan->mass.array() * rows.array().square()).sum());
}

// Eq. 14: Newton. False where it does not converge; `now` is untouched.
bool RodStepper::State::attempt(double step) {
    const double half = 0.5 * step, quarter = half * half;
    const RodMatrixParts parts{.mass = 1 + half * options.damping.alpha,
                               .dashpot = half,
                               .strain = quarter + half * options.damping.beta,
                               .stress = quarter};
    set_load(now.time, now.time + step);
    predict(step);
    if (report.steps % reach_every == 0) reach = now.place.topRows<3>().cwiseAbs().maxCoeff();
    // Places are rounded, and what strains make of that no iteration takes away.
    const double rounding = std::numeric_limits<double>::epsilon() * reach / step * std::sqrt(total_mass);
    double target = 0, error_before = std::numeric_limits<double>::infinity();
    bool is_fresh = false;
    const auto fails = [&] { return is_worn = true, false; };
    for (int i = 0; i < most_iterations; ++i) {
        place_at(step);
        const bool renew = is_worn || factor_step != step;
        evaluate(renew ? &parts : nullptr);
        if (renew) {
            factor_step = step;
            is_fresh = true;
            is_worn = false;
            if (!factorize()) return fails();
        }
        const double error = half * correct();
        if (!std::isfinite(error)) return fails();
        if (i == 0) target = rounding + options.tolerance * (size_of(velocity) + half * size_of(acceleration));
        if (i > 0) {
            contraction = std::min(1.0, error / error_before);
            since_look = 0;
            if (contraction > worn_out) is_worn = !is_fresh;
        }
        const bool is_known = since_look < look_every && contraction < 0.5;
        if (error <= target || (is_known && error * contraction <= target)) return true;
        if (i > 0 && error > 0.5 * error_before) {
            if (is_fresh && error > error_before) return fails();
            is_worn = true;
        }
        error_before = error;
    }
    return fails();
}

void RodStepper::State::accept(double step) {
    const auto stretch = field.stretch.head(plan->edges).array();
    if (!(stretch.maxCoeff() < longest && stretch.minCoeff() > shortest)) give_up(step);
    report.largest_stretch = std::max({report.largest_stretch, stretch.maxCoeff() - 1, 1 - stretch.minCoeff()});
    ++since_look;
    ++report.steps;
    place_at(step);
    now.place.swap(place);
    // What is held has the acceleration that its velocity takes.
    const double over = 1 / step;
    now.acceleration.array() = acceleration.array() + over * (1 - free.array()) * (driven - now.velocity).array();
    now.velocity.swap(velocity);
    now.tangents.swap(field.tangents);
    now.directors.swap(field.directors);
    now.turns.swap(field.turns);
    now.time += step;
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

}  // namespace clangor
