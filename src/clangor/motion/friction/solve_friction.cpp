// Block Gauss–Seidel over the contacts of a group, each solved exactly, and sped up where it is slow
// [Daviet2011]; docs/theory/rod-contact.md, section 2.
#include <clangor/motion/friction/friction.hpp>
#include <clangor/motion/friction/groups.hpp>
#include <clangor/motion/friction/newton.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Sweeps before the iteration is extrapolated, and how many of its steps that goes by: tried on stacks of 10 to 40
// and heaps of up to 3000 contacts (bench/friction_bench.cpp).
constexpr int first_extrapolation = 10;
constexpr int extrapolation_depth = 8;

// Sweeps after which all contacts of a group are tried at once, again and again, where it is small enough for that.
constexpr int sweeps_until_newton = 50;
constexpr size_t largest_newton_group = 150;

// One group of contacts, and the impulses of all.
class GroupSolver {
public:
    GroupSolver(const FrictionProblem& problem, const std::vector<int>& group, std::vector<Vec3>& impulses)
        : problem_(problem), group_(group), impulses_(impulses) {}

    // Every contact once, in turn; the largest change of velocity that one of them made at itself.
    double sweep(bool forwards) {
        double largest = 0;
        const size_t n = group_.size();
        for (size_t i = 0; i < n; ++i) {
            const int contact = group_[forwards ? i : n - 1 - i];
            const Mat3& own = own_block(contact);
            Vec3& impulse = impulses_[size_t(contact)];
            const Vec3 others = velocity(contact) - own * impulse;
            const Vec3 next = contact_impulse(problem_.contacts[size_t(contact)], own, others);
            largest = std::max(largest, own.diagonal().maxCoeff() * (next - impulse).norm());
            impulse = next;
        }
        return largest;
    }

    Vec3 velocity(int contact) const {
        const ContactResponse& W = problem_.response;
        Vec3 u = problem_.free_velocity[size_t(contact)];
        for (int k = W.starts[size_t(contact)]; k < W.starts[size_t(contact) + 1]; ++k)
            u += W.blocks[size_t(k)] * impulses_[size_t(W.columns[size_t(k)])];
        return u;
    }

    double residual() const {
        double worst = 0;
        for (const int contact : group_) {
            const double inverse_mass = own_block(contact).diagonal().maxCoeff();
            worst = std::max(worst, contact_residual(problem_.contacts[size_t(contact)], impulses_[size_t(contact)],
                                                     velocity(contact), inverse_mass));
        }
        return worst;
    }

    Eigen::VectorXd packed() const {
        Eigen::VectorXd all(3 * long(group_.size()));
        for (size_t i = 0; i < group_.size(); ++i) all.segment<3>(3 * long(i)) = impulses_[size_t(group_[i])];
        return all;
    }
    void unpack(const Eigen::VectorXd& all) {
        for (size_t i = 0; i < group_.size(); ++i) impulses_[size_t(group_[i])] = all.segment<3>(3 * long(i));
    }

private:
    const Mat3& own_block(int contact) const {
        const ContactResponse& W = problem_.response;
        const auto begin = W.columns.begin() + W.starts[size_t(contact)];
        const auto end = W.columns.begin() + W.starts[size_t(contact) + 1];
        const auto at = std::lower_bound(begin, end, contact);
        CLANGOR_ASSERT(at != end && *at == contact, "a contact feels its own impulse");
        return W.blocks[size_t(at - W.columns.begin())];
    }

    const FrictionProblem& problem_;
    const std::vector<int>& group_;
    std::vector<Vec3>& impulses_;
};

struct GroupResult {
    double residual = 0;
    int sweeps = 0;
};

GroupResult solve_group(const FrictionProblem& problem, const std::vector<int>& group, std::vector<Vec3>& impulses,
                        double scale, const FrictionOptions& options) {
    GroupSolver solver(problem, group, impulses);
    if (group.size() == 1) {
        solver.sweep(true);
        return {solver.residual() / scale, 1};
    }
    friction::Extrapolation extrapolation(extrapolation_depth);
    GroupResult result{.residual = solver.residual() / scale};
    Eigen::VectorXd best = solver.packed();
    double last_change = 0;
    for (int sweep = 0; sweep < options.max_sweeps && result.residual > options.tolerance; ++sweep) {
        const Eigen::VectorXd before = solver.packed();
        // There and back, so that news travels both ways along a chain.
        const double change = std::max(solver.sweep(true), solver.sweep(false)) / scale;
        result.sweeps = sweep + 1;
        const bool settled = change <= 4 * options.tolerance;
        if (settled || sweep % 8 == 7 || sweep + 1 == options.max_sweeps) {
            const double residual = solver.residual() / scale;
            if (residual < result.residual) result.residual = residual, best = solver.packed();
            if (residual <= options.tolerance) break;
        }
        if (sweep % sweeps_until_newton == sweeps_until_newton - 1 && group.size() <= largest_newton_group) {
            // In turn from the best so far, from where sweeps wander, and from nothing: one mostly gets there.
            const int turn = sweep / sweeps_until_newton % 3;
            const Eigen::VectorXd from = turn == 0   ? best
                                         : turn == 1 ? solver.packed()
                                                     : Eigen::VectorXd(Eigen::VectorXd::Zero(best.size()));
            solver.unpack(friction::newton_impulses(problem, group, from));
            const double residual = solver.residual() / scale;
            if (residual < result.residual) result.residual = residual, best = solver.packed();
            extrapolation.forget();
            last_change = 0;
            continue;
        }
        if (sweep < first_extrapolation) continue;
        // An extrapolation after which the iteration moves more was none: begin anew from where it is.
        if (last_change > 0 && change > 2 * last_change) extrapolation.forget();
        last_change = change;
        if (const auto next = extrapolation.next(before, solver.packed())) solver.unpack(*next);
    }
    solver.unpack(best);
    return result;
}

double free_speed_scale(const FrictionProblem& problem, double least_speed) {
    double scale = least_speed;
    for (size_t i = 0; i < problem.contacts.size(); ++i)
        scale = std::max({scale, problem.free_velocity[i].norm(), std::abs(problem.contacts[i].target)});
    return scale > 0 ? scale : 1.0;
}

}  // namespace

FrictionSolution solve_friction(const FrictionProblem& problem, const FrictionOptions& options,
                                std::span<const Vec3> start) {
    const size_t count = problem.contacts.size();
    CLANGOR_ASSERT(problem.free_velocity.size() == count && size_t(problem.response.contacts()) == count,
                   "one velocity and one row for each contact");
    FrictionSolution solution{.impulses = std::vector<Vec3>(count, Vec3::Zero())};
    if (!start.empty()) solution.impulses.assign(start.begin(), start.end());
    if (count == 0) return solution;
    const double scale = free_speed_scale(problem, options.least_speed);
    const std::vector<std::vector<int>> groups = friction::groups_of(problem.response);
    std::vector<GroupResult> results(groups.size());
    const auto solve_one = [&](long g) {
        results[size_t(g)] = solve_group(problem, groups[size_t(g)], solution.impulses, scale, options);
    };
    if (count < 64) {  // too little to share
        for (size_t g = 0; g < groups.size(); ++g) solve_one(long(g));
    } else {
        parallel_for(long(groups.size()), solve_one);
    }
    for (const GroupResult& result : results) {
        solution.residual = std::max(solution.residual, result.residual);
        solution.sweeps = std::max(solution.sweeps, result.sweeps);
    }
    solution.converged = solution.residual <= options.tolerance;
    solution.velocities = problem.free_velocity;
    for (size_t i = 0; i < count; ++i) {
        for (int k = problem.response.starts[i]; k < problem.response.starts[i + 1]; ++k)
            solution.velocities[i] +=
                problem.response.blocks[size_t(k)] * solution.impulses[size_t(problem.response.columns[size_t(k)])];
    }
    return solution;
}

}  // namespace clangor
