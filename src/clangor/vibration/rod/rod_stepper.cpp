// What a rod's stepper offers
#include <clangor/vibration/rod/stepper_state.hpp>

#include <fmt/format.h>

#include <cmath>

namespace clangor {

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
    at.advance(seconds, at.options.most_halvings);
    at.now.heard_before.swap(at.now.heard);
    at.now.heard = at.now.acceleration;
    at.now.step = seconds;
}

void RodStepper::set_state(const RodState& state) {
    CLANGOR_ASSERT(state.place.rows() == state_->place.rows() && state.place.cols() == state_->place.cols() &&
                       state.tangents.rows() == state_->now.tangents.rows(),
                   "a state of this plan");
    state_->now = state;
    state_->is_worn = true;
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
    std::vector<double> scratch(at.scratch.size());
    Eigen::MatrixXd solved(columns.rows(), columns.cols());
    for (long c = 0; c < columns.cols(); ++c) at.solve(columns.col(c).data(), scratch, solved.col(c).data());
    return solved;
}

std::vector<Mat3> RodStepper::compliances() const {
    const State& at = *state_;
    CLANGOR_ASSERT(at.factor_step > 0, "after a step");
    std::vector<Mat3> found(size_t(at.plan->points));
    std::visit(
        [&](const auto& A) {
            const auto blocks = A.inverse_blocks();
            for (long i = 0; i < at.plan->points; ++i) {
                const long row = at.order.row(i, 0), block = row / at.order.block(), within = row % at.order.block();
                const Vec3 moves = at.free.col(i).head<3>();
                found[size_t(i)] = moves.asDiagonal() * blocks[size_t(block)].template block<3, 3>(within, within) *
                                   moves.asDiagonal();
            }
        },
        at.band);
    return found;
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
