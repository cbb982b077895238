// Spheres in air: their meshes, the pulse that drives them, and the exact sound of it.
#pragma once

#include "../../icosphere.hpp"

#include <clangor/radiation/wave/wave.hpp>

#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace clangor::test {

/// A cubic of Mitchell and Netravali's family: height 7/9, area h, zero outside ±2h.
inline double mitchell_pulse(double t, double h) {
    const double u = std::abs(t) / h, v = 2 - u;
    if (u <= 1) return 5.0 / 6 * u * u * u - 1.5 * u * u + 7.0 / 9;
    return u >= 2 ? 0 : (5 * v * v * v - 3 * v * v) / 18;
}

/// f″ + 2l f′ + 2l² f = A(t) from rest at `start`, l = c/a, in small steps of Runge and Kutta; f and f′ at later times.
class SphereResponse {
public:
    SphereResponse(double radius, double c, const std::function<double(double)>& A, double start, double end, double h)
        : start_(start), step_(h / 400) {
        const double l = c / radius;
        using State = Eigen::Vector2d;
        auto slope = [&](double t, const State& s) { return State(s[1], A(t) - 2 * l * s[1] - 2 * l * l * s[0]); };
        State s = State::Zero();
        for (double t = start; t < end + 2 * step_; t += step_) {
            states_.push_back(s);
            const State k1 = slope(t, s), k2 = slope(t + step_ / 2, s + step_ / 2 * k1),
                        k3 = slope(t + step_ / 2, s + step_ / 2 * k2), k4 = slope(t + step_, s + step_ * k3);
            s += step_ / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
    }
    Eigen::Vector2d operator()(double t) const {
        if (t <= start_) return Eigen::Vector2d::Zero();
        const double at = (t - start_) / step_;
        return states_.at(at) + (at - std::floor(at)) * (states_.at(at + 1) - states_.at(at));
    }

private:
    double start_, step_;
    std::vector<Eigen::Vector2d> states_;
};

}  // namespace clangor::test
