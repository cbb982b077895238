// A ball in closed form.
#include <clangor/radiation/acceleration/acceleration.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

namespace clangor {
namespace {

struct State {
    double f = 0, slope = 0;
};

using Cubic = std::array<double, 4>;  ///< coefficients of 1, x, x², x³

// ψ(t;h) from t on, inside one of its four pieces: its cubic about t, from values at four points of the piece.
Cubic piece_of_pulse(double t, double h) {
    const double piece = std::floor(t / h + 1e-9) * h, x0 = t - piece;
    const double p0 = mitchell_pulse(piece, h), p1 = mitchell_pulse(piece + h / 3, h),
                 p2 = mitchell_pulse(piece + 2 * h / 3, h), p3 = mitchell_pulse(piece + h, h);
    // Newton's divided differences on u = x/(h/3) = 0, 1, 2, 3
    const double d1 = p1 - p0, d2 = (p2 - 2 * p1 + p0) / 2, d3 = (p3 - 3 * p2 + 3 * p1 - p0) / 6, w = h / 3;
    const Cubic about_piece = {p0, (d1 - d2 + 2 * d3) / w, (d2 - 3 * d3) / (w * w), d3 / (w * w * w)};
    const auto [a0, a1, a2, a3] = about_piece;
    return {a0 + x0 * (a1 + x0 * (a2 + x0 * a3)), a1 + x0 * (2 * a2 + 3 * x0 * a3), a2 + 3 * a3 * x0, a3};
}

// f″ + 2l f′ + 2l² f = a polynomial, over one step: a polynomial plus e^{−lx}(A cos lx + B sin lx), exact.
State advanced(const State& state, const Cubic& a, double l, double step) {
    Cubic b{};
    const double s = 2 * l * l;
    b[3] = a[3] / s;
    b[2] = (a[2] - 6 * l * b[3]) / s;
    b[1] = (a[1] - 4 * l * b[2] - 6 * b[3]) / s;
    b[0] = (a[0] - 2 * l * b[1] - 2 * b[2]) / s;
    const double A = state.f - b[0], B = (state.slope - b[1]) / l + A;
    const double decay = std::exp(-l * step), cosine = decay * std::cos(l * step), sine = decay * std::sin(l * step);
    return {b[0] + step * (b[1] + step * (b[2] + step * b[3])) + A * cosine + B * sine,
            b[1] + step * (2 * b[2] + 3 * step * b[3]) + l * ((B - A) * cosine - (A + B) * sine)};
}

}  // namespace

// On the surface p = ρ0 c cosθ (f′ + l f), l = c/a    docs/theory/acceleration-noise.md, Eq. 9
AccelerationNoise sphere_noise(double radius, double h, const Air& air) {
    CLANGOR_ASSERT(radius > 0 && h > 0, "a ball and a pulse");
    constexpr int steps_per_h = 4;  // the ball's own ringing is fast where it is small; three signals cost nothing
    constexpr double silence = 1e-5;
    const double c = air.speed_of_sound, l = c / radius, step = h / steps_per_h;
    std::vector<double> surface;
    State state;
    const long driven = 4 * steps_per_h, total = driven + std::lround(std::ceil(-std::log(silence) / (l * step)));
    for (long k = 0; k <= total; ++k) {
        surface.push_back(state.slope + l * state.f);
        const double t = (static_cast<double>(k) / steps_per_h - 2) * h;
        state = advanced(state, k < driven ? piece_of_pulse(t, h) : Cubic{}, l, step);
    }
    AccelerationNoise noise{
        .radius = radius, .reference_radius = radius, .pulse_scale = h, .sample_step = step, .air = air, .fields = {}};
    const double dipole = std::sqrt(4 * pi / 3);  // cosθ = √(4π/3) Y_1
    const Eigen::VectorXd b = air.density * c * dipole * Eigen::Map<const Eigen::VectorXd>(surface.data(), total + 1);
    constexpr std::array harmonic = {3, 1, 2};  // Y_1m along x, y, z
    for (std::size_t axis = 0; axis < 3; ++axis)
        noise.fields[axis] = {.harmonics = Eigen::VectorXi::Constant(1, harmonic[axis]),
                              .start = -2 * h - radius / c,
                              .pressure = b.cast<float>()};
    return noise;
}

std::optional<double> ball_radius(const Surface& surface, const MassProperties& body, double tolerance) {
    if (!(body.volume > 0) || surface.vertices.rows() == 0) return {};
    const Eigen::VectorXd distances = (surface.vertices.rowwise() - body.centre.transpose()).rowwise().norm();
    const double low = distances.minCoeff(), high = distances.maxCoeff(), mean = (low + high) / 2;
    const double by_volume = std::cbrt(3 * body.volume / (4 * pi));
    const bool round = high - mean <= tolerance * mean, full = std::abs(by_volume / mean - 1) <= tolerance;
    return round && full ? std::optional(by_volume) : std::nullopt;
}

}  // namespace clangor
