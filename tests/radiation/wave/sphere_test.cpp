// The sound of rigid and pulsating spheres against closed forms.
#include <radiation/wave/sphere_sound.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

namespace sphere_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double a = 7.5e-3;  // a ball bearing
const Air air;
const double c = air.speed_of_sound;

Points points_at(std::initializer_list<double> radii) {
    const std::array<Vec3, 4> directions = {Vec3(1, 0, 0), Vec3(1, 1, 0), Vec3(1, 1, 1), Vec3(2, -1, 0.5)};
    Points points(static_cast<long>(radii.size() * directions.size()), 3);
    long row = 0;
    for (const double r : radii)
        for (const Vec3& direction : directions) points.row(row++) = a * r * direction.normalized();
    return points;
}

struct Errors {
    double peak = 0;  ///< worst relative error of the largest magnitude
    double l2 = 0;    ///< worst relative error of a waveform
};

// p = (ρ0 a c cosθ/r)(f′ + (c/r) f) at t − (r − a)/c for a sphere that accelerates along x.
Errors translation_errors(double cells_per_radius, double h, const Points& points, double longest_radius) {
    const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
    const double duration = 4 * h + (longest_radius + 4) * a / c;
    const Surface ball = icosphere(a, 5);
    const WaveSolver solver(ball, points, air, {.cell_size = a / cells_per_radius});
    const WaveRecord record = solver.run({{{{rigid_motions(ball, Vec3::Zero())[0], pulse}}}},
                                         {.start_time = -2 * h, .max_duration = duration});
    const SphereResponse response(a, c, pulse, -2 * h, duration, h);
    Errors worst;
    for (int i = 0; i < points.rows(); ++i) {
        const double r = points.row(i).norm(), cos_theta = points(i, 0) / r;
        double error_sq = 0, energy = 0, peak = 0, expected_peak = 0;
        for (long k = 0; k < record.samples(); ++k) {
            const Eigen::Vector2d f = response(record.time(k) - (r - a) / c);
            const double expected = air.density * a * c * cos_theta / r * (f[1] + c / r * f[0]);
            const double p = double(record.pressure[0](k, i));
            error_sq += square(p - expected);
            energy += square(expected);
            peak = std::max(peak, std::abs(p));
            expected_peak = std::max(expected_peak, std::abs(expected));
        }
        worst.peak = std::max(worst.peak, std::abs(peak / expected_peak - 1));
        worst.l2 = std::max(worst.l2, std::sqrt(error_sq / energy));
    }
    return worst;
}

}  // namespace

TEST_CASE("a sphere that accelerates sounds as the exact solution says, with second order") {
    // Bound: twice what second order and 0.25 % at ten cells per radius give; a staircase would show 7.5 %.
    const Points points = points_at({2.0, 3.0});
    const Errors coarse = translation_errors(7, 1.5 * a / c, points, 3);
    const Errors middle = translation_errors(10, 1.5 * a / c, points, 3);
    const Errors fine = translation_errors(14, 1.5 * a / c, points, 3);
    CHECK(middle.peak < 0.005);
    CHECK(middle.l2 < 0.005);
    const double order = std::log(coarse.l2 / fine.l2) / std::log(2.0);
    MESSAGE("L2 errors ", coarse.l2, ", ", middle.l2, ", ", fine.l2, ": order ", order);
    CHECK(order > 1.6);
}

TEST_CASE("the click of a ball bearing: a pulse of a third of a radius' travel time, twenty cells per radius") {
    // 3 cells a standard deviation: dispersion delays the steepest parts. 4 % is asked for, 2 % is what second order
    // leaves at 4 radii.
    const Errors errors = translation_errors(20, 0.34 * a / c, points_at({2.0, 2.5}), 2.5);
    CHECK(errors.l2 < 0.02);
    CHECK(errors.peak < 0.015);
}

TEST_CASE("the sound still fits eight radii away") {
    // 0.4 % of boundary error as above; the way to 8a adds dispersion, which for this long pulse is as small.
    const Errors errors = translation_errors(8, 1.5 * a / c, points_at({8.0}), 8);
    CHECK(errors.peak < 0.01);
    CHECK(errors.l2 < 0.02);
}

TEST_CASE("a sphere that turns about its centre is silent, one that pulsates is a monopole") {
    const double h = 1.5 * a / c;
    const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
    const Surface ball = icosphere(a, 5);
    const Points points = points_at({2.0, 3.0});
    const std::array<Points, 6> rigid = rigid_motions(ball, Vec3::Zero());
    const WaveSolver solver(ball, points, air, {.cell_size = a / 10});
    // α a = 1 m/s², as fast at the equator as the translation.
    const Points turning = rigid[5] / a, breathing = ball.vertices.rowwise().normalized();
    const WaveRecord record = solver.run({{{{rigid[2], pulse}}}, {{{turning, pulse}}}, {{{breathing, pulse}}}},
                                         {.start_time = -2 * h, .max_duration = 4 * h + 6 * a / c});
    const float loudest = record.pressure[0].cwiseAbs().maxCoeff();
    // Only the mesh's corners push: 1e-5 for 20 480 faces. −50 dB is asked for.
    CHECK(record.pressure[1].cwiseAbs().maxCoeff() < 1e-4f * loudest);

    // p = F(t − (r − a)/c)/r with F′ + (c/a) F = ρ0 c a A.
    const double step = h / 400;
    std::vector<double> F = {0};
    for (double t = -2 * h; t < 4 * h + 6 * a / c; t += step) {
        const double decay = std::exp(-c / a * step);
        F.push_back(decay * F.back() + air.density * a * a * (1 - decay) * pulse(t + step / 2));
    }
    for (int i = 0; i < points.rows(); ++i) {
        const double r = points.row(i).norm();
        double error_sq = 0, energy = 0;
        for (long k = 0; k < record.samples(); ++k) {
            const double at = std::max(0.0, (record.time(k) - (r - a) / c + 2 * h) / step);
            const double expected = (F[at] + (at - std::floor(at)) * (F[at + 1] - F[at])) / r;
            error_sq += square(double(record.pressure[2](k, i)) - expected);
            energy += square(expected);
        }
        CHECK(std::sqrt(error_sq / energy) < 0.004);  // three times what second order leaves
    }
}

}  // namespace sphere_test
