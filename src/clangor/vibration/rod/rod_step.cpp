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
        if (p.held[r]) free.data()[r] = 0, held.push_back(long(r));
    weight.topRows<3>() = (p.mass.topRows<3>().array().colwise() * o.gravity.array()).matrix();
    total_mass = p.mass.row(0).sum();
    has_edge_inertia = p.per_point == 6 || p.shared.maxCoeff() > 0;
    scratch.assign(size_t(order.blocks() * order.block()), 0.0);
    if (p.closed)
        for (long i = 0; i < p.points; ++i)
            for (int u = 0; u < p.per_point; ++u) row_of.push_back(order.row(i, u));
}

template <class Change>
void RodStepper::State::for_held(long first, long last, const Change& act) const {
    const long begin = first * plan->per_point, end = last * plan->per_point;
    for (auto row = std::ranges::lower_bound(held, begin); row != held.end() && *row < end; ++row) act(*row);
}

// Along the rod, shared by two points.
void RodStepper::State::begin_load(double from, double to) {
    pushes.clear();
    for (const RodPulse& pulse : pulses) {
        if (!(to > from)) break;
        const double part =
            part_of_pulse(to - pulse.start, pulse.duration) - part_of_pulse(from - pulse.start, pulse.duration);
        if (part == 0) continue;
        const Eigen::VectorXd& along = plan->length_to;
        const auto behind = std::upper_bound(along.begin() + 1, along.begin() + plan->edges, pulse.at);
        const long edge = behind - along.begin() - 1, next = (edge + 1) % plan->points;
        const double share = std::clamp((pulse.at - along[edge]) / plan->rest_length[edge], 0.0, 1.0);
        const Vec3 force = part / (to - from) * pulse.impulse;
        pushes.push_back({edge, (1 - share) * force});
        pushes.push_back({next, share * force});
    }
    std::erase_if(pulses, [&](const RodPulse& pulse) { return pulse.start + pulse.duration < now.time - kept; });
}

void RodStepper::State::load_points(long first, long last) {
    const long begin = first * plan->per_point, end = last * plan->per_point;
    const double *f = forces.data(), *w = weight.data();
    double* to = load.data();
#pragma omp simd
    for (long k = begin; k < end; ++k) to[k] = f[k] + w[k];
    for (const Push& push : pushes)
        if (push.point >= first && push.point < last) load.col(push.point).head<3>() += push.force;
}

void RodStepper::State::set_load(double from, double to) {
    begin_load(from, to);
    load_points(0, plan->points);
}

// What inertia, dampers, springs and loads add to the forces of strains. Gives the energy of springs.
double RodStepper::State::resist(long first, long last) {
    const long begin = first * plan->per_point, end = last * plan->per_point;
    const double alpha = options.damping.alpha;
    double* r = residual.data();
    const double *m = plan->mass.data(), *a = acceleration.data(), *v = velocity.data(), *f = load.data();
#pragma omp simd
    for (long k = begin; k < end; ++k) r[k] += m[k] * (a[k] + alpha * v[k]) - f[k];
    double energy = 0;
    for (const RodSpring& spring : plan->springs) {
        if (spring.point < first || spring.point >= last) continue;
        const Vec3 x = (place.col(spring.point) - plan->rest.place.col(spring.point)).head<3>();
        residual.col(spring.point).head<3>() +=
            spring.stiffness.cwiseProduct(x) + spring.damping * velocity.col(spring.point).head<3>();
        energy += 0.5 * x.cwiseAbs2().dot(spring.stiffness);
    }
    return energy;
}

double RodStepper::State::evaluate(const RodMatrixParts* parts, const RodPass& pass) {
    double of_springs = 0;
    rods::ForceTask task{.place = &place,
                         .velocity = &velocity,
                         .beta = options.damping.beta,
                         .inertia = has_edge_inertia ? &inertia : nullptr};
    task.before = [&](long first, long last) {
        if (pass.before) pass.before(first, last);
        if (!has_edge_inertia) return;
        const long begin = first * plan->per_point, end = last * plan->per_point;
        const double alpha = options.damping.alpha, *a = acceleration.data(), *v = velocity.data();
        double* to = inertia.data();
#pragma omp simd
        for (long k = begin; k < end; ++k) to[k] = a[k] + alpha * v[k];
    };
    task.after = [&](long first, long last) {
        of_springs += resist(first, last);
        if (pass.after) pass.after(first, last);
    };
    double* matrix = nullptr;
    if (parts) {
        task.strain = parts->strain, task.stress = parts->stress, task.mass = parts->mass;
        matrix = std::visit([](auto& A) { return A.set_zero(), A.data(); }, band);
    }
    const double energy = field.evaluate(now, task, residual, matrix);
    if (parts) std::visit([&](auto& A) { add_diagonal(*plan, order, row_of, *parts, A); }, band);
    return energy + of_springs;
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
void RodStepper::State::predict(double step, long first, long last) {
    const double half = 0.5 * step, quarter = half * half;
    const long begin = first * plan->per_point, end = last * plan->per_point;
    const double *from_q = now.place.data(), *from_v = now.velocity.data(), *from_a = now.acceleration.data();
    double *a = acceleration.data(), *q = place.data(), *v = velocity.data();
    double *known_q = base_place.data(), *known_v = base_velocity.data();
#pragma omp simd
    for (long k = begin; k < end; ++k) {
        a[k] = from_a[k];
        known_v[k] = from_v[k] + half * from_a[k];
        known_q[k] = from_q[k] + step * from_v[k] + quarter * from_a[k];
        v[k] = known_v[k] + half * from_a[k];
        q[k] = known_q[k] + quarter * from_a[k];
    }
    for_held(first, last, [&](long k) {
        a[k] = 0;
        v[k] = known_v[k] = driven.data()[k];
        q[k] = known_q[k] = from_q[k] + step * v[k];
    });
    load_points(first, last);
}

void RodStepper::State::forward(long first, long last, rods::Neighbours& neighbours) {
    for_held(first, last, [&](long k) { residual.data()[k] = 0; });
    std::visit([&](const auto& A) { A.forward(residual.data() + first * plan->per_point, first, last, neighbours); },
               band);
}

// By what `residual` is now: A⁻¹ of what it was.
void RodStepper::State::correct_points(double step, long first, long last, bool is_first, Size& size) {
    const double half = 0.5 * step, quarter = half * half;
    const long begin = first * plan->per_point, end = last * plan->per_point;
    for_held(first, last, [&](long k) { residual.data()[k] = 0; });
    const double *by = residual.data(), *m = plan->mass.data(), *known_q = base_place.data(),
                 *known_v = base_velocity.data();
    double *a = acceleration.data(), *q = place.data(), *v = velocity.data();
    double changed = 0, swift = 0, forced = 0;
#pragma omp simd reduction(+ : changed)
    for (long k = begin; k < end; ++k) {
        a[k] -= by[k];
        q[k] = known_q[k] + quarter * a[k];
        v[k] = known_v[k] + half * a[k];
        changed += m[k] * by[k] * by[k];
    }
    size.change += changed;
    if (!is_first) return;
#pragma omp simd reduction(+ : swift, forced)
    for (long k = begin; k < end; ++k) swift += m[k] * v[k] * v[k], forced += m[k] * a[k] * a[k];
    size.velocity += swift;
    size.acceleration += forced;
}

// The second half of the solution, and what it changes.
RodStepper::State::Size RodStepper::State::correct(double step, bool is_first) {
    ++report.iterations;
    Size size;
    if (!row_of.empty()) {
        solve(residual.data(), scratch, residual.data());
        correct_points(step, 0, plan->points, is_first, size);
        return size;
    }
    rods::Neighbours neighbours{};
    for (long last = plan->points; last > 0;) {
        const long first = std::max(0L, last - rods::RodForces::stretch_points);
        std::visit(
            [&](const auto& A) { A.backward(residual.data() + first * plan->per_point, first, last, neighbours); },
            band);
        correct_points(step, first, last, is_first, size);
        last = first;
    }
    return size;
}

// Eq. 14: Newton. False where it does not converge; `now` is untouched.
bool RodStepper::State::attempt(double step) {
    const double half = 0.5 * step, quarter = half * half;
    const RodMatrixParts parts{.mass = 1 + half * options.damping.alpha,
                               .dashpot = half,
                               .strain = quarter + half * options.damping.beta,
                               .stress = quarter};
    begin_load(now.time, now.time + step);
    if (report.steps % reach_every == 0) reach = now.place.topRows<3>().cwiseAbs().maxCoeff();
    // Places are rounded, and what strains make of that no iteration takes away.
    const double rounding = std::numeric_limits<double>::epsilon() * reach / step * std::sqrt(total_mass);
    double target = 0, error_before = std::numeric_limits<double>::infinity();
    bool is_fresh = false;
    const auto fails = [&] { return is_worn = true, false; };
    for (int i = 0; i < most_iterations; ++i) {
        const bool renew = is_worn || factor_step != step;
        rods::Neighbours neighbours{};
        RodPass pass;
        if (i == 0) pass.before = [&](long first, long last) { predict(step, first, last); };
        if (!renew && row_of.empty()) pass.after = [&](long first, long last) { forward(first, last, neighbours); };
        evaluate(renew ? &parts : nullptr, pass);
        if (renew) {
            factor_step = step;
            is_fresh = true;
            is_worn = false;
            if (!factorize()) return fails();
            if (row_of.empty()) forward(0, plan->points, neighbours);
        }
        const Size size = correct(step, i == 0);
        const double error = half * std::sqrt(size.change);
        if (i == 0)
            target = rounding + options.tolerance * (std::sqrt(size.velocity) + half * std::sqrt(size.acceleration));
        if (!std::isfinite(error)) return fails();
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
    if (!(field.longest < longest && field.shortest > shortest)) give_up(step);
    report.largest_stretch = std::max({report.largest_stretch, field.longest - 1, 1 - field.shortest});
    ++since_look;
    ++report.steps;
    now.place.swap(place);
    now.acceleration.swap(acceleration);
    // What is held has the acceleration that its velocity takes.
    for (const long k : held) now.acceleration.data()[k] = (driven.data()[k] - now.velocity.data()[k]) / step;
    now.velocity.swap(velocity);
    now.tangents.swap(field.tangents);
    now.directors.swap(field.directors);
    now.turns.swap(field.turns);
    now.time += step;
}

void RodStepper::State::give_up(double step) const {
    long edge = 0, point = 0;
    const RodRows& last = place.allFinite() ? place : now.place;
    Eigen::ArrayXd stretch(plan->edges);
    for (long j = 0; j < plan->edges; ++j)
        stretch[j] = (last.col((j + 1) % plan->points) - last.col(j)).head<3>().norm() / plan->rest_length[j];
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
