// The public ways to make modes ring: whole signals, and block by block.
#include "ringing.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace clangor {

namespace {

using detail::Pulse;
using detail::Ringing;
constexpr int block_samples = Resonators::block_samples;

// −240 dB of what struck a mode: far below what a float can add up. In double, as far below 1e-11.
constexpr double quiet_float = 1e-12;
constexpr double quiet_double = 1e-20;

// A pulse on the clock of samples. A start that rounds to a sample is meant to be on it. Any other keeps the digits that
// the product start·rate would lose to its whole part: at 10 s these are five more of where between samples it lies.
Pulse pulse_of(double start, double duration, PulseShape shape, double rate) noexcept {
    const double whole = std::floor(start * rate);
    const double offset = start * rate == whole ? 0 : std::fma(start, rate, -whole);
    return {.first = long(whole), .offset = offset, .duration = duration * rate, .shape = shape};
}

long block_of(long sample) { return (sample >= 0 ? sample : sample - block_samples + 1) / block_samples; }

// The strikes that matter, in order of time; of those at the same time, the first one first.
std::vector<std::pair<Pulse, const Strike*>> on_the_clock(const OscillatorBank& bank, std::span<const Strike> strikes,
                                                          long samples) {
    std::vector<std::pair<Pulse, const Strike*>> timed;
    for (const Strike& strike : strikes) {
        CLANGOR_ASSERT(std::abs(strike.start) < 1e9 && strike.duration >= 0 && strike.duration < 1e9,
                       "times are finite, and contacts do not end before they start");
        CLANGOR_ASSERT(strike.modal_impulse.size() == bank.omega.size(), "one modal impulse a mode");
        const Pulse pulse = pulse_of(strike.start, strike.duration, strike.shape, bank.sample_rate_hz);
        if (pulse.first < samples) timed.emplace_back(pulse, &strike);
    }
    std::stable_sort(timed.begin(), timed.end(),
                     [](const auto& a, const auto& b) { return a.second->start < b.second->start; });
    return timed;
}

// The largest number of pulses that one block meets.
int most_at_once(const std::vector<std::pair<Pulse, const Strike*>>& timed) {
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

// Rings from `now` to `end`, the first samples of blocks, with no new strike in between.
template <class Real>
void ring_until(Ringing& ringing, long now, long end, std::span<Real> out, const Eigen::VectorXcd& lambda,
                double rate) {
    std::array<Real, detail::stretch_samples> unheard{};
    while (now < end) {
        long size = std::min<long>(end - now, detail::samples_at_once(ringing));
        if (now >= 0) {
            size = std::min<long>(size, long(out.size()) - now);
            detail::render(ringing, out.subspan(size_t(now), size_t(size)));
        } else if (ringing.pulses.empty()) {  // nothing is under way: straight to what is heard, or to the next strike
            size = std::min(0L, end) - now;
            detail::decay_unheard(ringing, lambda, double(size) / rate);
        } else {
            size = std::min(size, -now);
            detail::render(ringing, std::span<Real>(unheard).first(size_t(size)));
        }
        now += size;
    }
}

template <class Real>
std::vector<Real> ring_in(const OscillatorBank& bank, std::span<const Strike> strikes, const Eigen::VectorXcd& weights,
                          long samples, double quiet) {
    CLANGOR_ASSERT(samples >= 0, "a length is not negative");
    const auto timed = on_the_clock(bank, strikes, samples);
    Ringing ringing = detail::at_rest(bank, weights, most_at_once(timed), quiet);
    const Eigen::VectorXcd lambda = poles(bank);
    std::vector<Real> out(static_cast<size_t>(samples));
    long now = 0;
    for (const auto& [pulse, strike] : timed) {
        const long begin = block_of(pulse.first) * block_samples;
        if (&pulse == &timed.front().first) now = std::min(now, begin);
        ring_until<Real>(ringing, now, begin, out, lambda, bank.sample_rate_hz);
        now = begin;
        Pulse due = pulse;
        due.first -= now;
        detail::strike(ringing, due, {strike->modal_impulse.data(), size_t(strike->modal_impulse.size())});
    }
    ring_until<Real>(ringing, now, samples, out, lambda, bank.sample_rate_hz);
    return out;
}

}  // namespace

std::vector<float> ring(const OscillatorBank& bank, std::span<const Strike> strikes, const Eigen::VectorXcd& weights,
                        long samples) {
    return ring_in<float>(bank, strikes, weights, samples, quiet_float);
}

std::vector<double> ring_reference(const OscillatorBank& bank, std::span<const Strike> strikes,
                                   const Eigen::VectorXcd& weights, long samples) {
    return ring_in<double>(bank, strikes, weights, samples, quiet_double);
}

struct Resonators::Impl {
    Ringing ringing;
    double sample_rate_hz;
    long modes;
};

Resonators::Resonators(const OscillatorBank& bank, const Eigen::VectorXcd& weights, int max_pulses)
    : impl_(new Impl{detail::at_rest(bank, weights, max_pulses, quiet_float), bank.sample_rate_hz, bank.omega.size()}) {
}
Resonators::~Resonators() = default;
Resonators::Resonators(Resonators&&) noexcept = default;
Resonators& Resonators::operator=(Resonators&&) noexcept = default;

bool Resonators::strike(double delay, double duration, PulseShape shape,
                        std::span<const double> modal_impulse) noexcept {
    CLANGOR_ASSERT(delay >= 0 && duration >= 0, "a contact lies ahead and does not end before it starts");
    CLANGOR_ASSERT(long(modal_impulse.size()) == impl_->modes, "one modal impulse a mode");
    return detail::strike(impl_->ringing, pulse_of(delay, duration, shape, impl_->sample_rate_hz), modal_impulse);
}

void Resonators::render_block(std::span<float> out) noexcept {
    while (!out.empty()) {
        const size_t size = std::min(out.size(), size_t(detail::samples_at_once(impl_->ringing)));
        detail::render(impl_->ringing, out.first(size));
        out = out.subspan(size);
    }
}

bool Resonators::silent() const noexcept { return impl_->ringing.loud.empty() && impl_->ringing.pulses.empty(); }

}  // namespace clangor
