// The pulse that bodies are baked with, its time scale, and other pulses as sums of it.
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/spherical/spherical.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

// ∫₀ˣ of the unit pulse. It starts as x^p: in y = √x that is smooth enough for 24 nodes to give 1e-12.
double pulse_part(PulseShape shape, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    if (x > 0.5) return 1 - pulse_part(shape, 1 - x);
    static const GaussRule rule = gauss_legendre(24);
    double sum = 0;
    for (int i = 0; i < rule.nodes.size(); ++i) {
        const double y = std::sqrt(x) * (1 + rule.nodes[i]) / 2;
        sum += rule.weights[i] / 2 * unit_pulse(shape, y * y) * 2 * y;
    }
    return sum * std::sqrt(x);
}

}  // namespace

// [Chadwick2012, Eq. 19]. Differs: y = 1 − |t|/h, where the paper prints 1 − |t|.
double mitchell_pulse(double t, double h) {
    const double u = std::abs(t) / h, v = 2 - u;
    if (u <= 1) return 5.0 / 6 * u * u * u - 1.5 * u * u + 7.0 / 9;
    return u >= 2 ? 0 : (5 * v * v * v - 3 * v * v) / 18;
}

// ψ is two thirds a cubic B-spline, sinc⁴, and one third a Catmull–Rom spline, sinc³(3 sinc − 2 cos πf).
double mitchell_spectrum(double frequency_times_h) {
    const double u = pi * frequency_times_h;
    const double sinc = std::abs(u) < 1e-4 ? 1 - u * u / 6 : std::sin(u) / u;
    return cube(sinc) * (5 * sinc - 2 * std::cos(u)) / 3;
}

double pulse_scale(const MassProperties& body, const Material& material) {
    if (!(body.volume > 0))
        throw Error(
            fmt::format("acceleration noise: a surface of volume {:g} m³ has no Hertz time. Close it, turn it "
                        "outside out, or give the pulse scale",
                        body.volume));
    const double r = std::cbrt(3 * body.volume / (4 * pi));  // differs: without π in the paper
    const HertzContact wall{.inverse_mass = 1 / (material.density * body.volume),
                            .curvature = 1 / r,
                            .modulus = material.young / (1 - square(material.poisson))};
    return hertz_time(wall, 5.0) / 5;
}

// Cell averages ā carry the impulse whatever the phase. ψ smooths by h²/9 a″ and the averages by h²/24 a″; taking both
// off again with second differences leaves the sum as it is   docs/theory/acceleration-noise.md, Eq. 3
PulseTrain pulse_train(PulseShape shape, double start, double duration, double h) {
    CLANGOR_ASSERT(duration >= 0 && h > 0, "a pulse has a length");
    const auto part = [&](double cell) {
        const double t = (cell - 0.5) * h - start;
        return duration > 0 ? pulse_part(shape, t / duration) : (t > 0 ? 1.0 : 0.0);
    };
    const long first = std::lround(start / h) - 1, last = std::lround((start + duration) / h) + 1;
    PulseTrain train{.first = first, .amplitudes = {}};
    const auto average = [&](long k) { return (part(static_cast<double>(k + 1)) - part(static_cast<double>(k))) / h; };
    for (long k = first; k <= last; ++k) {
        const double curvature = average(k - 1) - 2 * average(k) + average(k + 1);
        train.amplitudes.push_back(average(k) - (1.0 / 9 + 1.0 / 24) * curvature);
    }
    return train;
}

}  // namespace clangor
