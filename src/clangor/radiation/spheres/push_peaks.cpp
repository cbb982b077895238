// How loud a push can get, from a table.
#include <clangor/radiation/spheres/push_response.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// Peaks at T = 2^(k/8) for T from 2^−6 to 2^10; below, a step of velocity, above, the quasi-static limits.
class PeakTable {
public:
    explicit PeakTable(PulseShape shape) {
        for (int k = 0; k < entries; ++k)
            peaks_[static_cast<std::size_t>(k)] = searched(shape, std::exp2(first + k * step));
    }
    static const PeakTable& of(PulseShape shape) {
        static const PeakTable hertz(PulseShape::Hertz), half_sine(PulseShape::HalfSine);
        return shape == PulseShape::Hertz ? hertz : half_sine;
    }

    // Between two entries, straight lines over the logarithm of T; the peaks fall with T.
    PushPeaks operator()(double T) const {
        if (T <= std::exp2(first)) return {1, near_of_a_step};
        const double at = (std::log2(T) - first) / step;
        const auto k = static_cast<std::size_t>(std::min(at, double(entries - 2)));
        const double between = at - static_cast<double>(k);
        if (between > 1) {
            const double beyond = std::exp2((between - 1) * step);  // f′ falls as 1/T², f as 1/T
            return {peaks_[k + 1].far / square(beyond), peaks_[k + 1].near / beyond};
        }
        return {peaks_[k].far + between * (peaks_[k + 1].far - peaks_[k].far),
                peaks_[k].near + between * (peaks_[k + 1].near - peaks_[k].near)};
    }

private:
    // l = 1: the response to a pulse of length T, at a thousand points of the pulse and of the ringing that follows.
    static PushPeaks searched(PulseShape shape, double T) {
        const spheres::PushResponse response(shape, T, 1);
        PushPeaks peaks;
        const auto look = [&](double t) {
            const spheres::Answer answer = response(t);
            peaks.far = std::max(peaks.far, std::abs(answer.slope));
            peaks.near = std::max(peaks.near, std::abs(answer.f));
        };
        for (int k = 0; k <= 1000; ++k) {
            look(T * k / 1000);
            look(T + 0.003 * k);
        }
        return peaks;
    }

    static constexpr double first = -6, step = 0.125;
    static constexpr int entries = 129;
    static constexpr double near_of_a_step = 0.32239694;  // max e^{−t} sin t = e^{−π/4}/√2
    std::array<PushPeaks, entries> peaks_;
};

}  // namespace

PushPeaks push_peaks(PulseShape shape, double l_tau) { return PeakTable::of(shape)(l_tau); }

double loudest_pressure(const SphereCollision& collision, const Vec3& listener, const Air& air, PulseShape shape) {
    const PeakTable& table = PeakTable::of(shape);
    double sum = 0;
    for (std::size_t i = 0; i < 2; ++i) {
        const auto [a, r, push] = spheres::heard_ball(collision, i, listener);
        if (!(a > 0)) continue;
        const PushPeaks peaks = table(air.speed_of_sound / a * collision.duration);
        sum += air.density * a * air.speed_of_sound / r * std::abs(push) * (peaks.far + a / r * peaks.near);
    }
    return sum;
}

}  // namespace clangor
