// A ball that is accelerated along one axis, exactly: docs/theory/acceleration-noise.md, section 5.
#pragma once

#include <clangor/radiation/acceleration/acceleration.hpp>

#include <cmath>
#include <complex>
#include <functional>
#include <vector>

namespace clangor::test {

/// p(r, θ, ω) per unit spectrum of acceleration, over the time of emission t − r/c.
inline std::complex<double> ball_spectrum(double a, double r, double cos_theta, double omega, const Air& air = {}) {
    using namespace std::complex_literals;
    const double c = air.speed_of_sound, l = c / a;
    return air.density * a * c * cos_theta / r * (1i * omega + c / r) / (2 * l * l + 2i * l * omega - omega * omega) *
           std::polar(1.0, omega * a / c);
}

/// f″ + 2l f′ + 2l² f = A(t) from rest, by fine steps of Runge and Kutta; linear between them.
class BallResponse {
public:
    BallResponse(double a, const std::function<double(double)>& A, double start, double end, double step,
                 const Air& air = {})
        : a_(a), air_(air), start_(start), step_(step) {
        const double l = air.speed_of_sound / a;
        using State = Eigen::Vector2d;
        const auto slope = [&](double t, const State& s) {
            return State(s[1], A(t) - 2 * l * s[1] - 2 * l * l * s[0]);
        };
        State s = State::Zero();
        for (double t = start; t < end + 2 * step; t += step) {
            states_.push_back(s);
            const State k1 = slope(t, s), k2 = slope(t + step / 2, s + step / 2 * k1),
                        k3 = slope(t + step / 2, s + step / 2 * k2), k4 = slope(t + step, s + step * k3);
            s += step / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
    }
    /// p = (ρ0 a c cosθ/r)[f′(t′) + (c/r) f(t′)], t′ = t − (r−a)/c
    double pressure(double r, double cos_theta, double t) const {
        const double c = air_.speed_of_sound, at = (t - (r - a_) / c - start_) / step_;
        if (at <= 0) return 0;
        if (at + 1 >= states_.size()) return 0;
        const Eigen::Vector2d s = states_[at] + (at - std::floor(at)) * (states_[at + 1] - states_[at]);
        return air_.density * a_ * c * cos_theta / r * (s[1] + c / r * s[0]);
    }

private:
    double a_;
    Air air_;
    double start_, step_;
    std::vector<Eigen::Vector2d> states_;
};

/// Under the baking pulse, until it has decayed to 1e-7.
inline BallResponse pulse_response(double a, double h, const Air& air = {}) {
    return BallResponse(
        a, [h](double t) { return mitchell_pulse(t, h); }, -2 * h, 2 * h + 16 * a / air.speed_of_sound, h / 200, air);
}

/// ‖x − y‖/‖y‖
template <class X, class Y>
double relative_difference(const X& x, const Y& y) {
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
        difference += square(static_cast<double>(x[i]) - static_cast<double>(y[i]));
        norm += square(static_cast<double>(y[i]));
    }
    return std::sqrt(difference / norm);
}

}  // namespace clangor::test
