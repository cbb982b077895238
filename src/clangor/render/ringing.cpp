#include <clangor/render/ringing.hpp>

#include <clangor/render/sine_cosine.hpp>

namespace clangor {

Ringing ringing_at(const Ringing& ringing, const ModalMobility& mobility, double time) {
    Ringing out{.time = time, .q = ringing.q, .q_dot = ringing.q_dot, .lag = ringing.lag};
    if (out.q.size() == 0) return out;
    const double passed = time - ringing.time;
    const Eigen::ArrayXd omega = mobility.omega.array();
    Eigen::ArrayXd damped = omega, decay = Eigen::ArrayXd::Ones(omega.size());
    if (mobility.xi.size() > 0) {
        const Eigen::ArrayXd xi = mobility.xi.array().min(1.0);
        damped *= (1 - xi.square()).sqrt();
        if (passed > 0) decay = (-xi * omega * passed).exp();
    }
    const auto [sine, cosine] = sine_cosine(damped * passed);
    out.q = decay * (cosine * ringing.q.array() + sine * ringing.q_dot.array() / omega);
    out.q_dot = decay * (cosine * ringing.q_dot.array() - sine * omega * ringing.q.array());
    return out;
}

}  // namespace clangor
