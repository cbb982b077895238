// How the air around a ball answers its acceleration.
#pragma once

#include <clangor/radiation/spheres/spheres.hpp>

#include <algorithm>

namespace clangor::spheres {

/// f and f′ of f″ + 2l f′ + 2l² f = A(t), f = f′ = 0 before.
struct Answer {
    double f = 0, slope = 0;
};

/// For a pulse of unit velocity change that begins at time 0.
class PushResponse {
public:
    PushResponse(PulseShape shape, double duration, double l);
    Answer operator()(double t) const;

private:
    Answer half_sine(double t) const;
    Answer stepped(double t) const;
    double acceleration(double t) const;

    PulseShape shape_;
    double duration_, l_;
    double step_ = 0;
    std::vector<Answer> states_;  ///< at whole steps, Hertz's pulse
};

/// A ball of a collision, as a listener has it.
struct HeardBall {
    double radius = 0;    ///< 0: it is none [m]
    double distance = 0;  ///< from its centre, no less than the radius [m]
    double push = 0;      ///< its change of velocity toward the listener [m/s]
};

inline HeardBall heard_ball(const SphereCollision& collision, std::size_t ball, const Vec3& listener) {
    const double a = collision.radii[ball], sign = ball == 0 ? 1 : -1;
    if (!(a > 0)) return {};
    const Vec3 arm = listener - collision.point - sign * a * collision.normal;
    const double r = std::max(arm.norm(), a);
    return {a, r, sign * arm.dot(collision.impulse) / (collision.masses[ball] * r)};
}

}  // namespace clangor::spheres
