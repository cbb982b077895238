// The public ways to make modes ring: whole signals, and block by block.
#include "damped_banks.hpp"
#include "ringing.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace clangor {

namespace {

using oscillator::Pulse;
using oscillator::Ringing;
constexpr int block_samples = Resonators::block_samples;

// −240 dB of what struck a mode: far below what a float can add up. In double, as far below 1e-11.
constexpr double quiet_float = 1e-12;
constexpr double quiet_double = 1e-20;

// A pulse on the clock of samples. A start that rounds to a sample is meant to be on it. Any other keeps the digits
// that the product start·rate would lose to its whole part: at 10 s these are five more of where between samples it
// lies.
Pulse pulse_of(double start, double duration, PulseShape shape, double rate) noexcept {
    const double whole = std::floor(start * rate);
    const double offset = start * rate == whole ? 0 : std::fma(start, rate, -whole);
    return {.first = long(whole), .offset = offset, .duration = duration * rate, .shape = shape};
}

long block_of(long sample) { return (sample >= 0 ? sample : sample - block_samples + 1) / block_samples; }

// The impulses that matter, in order of time; of those at the same time, the first one first.
std::vector<std::pair<Pulse, const ModalImpulse*>> on_the_clock(const OscillatorBank& bank,
                                                                std::span<const ModalImpulse> impulses, long samples) {
    std::vector<std::pair<Pulse, const ModalImpulse*>> timed;
    for (const ModalImpulse& strike : impulses) {
        CLANGOR_ASSERT(std::abs(strike.start) < 1e9 && strike.duration >= 0 && strike.duration < 1e9,
                       "times are finite, and contacts do not end before they start");
        CLANGOR_ASSERT(strike.impulse.size() == bank.omega.size(), "one modal impulse per mode");
        const Pulse pulse = pulse_of(strike.start, strike.duration, strike.shape, bank.sample_rate_hz);
        if (pulse.first < samples) timed.emplace_back(pulse, &strike);
    }
    std::stable_sort(timed.begin(), timed.end(),
                     [](const auto& a, const auto& b) { return a.second->start < b.second->start; });
    return timed;
}

// The largest number of pulses that one block meets.
int most_at_once(const std::vector<std::pair<Pulse, const ModalImpulse*>>& timed) {
    std::vector<std::pair<long, int>> changes;
    for (const auto& [pulse, strike] : timed) {
        const long end = pulse.first + long(std::ceil(pulse.offset + pulse.duration));
        changes.emplace_back(block_of(pulse.first), +1);
        changes.emplace_back(block_of(end) + 1, -1);
    }
    std::sort(changes.begin(), changes.end());  // at the same block, those that end come first
    int now = 0, most = 0;
    for (const auto& [block, change] : changes) most = std::max(most, now += change);
    return most;
}

// Where a signal of modes that change stands.
struct Course {
    OscillatorBank bank;
    std::span<const WeightKnot> weights;
    std::shared_ptr<const DampedBanks> banks;
    size_t weight_index = 0;   // of the last knot at or before now
    size_t damping_index = 0;  // of the next one that is due
    Eigen::VectorXcd lambda;
    bool new_weights = true;  // since the last block
};

Eigen::VectorXcd weights_at(const Course& course, long sample) {
    const WeightKnot& from = course.weights[course.weight_index];
    if (course.weight_index + 1 == course.weights.size() || sample <= from.sample) return from.weights;
    const WeightKnot& to = course.weights[course.weight_index + 1];
    const double x = double(sample - from.sample) / double(to.sample - from.sample);
    return (1 - x) * from.weights + x * to.weights;
}

// Makes the bank and the weights of the block that begins at `now` ready. How many samples may be rendered before
// asking again.
long prepare(Ringing& ringing, Course& course, long now, long end) {
    bool changed = std::exchange(course.new_weights, false);
    const std::span<const DampingKnot> damping = course.banks->impl().damping;
    while (course.damping_index < damping.size() && damping[course.damping_index].sample <= now) {
        oscillator::change_bank(ringing, *oscillator::rows_from(*course.banks, course.damping_index++));
        changed = true;
    }
    if (course.damping_index < damping.size()) end = std::min(end, damping[course.damping_index].sample);
    while (course.weight_index + 1 < course.weights.size() && course.weights[course.weight_index + 1].sample <= now) {
        ++course.weight_index;
        changed = true;
    }
    const bool last = course.weight_index + 1 == course.weights.size();
    const bool before_first = now < course.weights[course.weight_index].sample;
    if (last || before_first) {
        if (changed || !ringing.next.empty()) oscillator::hold_weights(ringing, weights_at(course, now));
        if (before_first) end = std::min(end, course.weights[course.weight_index].sample);
        return end - now;
    }
    oscillator::move_weights(ringing, weights_at(course, now), weights_at(course, now + block_samples));
    return std::min<long>(end - now, block_samples);
}

// Rings from `now` to `end`, the first samples of blocks, with no new strike in between. `out` begins at `origin`.
template <class Real>
void ring_until(Ringing& ringing, Course& course, long now, long end, std::span<Real> out, long origin) {
    std::array<Real, oscillator::stretch_samples> unheard{};
    while (now < end) {
        long size = std::min<long>(end - now, oscillator::samples_at_once(ringing));
        if (now >= 0) {
            size = std::min(size, prepare(ringing, course, now, end));
            oscillator::render(ringing, out.subspan(size_t(now - origin), size_t(size)));
        } else if (ringing.pulses.empty()) {  // nothing is under way: straight to what is heard, or to the next strike
            size = std::min(0L, end) - now;
            oscillator::decay_unheard(ringing, course.lambda, double(size) / course.bank.sample_rate_hz);
        } else {
            size = std::min(size, -now);
            oscillator::render(ringing, std::span<Real>(unheard).first(size_t(size)));
        }
        now += size;
    }
}

// A signal under way.
struct Signal {
    Course course;
    std::vector<std::pair<Pulse, const ModalImpulse*>> timed;
    Ringing ringing;
    size_t next_impulse = 0;
    long now = 0;
    long samples = 0;
};

Signal signal_of(std::shared_ptr<const DampedBanks> banks, std::span<const ModalImpulse> impulses, long samples,
                 double quiet) {
    const OscillatorBank& bank = banks->impl().bank;
    CLANGOR_ASSERT(samples >= 0, "a length is not negative");
    Signal signal{.course = {bank, {}, banks, 0, 0, poles(bank)},
                  .timed = on_the_clock(bank, impulses, samples),
                  .ringing = {},
                  .samples = samples};
    // The weights follow before the first block.
    signal.ringing =
        oscillator::at_rest(bank, Eigen::VectorXcd::Zero(bank.omega.size()), most_at_once(signal.timed), quiet);
    if (!signal.timed.empty()) signal.now = std::min(0L, block_of(signal.timed.front().first.first) * block_samples);
    return signal;
}

template <class Real>
void ring_on(Signal& signal, std::span<const WeightKnot> weights, std::span<Real> out) {
    CLANGOR_ASSERT(!weights.empty(), "at least one knot of weights");
    const long origin = std::max(0L, signal.now), end = origin + long(out.size());
    CLANGOR_ASSERT(end <= signal.samples && (end % block_samples == 0 || end == signal.samples),
                   "pieces are whole blocks");
    signal.course.weights = weights;
    signal.course.weight_index = 0;
    signal.course.new_weights = true;
    while (signal.now < end) {
        const bool more = signal.next_impulse < signal.timed.size();
        const long begin =
            more ? block_of(signal.timed[signal.next_impulse].first.first) * block_samples : signal.samples;
        const long until = std::min(begin, end);
        ring_until<Real>(signal.ringing, signal.course, signal.now, until, out, origin);
        signal.now = std::max(signal.now, until);
        if (!more || begin >= end) continue;
        const auto& [pulse, strike] = signal.timed[signal.next_impulse++];
        Pulse due = pulse;
        due.first -= signal.now;
        oscillator::strike(signal.ringing, due, {strike->impulse.data(), size_t(strike->impulse.size())});
    }
}

template <class Real>
std::vector<Real> ring_in(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                          std::span<const WeightKnot> weights, std::span<const DampingKnot> damping, long samples,
                          double quiet) {
    Signal signal = signal_of(std::make_shared<const DampedBanks>(bank, damping), impulses, samples, quiet);
    std::vector<Real> out(static_cast<size_t>(samples));
    ring_on<Real>(signal, weights, out);
    return out;
}

}  // namespace

std::vector<float> ring(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                        const Eigen::VectorXcd& weights, long samples) {
    const WeightKnot knot{0, weights};
    return ring_in<float>(bank, impulses, {&knot, 1}, {}, samples, quiet_float);
}

std::vector<float> ring(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                        std::span<const WeightKnot> weights, std::span<const DampingKnot> damping, long samples) {
    return ring_in<float>(bank, impulses, weights, damping, samples, quiet_float);
}

std::vector<double> ring_reference(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                                   const Eigen::VectorXcd& weights, long samples) {
    const WeightKnot knot{0, weights};
    return ring_in<double>(bank, impulses, {&knot, 1}, {}, samples, quiet_double);
}

std::vector<double> ring_reference(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                                   std::span<const WeightKnot> weights, std::span<const DampingKnot> damping,
                                   long samples) {
    return ring_in<double>(bank, impulses, weights, damping, samples, quiet_double);
}

struct RingingSignal::Impl {
    Signal signal;
    Precision precision;
};

RingingSignal::RingingSignal(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                             std::span<const DampingKnot> damping, long samples, Precision precision)
    : RingingSignal(std::make_shared<const DampedBanks>(bank, damping), impulses, samples, precision) {}
RingingSignal::RingingSignal(std::shared_ptr<const DampedBanks> banks, std::span<const ModalImpulse> impulses,
                             long samples, Precision precision)
    : impl_(new Impl{
          signal_of(std::move(banks), impulses, samples, precision == Precision::Float ? quiet_float : quiet_double),
          precision}) {}
RingingSignal::~RingingSignal() = default;
RingingSignal::RingingSignal(RingingSignal&&) noexcept = default;
RingingSignal& RingingSignal::operator=(RingingSignal&&) noexcept = default;

void RingingSignal::next(std::span<const WeightKnot> weights, std::span<float> out) {
    std::fill(out.begin(), out.end(), 0.f);
    if (impl_->precision == Precision::Float) return ring_on<float>(impl_->signal, weights, out);
    std::vector<double> exact(out.size());
    ring_on<double>(impl_->signal, weights, exact);
    std::copy(exact.begin(), exact.end(), out.begin());
}

bool RingingSignal::over() const {
    const Signal& signal = impl_->signal;
    return signal.next_impulse == signal.timed.size() && signal.ringing.loud.empty() && signal.ringing.pulses.empty();
}

struct Resonators::Impl {
    Ringing ringing;
    double sample_rate_hz;
    long modes;
};

Resonators::Resonators(const OscillatorBank& bank, const Eigen::VectorXcd& weights, int max_pulses)
    : impl_(new Impl{oscillator::at_rest(bank, weights, max_pulses, quiet_float), bank.sample_rate_hz,
                     bank.omega.size()}) {}
Resonators::~Resonators() = default;
Resonators::Resonators(Resonators&&) noexcept = default;
Resonators& Resonators::operator=(Resonators&&) noexcept = default;

bool Resonators::strike(double delay, double duration, PulseShape shape, std::span<const double> impulse) noexcept {
    CLANGOR_ASSERT(delay >= 0 && duration >= 0, "a contact lies ahead and does not end before it starts");
    CLANGOR_ASSERT(long(impulse.size()) == impl_->modes, "one modal impulse per mode");
    return oscillator::strike(impl_->ringing, pulse_of(delay, duration, shape, impl_->sample_rate_hz), impulse);
}

void Resonators::render_block(std::span<float> out) noexcept {
    while (!out.empty()) {
        const size_t size = std::min(out.size(), size_t(oscillator::samples_at_once(impl_->ringing)));
        oscillator::render(impl_->ringing, out.first(size));
        out = out.subspan(size);
    }
}

bool Resonators::silent() const noexcept { return impl_->ringing.loud.empty() && impl_->ringing.pulses.empty(); }

}  // namespace clangor
