// docs/theory/oscillator.md, section "Modes that move together"
#include <clangor/objects/modal/coupled_sound.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

constexpr long step_samples = 1024;
constexpr long piece_samples = Resonators::block_samples;  // within which weights are linear
constexpr double silence_below = 1e-14;                    // of the largest energy that there was

constexpr long energy_samples = 16;  // while a contact acts, the energy is looked at so often

constexpr double more_than_all = 1.1;  // of what hits have to give

// By all contacts; infinite where one of them does not know it.
double energy_given(std::span<const ModalImpulse> impulses) {
    double sum = 0;
    for (const ModalImpulse& impulse : impulses)
        sum += impulse.giving ? impulse.giving->energy : std::numeric_limits<double>::infinity();
    return sum;
}

Eigen::ArrayXd kick_of(const OscillatorBank& bank, const Eigen::VectorXd& xi) {
    const double h = 1 / bank.sample_rate_hz;
    const Eigen::ArrayXd omega = bank.omega.array(), omega_d = omega * (1 - xi.array().square()).sqrt();
    return (-xi.array() * omega * h).exp() * (omega_d * h).sin() / omega_d;
}

}  // namespace

CoupledSound::CoupledSound(std::shared_ptr<const Vibration> vibration, CoupledMotion motion,
                           const EmissionContext& context)
    : vibration_(std::move(vibration)),
      motion_(std::move(motion)),
      pulses_(vibration_->impulses, vibration_->bank.sample_rate_hz),
      contacts_(motion_.rest.size() > 0 ? std::span<const ModalImpulse>{} : vibration_->impulses, vibration_->bank),
      exact_knots_(context.settings.exact_knots) {
    const OscillatorBank& bank = vibration_->bank;
    kick_ = kick_of(bank, bank.xi);
    turn_ = 4 * (bank.omega.array() / (2 * bank.sample_rate_hz)).sin().square();
    last_ = Eigen::MatrixXd::Zero(bank.omega.size(), 2);
    if (motion_.rest.size() > 0) last_.colwise() = motion_.rest;
    last_force_ = Eigen::VectorXd::Zero(bank.omega.size());
}

size_t CoupledSound::add_path(std::vector<ListenerKnot> knots) {
    const std::lock_guard lock(mutex_);
    CLANGOR_ASSERT(stepped_ == SampledPulses::first_sample, "paths are there before anything moves");
    paths_.push_back({.knots = std::move(knots)});
    return paths_.size() - 1;
}

bool CoupledSound::over() const {
    const std::lock_guard lock(mutex_);
    return over_;
}

SoundAccount CoupledSound::account() const {
    SoundAccount all = motion_.account ? motion_.account() : SoundAccount{};
    all.figures.emplace_back("largest_energy_j", most_energy_);
    const double given = energy_given(vibration_->impulses);
    if (most_energy_ > more_than_all * given)
        all.warnings.push_back(fmt::format(
            "{}: its modes had up to {:.2g} J, more than the {:.2g} J of what hit it: a wall that gives way under "
            "a contact of milliseconds is followed only roughly, and sounds too loud; hit it less hard, or with "
            "something harder",
            object_named(vibration_->source.name), most_energy_, given));
    return all;
}

void CoupledSound::next(size_t path, std::span<float> real, std::span<float> imaginary) {
    const std::lock_guard lock(mutex_);
    Path& own = paths_[path];
    while (own.real.size() < real.size()) step();
    const auto take = [&](std::vector<float>& made, std::span<float> out) {
        std::copy_n(made.begin(), out.size(), out.begin());
        made.erase(made.begin(), made.begin() + std::ssize(out));
    };
    take(own.real, real);
    take(own.imaginary, imaginary);
}

void CoupledSound::follow_damping() {
    const std::vector<DampingKnot>& knots = vibration_->damping;
    for (; damped_ < knots.size() && knots[damped_].sample <= stepped_; ++damped_) {
        motion_.set_damping(knots[damped_].xi);
        kick_ = kick_of(vibration_->bank, knots[damped_].xi);
    }
}

void CoupledSound::step() {
    follow_damping();
    const std::vector<DampingKnot>& knots = vibration_->damping;
    const long until = damped_ < knots.size() ? knots[damped_].sample : stepped_ + step_samples;
    const long count = std::min(step_samples, until - stepped_), first = stepped_ - 1;
    stepped_ += count;
    if (over_) {
        for (Path& path : paths_) {
            path.real.resize(path.real.size() + size_t(count), 0.0f);
            path.imaginary.resize(path.imaginary.size() + size_t(count), 0.0f);
        }
        return;
    }
    Eigen::MatrixXd forces = pulses_.next(count);
    const Eigen::MatrixXd q = moved(forces), x = sounding(q, forces);
    for (Path& path : paths_) project(path, x, first);
    const double energy = motion_.energy();
    most_energy_ = std::max(most_energy_, energy);
    over_ = pulses_.over() && energy <= silence_below * most_energy_;
}

// Where a contact lasts, its force follows what it moves, sample by sample; `forces` are then those that acted.
Eigen::MatrixXd CoupledSound::moved(Eigen::MatrixXd& forces) {
    const long first = stepped_ - forces.cols();
    if (!contacts_.act_in(first, stepped_)) return motion_.advance(forces);
    Eigen::MatrixXd q(forces.rows(), forces.cols());
    Eigen::VectorXd before = last_.col(0), at = last_.col(1), pushed = last_force_;
    for (long k = 0; k < forces.cols(); ++k) {
        contacts_.correct(first + k, before, at, pushed, forces.col(k));
        q.col(k) = motion_.advance(forces.col(k));
        if (k % energy_samples == 0) most_energy_ = std::max(most_energy_, motion_.energy());
        before = at;
        at = q.col(k);
        pushed = forces.col(k);
    }
    return q;
}

// x = q − (what couples the modes)/ω², as their accelerations show it: −(q⁺ − 2q + q⁻ − kick J)/(4 sin²(ωh/2)). Where
// nothing couples it is q. Begins one sample before the motion that is new.
Eigen::MatrixXd CoupledSound::sounding(const Eigen::MatrixXd& q, const Eigen::MatrixXd& forces) {
    const double h = 1 / vibration_->bank.sample_rate_hz;
    const Eigen::ArrayXd pushed = kick_ * h / turn_, held = 1 / turn_;
    Eigen::MatrixXd x(q.rows(), q.cols());
    const auto add = [&](long n, const auto& before, const auto& at, const auto& after, const auto& force) {
        x.col(n) = ((2 * at.array() - after.array() - before.array()) * held + pushed * force.array()).matrix();
    };
    for (long n = 2; n < q.cols(); ++n) add(n, q.col(n - 2), q.col(n - 1), q.col(n), forces.col(n - 1));
    add(0, last_.col(0), last_.col(1), q.col(0), last_force_);
    add(1, last_.col(1), q.col(0), q.col(1), forces.col(0));
    last_ = q.rightCols(2);
    last_force_ = forces.rightCols(1);
    return x;
}

// Linear between the knots, as for modes that ring by themselves.
Eigen::VectorXcd CoupledSound::pressure_at(Path& path, long sample) const {
    const auto at_knot = [&](size_t i) -> Eigen::VectorXcd {
        const Vec3& capsule = path.knots[i].capsule;
        const bool exact = long(i) < exact_knots_;
        Eigen::VectorXcd P = exact ? vibration_->radiation->exact(capsule) : vibration_->radiation->quick(capsule);
        if (vibration_->source.magnitude_only) P = P.cwiseAbs().cast<std::complex<double>>().eval();
        return picked(P, vibration_->kept);
    };
    if (path.known.empty()) path.known = {at_knot(0)};
    while (path.knot + 1 < path.knots.size() && path.knots[path.knot + 1].sample <= sample) {
        ++path.knot;
        path.known = {path.known.size() > 1 ? path.known[1] : at_knot(path.knot)};
    }
    const bool between = path.knot + 1 < path.knots.size() && sample > path.knots[path.knot].sample;
    if (!between) return path.known[0];
    if (path.known.size() < 2) path.known.push_back(at_knot(path.knot + 1));
    const double from = double(path.knots[path.knot].sample), to = double(path.knots[path.knot + 1].sample);
    const double share = (double(sample) - from) / (to - from);
    return (1 - share) * path.known[0] + share * path.known[1];
}

void CoupledSound::project(Path& path, const Eigen::MatrixXd& x, long first) const {
    const long end = first + x.cols();
    for (long from = first; from < end;) {
        const long to = std::min(
            end, (from + piece_samples + (from < 0 ? -(piece_samples - 1) : 0)) / piece_samples * piece_samples);
        const Eigen::VectorXcd begin = pressure_at(path, from),
                               slope = (pressure_at(path, to) - begin) / double(to - from);
        Eigen::MatrixXd weights(4, x.rows());
        weights << begin.real().transpose(), begin.imag().transpose(), slope.real().transpose(),
            slope.imag().transpose();
        const Eigen::MatrixXd sums = weights * x.middleCols(from - first, to - from);
        for (long k = 0; k < sums.cols(); ++k) {
            path.real.push_back(float(sums(0, k) + double(k) * sums(2, k)));
            path.imaginary.push_back(float(sums(1, k) + double(k) * sums(3, k)));
        }
        from = to;
    }
}

}  // namespace clangor
