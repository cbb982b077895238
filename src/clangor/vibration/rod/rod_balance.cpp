// Accelerations and places that balance forces   docs/theory/rod.md, "At rest"
#include <clangor/vibration/rod/stepper_state.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

constexpr int most_settling = 2000;

// Energy of strains that are there only since coordinates are rounded.
double energy_of_rounding(const RodPlan& plan, const RodRows& place) {
    const double by = std::numeric_limits<double>::epsilon() * place.topRows<3>().cwiseAbs().maxCoeff();
    double energy = plan.stretching.head(plan.edges).sum() * square(by);
    for (long i = 0; i < plan.points; ++i)
        energy += (plan.bending_1[i] + plan.bending_2[i] + plan.twisting[i]) * square(by / plan.rest_length[i]);
    return energy;
}

}  // namespace

void RodStepper::balance() {
    State& at = *state_;
    at.place = at.now.place;
    at.velocity = at.now.velocity;
    at.acceleration.setZero();
    at.set_load(at.now.time, at.now.time);
    const RodMatrixParts mass{};
    at.evaluate(&mass);
    at.factor_step = -1;
    if (!at.factorize()) throw Error("the rod has points without mass", Blame::Work);
    at.solve(at.residual.data(), at.scratch, at.change.data());
    at.now.acceleration = -at.change;
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
        const RodMatrixParts parts{.mass = mu, .strain = 1, .stress = 1};
        const double before = potential(at.evaluate(&parts));
        at.factor_step = -1;
        const bool is_good = at.factorize();
        at.solve(at.residual.data(), at.scratch, at.change.data());
        RodRows by = -at.change;
        const double along = -by.cwiseProduct(at.residual).sum();
        const double farthest =
            std::max(by.topRows<3>().cwiseAbs().maxCoeff() / spacing, by.row(3).cwiseAbs().maxCoeff());
        by *= std::min(1.0, 0.5 / std::max(farthest, 1e-300));
        at.place = at.now.place + by;
        const double after = is_good && std::isfinite(farthest) ? potential(at.evaluate()) : before + 1;
        // So little is to be had that rounding hides it.
        const bool is_there = std::abs(along) <= 1e-15 * (std::abs(before) + at.load.cwiseAbs().sum() * size) +
                                                     4 * energy_of_rounding(plan, at.now.place);
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

}  // namespace clangor
