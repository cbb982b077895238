// Contacts whose responses are known only nearly: what was left out is put into the free velocities, until that no
// longer changes anything.
#include <clangor/motion/friction/friction.hpp>

#include <algorithm>
#include <utility>

namespace clangor {
namespace {

constexpr int most_corrections = 40;

// The velocities that the given blocks alone account for.
Vec3 near_velocity(const ContactResponse& W, size_t row, const std::vector<Vec3>& impulses) {
    Vec3 u = Vec3::Zero();
    for (int k = W.starts[row]; k < W.starts[row + 1]; ++k)
        u += W.blocks[size_t(k)] * impulses[size_t(W.columns[size_t(k)])];
    return u;
}

double largest_own(const ContactResponse& W, size_t row) {
    const auto begin = W.columns.begin() + W.starts[row], end = W.columns.begin() + W.starts[row + 1];
    const auto at = std::lower_bound(begin, end, int(row));
    return W.blocks[size_t(at - W.columns.begin())].diagonal().maxCoeff();
}

double residual_of(const FrictionProblem& problem, const std::vector<Vec3>& impulses,
                   const std::vector<Vec3>& velocities) {
    double worst = 0;
    for (size_t i = 0; i < impulses.size(); ++i) {
        worst = std::max(
            worst, contact_residual(problem.contacts[i], impulses[i], velocities[i], largest_own(problem.response, i)));
    }
    return worst;
}

Eigen::VectorXd packed_together(const std::vector<Vec3>& impulses) {
    Eigen::VectorXd all(3 * long(impulses.size()));
    for (size_t i = 0; i < impulses.size(); ++i) all.segment<3>(3 * long(i)) = impulses[i];
    return all;
}

}  // namespace

FrictionSolution solve_friction(const FrictionProblem& problem, const ExactResponse& response,
                                const FrictionOptions& options, std::span<const Vec3> start) {
    const size_t count = problem.contacts.size();
    const std::vector<Vec3>& b = problem.free_velocity;
    std::vector<Vec3> impulses(count, Vec3::Zero());
    if (!start.empty()) impulses.assign(start.begin(), start.end());
    FrictionSolution best{.impulses = impulses};
    if (count == 0) return best;
    double scale = options.least_speed;
    for (size_t i = 0; i < count; ++i) scale = std::max({scale, b[i].norm(), std::abs(problem.contacts[i].target)});
    if (scale == 0) scale = 1;

    const auto velocities = [&](const std::vector<Vec3>& of) {
        std::vector<Vec3> u = response(of);
        for (size_t i = 0; i < count; ++i) u[i] += b[i];
        return u;
    };
    std::vector<Vec3> exact = start.empty() ? b : velocities(impulses);
    best.velocities = exact;
    best.residual = residual_of(problem, impulses, exact) / scale;
    FrictionProblem near = problem;
    friction::Extrapolation extrapolation(5);
    for (int round = 0; round < most_corrections && best.residual > options.tolerance; ++round) {
        if (best.sweeps >= options.max_sweeps) break;
        for (size_t i = 0; i < count; ++i)
            near.free_velocity[i] = exact[i] - near_velocity(problem.response, i, impulses);
        FrictionOptions finer = options;  // than what is left out is known, and than what is asked for
        finer.tolerance = 0.1 * std::max(options.tolerance, 0.1 * best.residual);
        finer.least_speed = scale;
        finer.max_sweeps = options.max_sweeps - best.sweeps;
        FrictionSolution next = solve_friction(near, finer, impulses);
        best.sweeps += next.sweeps;
        exact = velocities(next.impulses);
        const double residual = residual_of(problem, next.impulses, exact) / scale;
        if (residual < best.residual) {
            best.residual = residual;
            best.impulses = next.impulses;
            best.velocities = exact;
        }
        if (best.residual <= options.tolerance) break;
        const auto mixed = extrapolation.next(packed_together(impulses), packed_together(next.impulses));
        impulses = std::move(next.impulses);
        if (mixed) {
            for (size_t i = 0; i < count; ++i) impulses[i] = mixed->segment<3>(3 * long(i));
            exact = velocities(impulses);
        }
    }
    best.converged = best.residual <= options.tolerance;
    return best;
}

}  // namespace clangor
