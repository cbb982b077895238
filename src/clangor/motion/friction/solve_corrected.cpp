// Contacts whose responses are known only nearly: what was left out is put into the free velocities, until that no
// longer changes anything.
#include <clangor/motion/friction/extrapolation.hpp>
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

FrictionSolution solve_friction(FrictionProblem problem, const ContactVelocities& velocities,
                                const FrictionOptions& options, std::span<const Vec3> start) {
    const size_t count = problem.contacts.size();
    std::vector<Vec3> impulses(count, Vec3::Zero());
    if (!start.empty()) impulses.assign(start.begin(), start.end());
    FrictionSolution best{.impulses = impulses};
    if (count == 0) return best;
    problem.free_velocity.resize(count);

    const std::vector<Vec3> without = velocities(std::vector<Vec3>(count, Vec3::Zero()));
    double scale = options.least_speed;
    for (size_t i = 0; i < count; ++i)
        scale = std::max({scale, without[i].norm(), std::abs(problem.contacts[i].target)});
    if (scale == 0) scale = 1;

    FrictionOptions finer = options;  // what is left there must not keep the whole from its tolerance
    finer.tolerance *= 0.1;
    std::vector<Vec3> exact = start.empty() ? without : velocities(impulses);
    best.velocities = exact;
    best.residual = residual_of(problem, impulses, exact) / scale;
    friction::Extrapolation extrapolation(5);
    for (int round = 0; round < most_corrections && best.residual > options.tolerance; ++round) {
        for (size_t i = 0; i < count; ++i)
            problem.free_velocity[i] = exact[i] - near_velocity(problem.response, i, impulses);
        FrictionSolution next = solve_friction(problem, finer, impulses);
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
