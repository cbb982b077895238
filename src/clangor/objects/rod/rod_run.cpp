#include <clangor/objects/rod/rod_run.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Centres of free rods are kept so often: between them they are on a smooth curve [Hz].
constexpr double centre_hz = 100;

// Less than this is no motion of the whole [m].
constexpr double centre_grid = 1e-6;

// Pulses are halves of a sine; one of Hertz's shape is as long as has the same width.
double half_sine_duration(const scene::Strike& strike, double shortest) {
    // Standard deviations of both with unit length: √(¼ − 2/π²) and, of sin^1.5886, by sums.
    static const double hertz = [] {
        double second = 0;
        for (int i = 0; i < 2000; ++i) {
            const double x = (i + 0.5) / 2000;
            second += square(x - 0.5) * unit_pulse(PulseShape::Hertz, x) / 2000;
        }
        return std::sqrt(second);
    }();
    const double sine = std::sqrt(0.25 - 2 / square(pi));
    const double factor = strike.shape == PulseShape::Hertz ? hertz / sine : 1;
    return std::max(shortest, factor * strike.contact_time);
}

RodPulse pulse_of(const RodModel& model, const scene::Strike& strike, double step) {
    point_at(model, strike.along, "a strike");
    const double duration = half_sine_duration(strike, step), middle = strike.time + strike.contact_time / 2;
    return {.at = strike.along + model.curve.before,
            .impulse = model.world_from_rod.linear() * strike.impulse,
            .start = std::max(0.0, middle - duration / 2),
            .duration = duration};
}

// The ends pulled apart along the line from one to the other, all between in proportion.
RodRows stretched(const RodModel& model) {
    RodRows place = model.plan.rest.place;
    const long n = model.plan.points;
    const Vec3 line = (place.col(n - 1) - place.col(0)).head<3>().normalized();
    const double whole = model.plan.length_to[n - 1];
    for (long i = 0; i < n; ++i)
        place.col(i).head<3>() += (model.plan.length_to[i] / whole - 0.5) * model.rod.stretched_by * line;
    return place;
}

// Directions at points, halfway between those of the edges before and behind; ends have one edge.
void set_halfway(const Points& edges, bool closed, Eigen::MatrixX3d& points) {
    const long count = edges.rows(), n = closed ? count : count + 1;
    points.resize(n, 3);
    const auto set = [&](long i, long before, long behind) {
        const double x = edges(before, 0) + edges(behind, 0), y = edges(before, 1) + edges(behind, 1),
                     z = edges(before, 2) + edges(behind, 2), over = 1 / std::sqrt(x * x + y * y + z * z);
        points(i, 0) = x * over, points(i, 1) = y * over, points(i, 2) = z * over;
    };
    set(0, closed ? count - 1 : 0, 0);
    for (long i = 1; i < count; ++i) set(i, i - 1, i);
    if (!closed) set(count, count - 1, count - 1);
}

// As of a body that flies and spins as a whole.
RodRows thrown(const RodModel& model, const RodRows& place) {
    RodRows velocity = RodRows::Zero(place.rows(), place.cols());
    const Vec3 centre = centre_of(model.plan, place), spin = model.rod.spin_deg * (pi / 180);
    for (long i = 0; i < place.cols(); ++i)
        velocity.col(i).head<3>() = model.rod.velocity + spin.cross(Vec3(place.col(i).head<3>()) - centre);
    for (long j = 0; j < model.plan.edges; ++j)
        velocity(3, j) = spin.dot(Vec3(model.plan.rest.tangents.row(j).transpose()));
    return velocity;
}

}  // namespace

RodRun::RodRun(const RodModel& model, std::span<const scene::Strike* const> strikes, const RodRunOptions& options)
    : model_(model),
      options_(options),
      stepper_(model.plan, {.damping = model.damping, .gravity = model.has_gravity ? options.gravity : Vec3::Zero()}),
      decimator_(3 * model.plan.points, options.steps_per_sample),
      record_(std::make_shared<RodRecord>(model.plan.points, options.sample_rate)) {
    RodState start = moved(model.plan, model.plan.rest, stretched(model));
    start.velocity = thrown(model, start.place);
    stepper_.set_state(start);
    for (const scene::RodPull& pull : model.rod.pulls) {
        is_pulled_ = true;
        stepper_.forces().col(point_at(model, pull.at, "a pull")).head<3>() +=
            model.world_from_rod.linear() * pull.force;
    }
    if (model.is_held)
        stepper_.settle();
    else
        stepper_.balance();
    for (const scene::Strike* strike : strikes)
        if (!strike->mallet)
            stepper_.strike(pulse_of(model, *strike, 1 / (options.sample_rate * double(options.steps_per_sample))));
    if (!model.is_held) flying_ = centre_of(model.plan, stepper_.state().acceleration);
    waiting_.resize(size_t(decimator_.lag() + 2));
    record();
}

void RodRun::before_step(double time) {
    if (!is_pulled_) return;
    stepper_.forces().setZero();
    is_pulled_ = false;
    for (const scene::RodPull& pull : model_.rod.pulls) {
        if (pull.until <= time) continue;
        is_pulled_ = true;
        stepper_.forces().col(point_at(model_, pull.at, "a pull")).head<3>() +=
            model_.world_from_rod.linear() * pull.force;
    }
}

void RodRun::after_step() {
    ++steps_;
    record();
}

// The accelerations of each step; where points and sections are, once in a sample.
void RodRun::record() {
    const RodState& state = stepper_.state();
    const long n = model_.plan.points, every = options_.steps_per_sample;
    if (steps_ % every == 0) {
        const long instant = steps_ / every;
        RodInstant& here = waiting_[size_t(instant) % waiting_.size()];
        here.positions = state.place.topRows<3>().transpose();
        here.velocities = state.velocity.topRows<3>().transpose();
        const RodFrames frames = material_frames(model_.plan, state);
        set_halfway(frames.d_1, model_.plan.closed, here.d_1);
        set_halfway(frames.d_2, model_.plan.closed, here.d_2);
        const long often = std::max(1L, std::lround(options_.sample_rate / centre_hz));
        if (instant % often == 0)
            centres_.push_back((centre_of(model_.plan, state.place) / centre_grid).array().round().matrix() *
                               centre_grid);
        const Vec3& centre = model_.is_held ? centres_.front() : centres_.back();
        double reach_sq = 0;
        for (long i = 0; i < n; ++i)
            reach_sq = std::max(reach_sq, (state.place.col(i).head<3>() - centre).squaredNorm());
        reach_ = std::max(reach_, std::sqrt(reach_sq));
    }
    accelerations_.resize(3 * n);
    for (long i = 0; i < n; ++i)
        for (long c = 0; c < 3; ++c) accelerations_[c * n + i] = state.heard(c, i) - flying_[c];
    if (!decimator_.add(accelerations_)) return;
    const Eigen::VectorXd column = decimator_.column();
    const long instant = steps_ / every - decimator_.lag();
    RodInstant& then = waiting_[size_t(instant) % waiting_.size()];
    then.accelerations = column.reshaped(n, 3);
    sources_ = sources_of(model_.radiating, then, options_.air, std::move(sources_));
    if (instant > 0)
        add_turning(model_.radiating, waiting_[size_t(instant - 1) % waiting_.size()], then, options_.sample_rate,
                    options_.air, sources_);
    record_->add(sources_, then.d_1);
}

namespace {

// From outside; 0 where it is not round.
double round_radius(const Section& section) {
    if (const auto* circle = std::get_if<CircleSection>(&section)) return circle->radius;
    if (const auto* tube = std::get_if<TubeSection>(&section)) return tube->radius;
    return 0;
}

}  // namespace

std::shared_ptr<const RodTrack> RodRun::finish() {
    record_->finish();
    auto track = std::make_shared<RodTrack>();
    track->record = record_;
    track->round_radius = round_radius(model_.rod.section);
    const long count = long(centres_.size());
    track->path = {Eigen::VectorXd(count), Points(count, 3), Rotations(count, 4)};
    const double often = std::max(1.0, std::round(options_.sample_rate / centre_hz)) / options_.sample_rate;
    for (long k = 0; k < count; ++k) {
        track->path.times[k] = double(k) * often;
        track->path.positions.row(k) = centres_[size_t(k)].transpose();
        track->path.rotations.row(k) << 0, 0, 0, 1;
    }
    track->centre = model_.is_held ? at_rest(Eigen::Isometry3d(Eigen::Translation3d(centres_.front()))) : track->path;
    // Between kept centres a free rod goes on by itself: no more than its speed lets it.
    track->reach = 1.1 * reach_ + 0.05;
    return track;
}

}  // namespace clangor
