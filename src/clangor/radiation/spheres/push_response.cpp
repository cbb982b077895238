#include <clangor/radiation/spheres/push_response.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::spheres {
namespace {

// Of a pulse. Between its values the acceleration is taken as a straight line: an error of (π/N)²/12 of the peak.
constexpr long steps_per_pulse = 8192;

// Free motion: f = e^{−lt}(A cos lt + B sin lt).
Answer free_motion(const Answer& from, double l, double t) {
    const double decay = std::exp(-l * t), cosine = decay * std::cos(l * t), sine = decay * std::sin(l * t);
    const double A = from.f, B = from.slope / l + from.f;
    return {A * cosine + B * sine, l * ((B - A) * cosine - (A + B) * sine)};
}

// With A(t) = a0 + a1 t the particular solution is b0 + b1 t.
Answer forced_motion(const Answer& from, double l, double step, double a0, double a1) {
    const double b1 = a1 / (2 * l * l), b0 = (a0 - 2 * l * b1) / (2 * l * l);
    const Answer rest = free_motion({from.f - b0, from.slope - b1}, l, step);
    return {rest.f + b0 + b1 * step, rest.slope + b1};
}

// docs/theory/grain-sound.md, Eq. 6, for A = sin bt from 0 on
Answer sine_from_rest(double t, double b, double l) {
    if (t <= 0) return {};
    const double sine = std::sin(b * t), cosine = std::cos(b * t);
    const double decay = std::exp(-l * t), ds = decay * std::sin(l * t), dc = decay * std::cos(l * t);
    const double bb = b * b, ll = l * l, determinant = bb * bb + 4 * ll * ll;
    const double gamma = (2 * ll - bb) * sine - 2 * l * b * cosine + 2 * l * b * dc + bb * b / l * ds;
    const double slope =
        b * (2 * ll - bb) * cosine + 2 * l * bb * sine + (bb * b - 2 * ll * b) * dc - (bb * b + 2 * ll * b) * ds;
    return {gamma / determinant, slope / determinant};
}

}  // namespace

PushResponse::PushResponse(PulseShape shape, double duration, double l) : shape_(shape), duration_(duration), l_(l) {
    CLANGOR_ASSERT(duration > 0 && l > 0, "a pulse and a ball");
    if (shape == PulseShape::HalfSine) return;
    step_ = duration / steps_per_pulse;
    states_.reserve(steps_per_pulse + 1);
    states_.push_back({});
    double before = 0;
    for (long k = 1; k <= steps_per_pulse; ++k) {
        const double after = acceleration(static_cast<double>(k) * step_);
        states_.push_back(forced_motion(states_.back(), l, step_, before, (after - before) / step_));
        before = after;
    }
}

double PushResponse::acceleration(double t) const { return unit_pulse(shape_, t / duration_) / duration_; }

Answer PushResponse::operator()(double t) const {
    if (t <= 0) return {};
    return shape_ == PulseShape::HalfSine ? half_sine(t) : stepped(t);
}

// The half-sine is a sine from 0 on and another from its end on.
Answer PushResponse::half_sine(double t) const {
    const double b = pi / duration_, amplitude = b / 2;
    const Answer begun = sine_from_rest(t, b, l_), ended = sine_from_rest(t - duration_, b, l_);
    return {amplitude * (begun.f + ended.f), amplitude * (begun.slope + ended.slope)};
}

Answer PushResponse::stepped(double t) const {
    const long k = std::min(static_cast<long>(t / step_), steps_per_pulse);
    const double past = t - static_cast<double>(k) * step_;
    if (k == steps_per_pulse) return free_motion(states_.back(), l_, past);
    const double before = acceleration(t - past), slope = (acceleration(t - past + step_) - before) / step_;
    return forced_motion(states_[static_cast<std::size_t>(k)], l_, past, before, slope);
}

}  // namespace clangor::spheres
