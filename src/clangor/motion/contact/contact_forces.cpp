#include <clangor/motion/contact/contact_forces.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Newton's iteration squares its error: where the last change was smaller than this part of the largest force, what is
// left is rounding.
constexpr double small_change = 1e-8;
constexpr int most_iterations = 60;

/// The mean of a force over a step, and its derivative by the depth at the end.
struct MeanForce {
    double value = 0, slope = 0;
};

// Of K δ^{3/2} from a to b, such that its work is the change of its potential: (2/5) K (b^{5/2} − a^{5/2})/(b − a), in
// √a and √b, where nothing cancels   docs/theory/contact.md, Eq. 10
MeanForce mean_force(double stiffness, double a, double root_a, double b) {
    if (a <= 0 && b <= 0) return {};
    if (a > 0 && b > 0) {
        const double s = root_a, t = std::sqrt(b);
        const double sum = (((t + s) * t + s * s) * t + s * s * s) * t + s * s * s * s;
        const double slope = ((4 * t + 3 * s) * t + 2 * s * s) * t + s * s * s, share = 1 / (t + s);
        const double mean = sum * share;
        return {0.4 * stiffness * mean, 0.4 * stiffness * (slope - mean) * share / (2 * t)};
    }
    const double deep = std::max(a, b), potential = 0.4 * stiffness * deep * deep * std::sqrt(deep);
    const double value = potential / std::abs(b - a);
    const double slope = b > 0 ? (stiffness * b * std::sqrt(b) - value) / (b - a) : value / (a - b);
    return {value, slope};
}

/// Of one contact during a step that begins at a depth.
struct StepForce {
    double stiffness, loss_per_h, before, root;

    // The whole force, and the part of it that is lost.
    MeanForce operator()(double after, double& lost) const {
        const MeanForce mean = mean_force(stiffness, before, root, after);
        const double factor = std::max(0.0, 1 + loss_per_h * (after - before));
        lost = mean.value * (factor - 1);
        return {mean.value * factor, mean.slope * factor + (factor > 0 ? mean.value * loss_per_h : 0)};
    }
};

StepForce step_force(const ElasticContact& contact, double h, double before) {
    return {contact.stiffness, contact.loss / h, before, std::sqrt(std::max(before, 0.0))};
}

// F is convex in δ', being a product of two that grow and are convex: from any beginning the second guess is too deep,
// and from then on they fall towards the solution.
StepForces force_of_one(const StepForce& force_at, double compliance, double free, double expected) {
    StepForces out{PerContact::Zero(1), PerContact::Zero(1)};
    double after = std::min(free, free - compliance * expected), lost = 0;
    MeanForce force = force_at(after, lost);
    for (int round = 0; round < most_iterations; ++round) {
        const double change = (free - compliance * force.value - after) / (1 + compliance * force.slope);
        after += change;
        force = force_at(after, lost);
        if (std::abs(change) * force.slope <= small_change * force.value) break;
    }
    out.force[0] = force.value;
    out.lost[0] = lost;
    return out;
}

StepForces forces_of_many(const std::vector<StepForce>& force_at, const PerContacts& compliance,
                          const PerContact& before, const PerContact& free) {
    const long count = before.size();
    StepForces out{PerContact::Zero(count), PerContact::Zero(count)};
    PerContact after = free.cwiseMin(before.cwiseMax(0) + (free - before).cwiseAbs()), slope(count);
    const auto set_forces = [&] {
        for (long i = 0; i < count; ++i) {
            const MeanForce force = force_at[std::size_t(i)](after[i], out.lost[i]);
            out.force[i] = force.value;
            slope[i] = force.slope;
        }
    };
    set_forces();
    PerContact miss = after - free + compliance * out.force;
    for (int round = 0; round < most_iterations; ++round) {
        const PerContacts jacobian = PerContacts::Identity(count, count) + compliance * slope.asDiagonal();
        const PerContact change = -jacobian.partialPivLu().solve(miss);
        const double size = miss.norm();
        const PerContact from = after, forces_before = out.force;
        double part = 1;
        for (;; part /= 2) {
            after = from + part * change;
            set_forces();
            miss = after - free + compliance * out.force;
            if (miss.norm() <= size * (1 - 1e-4 * part) || part < 1e-3 || size == 0) break;
        }
        const double scale = std::max(out.force.maxCoeff(), forces_before.maxCoeff());
        if ((out.force - forces_before).cwiseAbs().maxCoeff() <= small_change * scale) break;
    }
    return out;
}

}  // namespace

StepForces forces_of(const std::vector<ElasticContact>& contacts, const PerContacts& compliance, double h,
                     const PerContact& before, const PerContact& free, const PerContact& expected) {
    const long count = before.size();
    if (before.maxCoeff() <= 0 && free.maxCoeff() <= 0) return {PerContact::Zero(count), PerContact::Zero(count)};
    if (count == 1) return force_of_one(step_force(contacts[0], h, before[0]), compliance(0, 0), free[0], expected[0]);
    std::vector<StepForce> force_at;
    for (long i = 0; i < count; ++i) force_at.push_back(step_force(contacts[std::size_t(i)], h, before[i]));
    return forces_of_many(force_at, compliance, before, free);
}

}  // namespace clangor
