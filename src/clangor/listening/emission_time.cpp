#include <clangor/listening/arrival.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

/// f(t_e) = t_e + |listener − source(t_e)|/c − t, which is zero at the time of emission, and f′.
struct Lateness {
    double value = 0;  ///< [s]
    double slope = 0;  ///< 1 − v·r̂/c: positive for sources slower than sound
};

Lateness lateness(double emitted, double time, const Vec3& listener, const MovingPoint& source, double c) {
    const Vec3 arm = listener - source.position;
    const double distance = arm.norm();
    return {(emitted - time) + distance / c, distance > 0 ? 1.0 - source.velocity.dot(arm) / (distance * c) : 1.0};
}

}  // namespace

double emission_time(double time, const Vec3& listener, const std::function<MovingPoint(double)>& source,
                     double speed_of_sound) {
    const auto late = [&](double at) { return lateness(at, time, listener, source(at), speed_of_sound); };
    const Lateness now = late(time);
    if (!(now.value > 0) || !std::isfinite(now.value)) return time;  // at the listener, or nowhere

    // f(time) = r/c ≥ 0; going back by doubled steps finds f ≤ 0 for every source slower than sound.
    double step = now.value, low = time - step;
    while (late(low).value > 0 && step < 1e6) low = time - (step *= 2);
    if (!(late(low).value <= 0)) return time - now.value;  // never emitted: as if the source stood still

    // Newton's method, kept inside [low, high] by bisection.
    const double close_enough = 1e-14 * std::max({std::abs(time), now.value, 1e-3});  // [s]
    double high = time, emitted = time - now.value;
    for (int i = 0; i < 100; ++i) {
        emitted = emitted >= low && emitted <= high ? emitted : 0.5 * (low + high);
        const Lateness f = late(emitted);
        if (std::abs(f.value) <= close_enough || high - low <= close_enough) break;
        (f.value > 0 ? high : low) = emitted;
        emitted -= f.value / f.slope;  // outside, or not a number: the next round bisects
    }
    return std::clamp(emitted, low, high);
}

}  // namespace clangor
