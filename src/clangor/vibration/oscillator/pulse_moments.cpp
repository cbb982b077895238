#include "pulse_moments.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace clangor::oscillator {

namespace {

struct GaussRule {
    static constexpr int size = 20;
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
    }
    double operator()(double y) const noexcept {
        const double at = y * (1 / step);
        const size_t i = std::min(size_t(at), size - 1);
        const double x = at - double(i), u = 1 - x;
        const Place &a = values_[i], &b = values_[i + 1];
        return u * u * ((1 + 2 * x) * a.value + x * a.slope) + x * x * ((1 + 2 * u) * b.value - u * b.slope);
    }

private:
    static constexpr size_t size = 4096;
    static constexpr double step = 0.70710678118654752 / double(size);
    struct Place {
        double value, slope;
    };
    std::array<Place, size + 1> values_;
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

// Adds the part of the pulse between x0 and x1, measured in pulse lengths from its nearer end, where it behaves as x^p.
// In y = √x it behaves as y^{2p+1} dy, smooth enough for a Gauss rule (docs/theory/oscillator.md, section 4).
void add_half(Moments& mu, PulseShape shape, double x0, double x1, double end, double signed_duration) noexcept {
    if (!(x0 < x1)) return;
    const double y0 = std::sqrt(x0);
    const double width = (x1 - x0) / (std::sqrt(x1) + y0);
    const HalfPulse& pulse = half_pulse(shape);
    for (size_t i = 0; i < rule.nodes.size(); ++i) {
        const double y = y0 + width * rule.nodes[i];
        const double mass = pulse(y) * width * rule.weights[i];
        const Moments P = legendre_polynomials(2 * (end + signed_duration * y * y) - 1);
        for (size_t n = 0; n < mu.size(); ++n) mu[n] += mass * P[n];
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
