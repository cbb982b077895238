// What modes are bent by while forces press on them.
#include "pulse_moments.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// The pulse from sample `first` on, times the sample interval: means over one interval about each sample, which add up
// to 1.
struct SampledPulse {
    long first = 0;
    std::vector<double> means;
};
SampledPulse sampled(const ModalImpulse& strike, double rate) {
    const double start = strike.start * rate, length = strike.duration * rate;
    SampledPulse pulse{long(std::floor(start + 0.5)), {}};
    if (!(length > 0)) return {pulse.first, {1}};
    double before = 0;
    for (long k = pulse.first; double(k) - 0.5 < start + length; ++k) {
        const double until = oscillator::pulse_until(strike.shape, (double(k) + 0.5 - start) / length);
        pulse.means.push_back(until - before);
        before = until;
    }
    return pulse;
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
    const Eigen::ArrayXd flexibility = bank.omega.array().square().inverse();
    const double end = double(first) + double(out.size());
    for (const ModalImpulse& strike : impulses) {
        if (strike.start * rate > end + 1 || (strike.start + strike.duration) * rate < double(first) - 1) continue;
        const Between at = between(weights, long(std::floor(strike.start * rate)));
        // q = Im ζ is in Re(wζ) with the weight −Im w.
        const auto under = [&](size_t knot) {
            return -(weights[knot].weights.imag().array() * strike.impulse.array() * flexibility).sum();
        };
        const double per_second = (1 - at.x) * under(at.from) + (at.x > 0 ? at.x * under(at.to) : 0);
        const SampledPulse pulse = sampled(strike, rate);
        for (size_t i = 0; i < pulse.means.size(); ++i)
            if (const long k = pulse.first - first + long(i); k >= 0 && k < long(out.size()))
                out[k] += float(per_second * rate * pulse.means[i]);
    }
}

}  // namespace clangor
