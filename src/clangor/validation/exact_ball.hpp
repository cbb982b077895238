// The sound of a rigid ball that is accelerated along x, exactly. Internal to validation.
#pragma once

#include <clangor/core/core.hpp>

#include <functional>
#include <vector>

namespace clangor::validation {

struct Span {
    double start = 0, end = 0;  ///< the ball is at rest before the start [s]
    double step = 0;            ///< of the integration [s]
};

/// p = (ρ0 a c cosθ/r)[f′(t′) + (c/r) f(t′)],  t′ = t − (r − a)/c,  f″ + 2l f′ + 2l² f = A(t),  l = c/a
/// (docs/theory/acceleration-noise.md, Eq. 9). f by Runge and Kutta's fourth order, straight from step to step.
class ExactBall {
public:
    ExactBall(double radius, const Air& air, const std::function<double(double)>& acceleration, const Span& span);

    /// At a point of the frame whose origin is the ball's centre [Pa].
    double pressure(const Vec3& point, double time) const;

private:
    double radius_;
    Air air_;
    Span span_;
    std::vector<Eigen::Vector2d> states_;  ///< f, f′
};

}  // namespace clangor::validation
