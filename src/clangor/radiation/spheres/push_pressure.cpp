// The exact sound of one ball, of two that collide, and how loud it can be.
#include <clangor/radiation/spheres/push_response.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// A contact of no length is a step of velocity: one so short that no one hears the difference.
constexpr double shortest_pulse = 1e-9;

}  // namespace

// p = (ρ0 a c cosθ/r)[f′(t′) + (c/r) f(t′)], t′ = t − (r−a)/c     docs/theory/grain-sound.md, Eq. 3
std::vector<double> push_pressure(const SpherePush& push, const Air& air, double distance, double cos_theta,
                                  const SampleTimes& times) {
    CLANGOR_ASSERT(push.radius > 0 && distance >= push.radius, "a ball, and a listener outside of it");
    const double a = push.radius, c = air.speed_of_sound, r = distance;
    const spheres::PushResponse response(push.shape, std::max(push.duration, shortest_pulse), c / a);
    const double scale = air.density * a * c * cos_theta / r * push.velocity_change;
    std::vector<double> pressure(static_cast<std::size_t>(times.count));
    for (std::size_t k = 0; k < pressure.size(); ++k) {
        const double t = times.start + static_cast<double>(k) * times.step - (r - a) / c;
        const spheres::Answer answer = response(t);
        pressure[k] = scale * (answer.slope + c / r * answer.f);
    }
    return pressure;
}

std::vector<double> collision_pressure(const SphereCollision& collision, const Vec3& listener, const Air& air,
                                       PulseShape shape, const SampleTimes& times) {
    std::vector<double> sum(static_cast<std::size_t>(times.count));
    for (std::size_t i = 0; i < 2; ++i) {
        const spheres::HeardBall ball = spheres::heard_ball(collision, i, listener);
        if (!(ball.radius > 0)) continue;
        const std::vector<double> own =
            push_pressure({ball.radius, ball.push, collision.duration, shape}, air, ball.distance, 1,
                          {times.start - collision.time, times.step, times.count});
        for (std::size_t k = 0; k < sum.size(); ++k) sum[k] += own[k];
    }
    return sum;
}

}  // namespace clangor
