#include <clangor/validation/exact_ball.hpp>

namespace clangor::validation {

ExactBall::ExactBall(double radius, const Air& air, const std::function<double(double)>& acceleration, const Span& span)
    : radius_(radius), air_(air), span_(span) {
    using State = Eigen::Vector2d;
    const double l = air.speed_of_sound / radius, h = span.step;
    const auto slope = [&](double t, const State& s) {
        return State(s[1], acceleration(t) - 2 * l * s[1] - 2 * square(l) * s[0]);
    };
    State s = State::Zero();
    const long count = long(std::ceil((span.end - span.start) / h)) + 2;
    for (long k = 0; k < count; ++k) {
        states_.push_back(s);
        const double t = span.start + h * double(k);
        const State k1 = slope(t, s), k2 = slope(t + h / 2, s + h / 2 * k1), k3 = slope(t + h / 2, s + h / 2 * k2),
                    k4 = slope(t + h, s + h * k3);
        s += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
    }
}

double ExactBall::pressure(const Vec3& point, double time) const {
    const double c = air_.speed_of_sound, r = point.norm();
    const double at = (time - (r - radius_) / c - span_.start) / span_.step;
    if (at <= 0) return 0;
    const Eigen::Vector2d &before = states_.at(size_t(at)), &after = states_.at(size_t(at) + 1);
    const Eigen::Vector2d f = before + (at - std::floor(at)) * (after - before);
    return air_.density * radius_ * c * point.x() / square(r) * (f[1] + c / r * f[0]);
}

}  // namespace clangor::validation
