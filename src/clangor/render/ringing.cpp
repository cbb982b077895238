#include <clangor/render/ringing.hpp>

#include <cmath>

namespace clangor {

Ringing ringing_at(const Ringing& ringing, const ModalMobility& mobility, double time) {
    Ringing out{.time = time, .q = ringing.q, .q_dot = ringing.q_dot};
    const double passed = time - ringing.time;
    for (long k = 0; k < out.q.size(); ++k) {
        const double omega = mobility.omega[k], xi = mobility.xi.size() > 0 ? std::min(mobility.xi[k], 1.0) : 0;
        const double decay = passed > 0 ? std::exp(-xi * omega * passed) : 1;
        const double angle = omega * std::sqrt(1 - xi * xi) * passed;
        const double cosine = decay * std::cos(angle), sine = decay * std::sin(angle);
        out.q[k] = cosine * ringing.q[k] + sine * ringing.q_dot[k] / omega;
        out.q_dot[k] = cosine * ringing.q_dot[k] - sine * omega * ringing.q[k];
    }
    return out;
}

}  // namespace clangor
