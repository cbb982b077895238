#include <clangor/vibration/rod_contact/contact_solve.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::rod_contact {
namespace {

constexpr int most_tangents = 12;

// Compliant contacts by Newton's method: their force curves upwards, so that it comes down from the overlap that there
// would be without impulses, and does not overshoot.
SolvedImpulses solve_with_tangents(const StepImpulses& of, FrictionProblem& problem, const ExactResponse& exact,
                                   std::vector<Vec3> from, const RodContactOptions& options) {
    const size_t count = of.touches.size();
    const FrictionOptions how{
        .tolerance = options.tolerance, .least_speed = options.rest_speed, .max_sweeps = options.max_sweeps};
    std::vector<double> u(count);
    bool is_compliant = false;
    for (size_t i = 0; i < count; ++i) {
        const TouchLaw& touch = of.touches[i];
        u[i] = touch.u_free;
        if (touch.law.stiffness > 0)
            is_compliant = true;
        else
            problem.contacts[i] = {.friction = touch.law.friction, .target = rigid_target(touch)};
    }
    SolvedImpulses solved;
    for (int round = 0; round < most_tangents; ++round) {
        for (size_t i = 0; i < count; ++i)
            if (of.touches[i].law.stiffness > 0) problem.contacts[i] = linearized(of.touches[i], u[i], of.step);
        FrictionSolution solution =
            exact ? solve_friction(problem, exact, how, from) : solve_friction(problem, how, from);
        solved.sweeps += solution.sweeps;
        solved.residual = solution.residual;
        solved.converged = solution.converged;
        double change = 0, scale = 0.01 * options.rest_speed;  // below that, all is rounding
        for (size_t i = 0; i < count; ++i) {
            change = std::max(change, std::abs(solution.velocities[i][0] - u[i]));
            scale = std::max(scale, std::abs(of.touches[i].u_free));
            u[i] = solution.velocities[i][0];
        }
        from = solution.impulses;
        solved.impulses = std::move(solution.impulses);
        solved.velocities = std::move(solution.velocities);
        if (!is_compliant || change <= 1e-6 * scale) break;  // the next change would be of the square of that
    }
    return solved;
}

// Friction by the mean of the velocities before and after, at which its work is done, for contacts that would otherwise
// be given some: their slip turns round within the step. True where that changes anything.
bool slips_by_the_mean(const SolvedImpulses& solved, std::span<const Vec3> u_before, double least_speed,
                       std::vector<char>& by_mean, std::vector<Vec3>& free_velocity) {
    bool any = false;
    for (size_t i = 0; i < u_before.size(); ++i) {
        const Eigen::Vector2d before = u_before[i].tail<2>(), r = solved.impulses[i].tail<2>();
        if (by_mean[i] || before.norm() < least_speed || r.dot(solved.velocities[i].tail<2>() + before) <= 0) continue;
        by_mean[i] = 1;
        free_velocity[i].tail<2>() += before;
        any = true;
    }
    return any;
}

}  // namespace

SolvedImpulses solve_impulses(const StepImpulses& of, const ContactResponse& W, const ExactResponse& exact,
                              const RodContactOptions& options) {
    constexpr int most_turns = 4;
    const double least_speed = 1e-3 * options.rest_speed;  // below that, all is rounding
    const size_t count = of.touches.size();
    FrictionProblem problem{.contacts = std::vector<FrictionalContact>(count),
                            .response = W,
                            .free_velocity = {of.u_free.begin(), of.u_free.end()}};
    std::vector<char> by_mean(count, 0);
    SolvedImpulses solved = solve_with_tangents(of, problem, exact, {of.start.begin(), of.start.end()}, options);
    for (int turn = 0; turn < most_turns; ++turn) {
        if (!slips_by_the_mean(solved, of.u_before, least_speed, by_mean, problem.free_velocity)) break;
        const int sweeps = solved.sweeps;
        solved = solve_with_tangents(of, problem, exact, solved.impulses, options);
        solved.sweeps += sweeps;
        for (size_t i = 0; i < count; ++i)
            if (by_mean[i]) solved.velocities[i].tail<2>() -= of.u_before[i].tail<2>();
    }
    return solved;
}

std::vector<double> parting_impulses(const ContactResponse& W, std::span<const double> overlaps) {
    FrictionProblem problem{.contacts = {}, .response = W, .free_velocity = {}};
    for (const double overlap : overlaps) {
        problem.contacts.push_back({.target = overlap});
        problem.free_velocity.push_back(Vec3::Zero());
    }
    const FrictionSolution solution = solve_friction(problem, {.tolerance = 1e-3, .max_sweeps = 20});
    std::vector<double> normal;
    for (const Vec3& impulse : solution.impulses) normal.push_back(impulse[0]);
    return normal;
}

}  // namespace clangor::rod_contact
