// What modes are bent by while forces press on them.
#include "pulse_moments.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Adds the pulse, times the sample interval and a weight: means over one interval about each sample, which add up to 1.
void add_pulse(const ModalImpulse& strike, double rate, double weight, long first, std::span<float> out) {
    const double start = strike.start * rate, length = strike.duration * rate;
    const auto add = [&](long k, double mean) {
        if (k >= first && k - first < long(out.size())) out[size_t(k - first)] += float(weight * mean);
    };
    const long begin = long(std::floor(start + 0.5));
    if (!(length > 0)) return add(begin, 1);
    double before = 0;
    for (long k = begin; double(k) - 0.5 < start + length; ++k) {
        const double until = oscillator::pulse_until(strike.shape, (double(k) + 0.5 - start) / length);
        add(k, until - before);
        before = until;
    }
}

// The knots around a sample, and how far it lies between them.
struct Between {
    size_t from = 0, to = 0;
    double x = 0;
};
Between between(std::span<const WeightKnot> knots, long sample) {
    const auto after = std::ranges::upper_bound(knots, sample, {}, &WeightKnot::sample);
    if (after == knots.begin()) return {};
    const size_t from = size_t(after - knots.begin()) - 1;
    if (from + 1 == knots.size()) return {from, from, 0};
    return {from, from + 1, double(sample - knots[from].sample) / double(knots[from + 1].sample - knots[from].sample)};
}

}  // namespace

void add_static_deflection(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                           std::span<const WeightKnot> weights, long first, std::span<float> out) {
    CLANGOR_ASSERT(!weights.empty(), "at least one knot of weights");
    const double rate = bank.sample_rate_hz;
    const double end = double(first) + double(out.size());
    for (const ModalImpulse& strike : impulses) {
        if (strike.start * rate > end + 1 || (strike.start + strike.duration) * rate < double(first) - 1) continue;
        const Between at = between(weights, long(std::floor(strike.start * rate)));
        // q = Im ζ is in Re(wζ) with the weight −Im w.
        const auto under = [&](size_t knot) {
            return -(weights[knot].weights.imag().array() * strike.impulse.array() / bank.omega.array().square()).sum();
        };
        const double per_second = (1 - at.x) * under(at.from) + (at.x > 0 ? at.x * under(at.to) : 0);
        add_pulse(strike, rate, per_second * rate, first, out);
    }
}

}  // namespace clangor
