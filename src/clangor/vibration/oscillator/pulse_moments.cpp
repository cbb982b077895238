#include "pulse_moments.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace clangor::oscillator {

namespace {

// 20 nodes would do; these fill whole registers.
struct GaussRule {
    static constexpr int size = 24;
    std::array<double, size> nodes{};  // in (0, 1)
    std::array<double, size> weights{};
};

// Gauss–Legendre nodes: Newton's iteration on P_n from Tricomi's estimate of its roots.
GaussRule gauss_rule() {
    constexpr int n = GaussRule::size;
    GaussRule rule;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(pi * (i + 0.75) / (n + 0.5));
        double slope = 0;
        for (int iteration = 0; iteration < 8; ++iteration) {
            double before = 1, value = x;
            for (int k = 2; k <= n; ++k)
                before = std::exchange(value, ((2 * k - 1) * x * value - (k - 1) * before) / k);
            slope = n * (x * value - before) / (x * x - 1);
            x -= value / slope;
        }
        rule.nodes[i] = (1 + x) / 2;
        rule.weights[i] = 1 / ((1 - x * x) * slope * slope);
    }
    return rule;
}

const GaussRule rule = gauss_rule();

// unit_pulse(y²)·2y for 0 ≤ y ≤ √½, between its values and slopes at 4096 places: cubic, so that its error is below
// 10⁻¹² of the peak. The power and the sine that it stands for took a fifth of the time of a scene with many contacts.
class HalfPulse {
public:
    explicit HalfPulse(PulseShape shape) {
        for (size_t i = 0; i <= size; ++i) {
            const double y = double(i) * step, x = y * y, p = pulse_exponent(shape);
            const double pulse = i == 0 ? 0 : unit_pulse(shape, x);
            // d/dx sin^p(πx) = p π cot(πx) sin^p(πx)
            const double slope = i == 0 ? 0 : p * pi / std::tan(pi * x) * pulse;
            values_[i] = {2 * y * pulse, (2 * pulse + 4 * x * slope) * step};
        }
        for (size_t i = 0; i < size; ++i) until_[i + 1] = until_[i] + within(i, 1);
    }
    double operator()(double y) const noexcept {
        const double at = y * (1 / step);
        const size_t i = std::min(size_t(at), size - 1);
        const double x = at - double(i), u = 1 - x;
        const Place &a = values_[i], &b = values_[i + 1];
        return u * u * ((1 + 2 * x) * a.value + x * a.slope) + x * x * ((1 + 2 * u) * b.value - u * b.slope);
    }
    // Its integral from 0 to y: that of the pulse up to y², as a part of a half.
    double until(double y) const noexcept {
        const double at = y * (1 / step);
        const size_t i = std::min(size_t(at), size - 1);
        return 0.5 * (until_[i] + within(i, at - double(i))) / until_[size];
    }

private:
    // The integral over the first part, x, of a step.
    double within(size_t i, double x) const noexcept {
        const Place &a = values_[i], &b = values_[i + 1];
        const double x2 = x * x, x3 = x2 * x, x4 = x2 * x2;
        return step * ((x - x3 + x4 / 2) * a.value + (x2 / 2 - 2 * x3 / 3 + x4 / 4) * a.slope +
                       (x3 - x4 / 2) * b.value + (x4 / 4 - x3 / 3) * b.slope);
    }

    static constexpr size_t size = 4096;
    static constexpr double step = 0.70710678118654752 / double(size);
    struct Place {
        double value, slope;
    };
    std::array<Place, size + 1> values_;
    std::array<double, size + 1> until_{};
};

// Made at the first call, since other files' constants are needed; prepare_pulses makes it before the audio thread
// asks.
const HalfPulse& half_pulse(PulseShape shape) noexcept {
    static const HalfPulse hertz(PulseShape::Hertz), half_sine(PulseShape::HalfSine);
    return shape == PulseShape::Hertz ? hertz : half_sine;
}

struct LegendreFactors {
    Moments a{}, b{};
    constexpr LegendreFactors() {
        for (size_t n = 2; n < a.size(); ++n) {
            a[n] = double(2 * n - 1) / double(n);
            b[n] = double(n - 1) / double(n);
        }
    }
};
constexpr LegendreFactors legendre_factors;

// Nodes side by side. Sums are always taken over eight lanes and in this order, so that every machine gets the same
// bits.
typedef double Eight __attribute__((vector_size(64)));
constexpr size_t groups = GaussRule::size / 8;

// Adds the part of the pulse between x0 and x1, measured in pulse lengths from its nearer end, where it behaves as x^p.
// In y = √x it behaves as y^{2p+1} dy, smooth enough for a Gauss rule (docs/theory/oscillator.md, section 4).
void add_half(Moments& mu, PulseShape shape, double x0, double x1, double end, double signed_duration) noexcept {
    if (!(x0 < x1)) return;
    const double y0 = std::sqrt(x0);
    const double width = (x1 - x0) / (std::sqrt(x1) + y0);
    const HalfPulse& pulse = half_pulse(shape);
    alignas(64) std::array<double, GaussRule::size> places, masses;
    for (size_t i = 0; i < rule.nodes.size(); ++i) {
        const double y = y0 + width * rule.nodes[i];
        masses[i] = pulse(y) * width * rule.weights[i];
        places[i] = 2 * (end + signed_duration * y * y) - 1;
    }
    std::array<Eight, groups> x, mass, before, value;
    std::memcpy(&x, places.data(), sizeof x);
    std::memcpy(&mass, masses.data(), sizeof mass);
    for (size_t g = 0; g < groups; ++g) before[g] = mass[g], value[g] = mass[g] * x[g];
    const auto add = [&mu](size_t n, const std::array<Eight, groups>& parts) {
        const Eight sum = parts[0] + parts[1] + parts[2];
        mu[n] += ((sum[0] + sum[4]) + (sum[2] + sum[6])) + ((sum[1] + sum[5]) + (sum[3] + sum[7]));
    };
    add(0, before);
    add(1, value);
    for (size_t n = 2; n < mu.size(); ++n) {  // the recurrence of legendre_polynomials, times the masses
        for (size_t g = 0; g < groups; ++g) {
            const Eight next = legendre_factors.a[n] * x[g] * value[g] - legendre_factors.b[n] * before[g];
            before[g] = value[g];
            value[g] = next;
        }
        add(n, value);
    }
}

}  // namespace

// n P_n(x) = (2n−1) x P_{n−1}(x) − (n−1) P_{n−2}(x), with the two factors divided by n beforehand: fifteen divisions,
// each waiting for the last, took most of the time of a contact.
Moments legendre_polynomials(double x) noexcept {
    Moments P{1, x};
    for (size_t n = 2; n < P.size(); ++n)
        P[n] = legendre_factors.a[n] * x * P[n - 1] - legendre_factors.b[n] * P[n - 2];
    return P;
}

double pulse_until(PulseShape shape, double x) noexcept {
    const HalfPulse& pulse = half_pulse(shape);
    if (!(x > 0)) return 0;
    if (!(x < 1)) return 1;
    return x < 0.5 ? pulse.until(std::sqrt(x)) : 1 - pulse.until(std::sqrt(1 - x));
}

void prepare_pulses() { half_pulse(PulseShape::Hertz); }

Moments pulse_moments(PulseShape shape, double start, double duration) noexcept {
    const double end = start + duration;
    // So short that the pulse has no length in units of its start time: what is left is an impulse.
    if (!(start < end)) return 0 <= start && start < 1 ? legendre_polynomials(2 * start - 1) : Moments{};
    const double x0 = std::max(0.0, -start / duration);
    const double x1 = std::min(1.0, (1 - start) / duration);
    Moments mu{};
    add_half(mu, shape, x0, std::min(x1, 0.5), start, duration);
    add_half(mu, shape, std::max(0.0, (end - 1) / duration), std::min(0.5, end / duration), end, -duration);
    return mu;
}

}  // namespace clangor::oscillator
