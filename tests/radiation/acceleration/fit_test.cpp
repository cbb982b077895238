#include "exact_ball.hpp"

#include <clangor/radiation/acceleration/sphere_fit.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <random>

namespace fit_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

constexpr double c = 343.2;

struct Dipole {
    Vec3 place, moment;
};

// p = d·n [ψ′(t−r/c)/(cr) + ψ(t−r/c)/r²]: the exact field of a point dipole
double dipole_pressure(const std::vector<Dipole>& dipoles, const Vec3& x, double t, double h) {
    double p = 0;
    for (const Dipole& dipole : dipoles) {
        const Vec3 arm = x - dipole.place;
        const double r = arm.norm(), u = t - r / c, e = 1e-4 * h;
        const double slope = (mitchell_pulse(u + e, h) - mitchell_pulse(u - e, h)) / (2 * e);
        p += dipole.moment.dot(arm) / r * (slope / (c * r) + mitchell_pulse(u, h) / (r * r));
    }
    return p;
}

std::vector<Dipole> random_dipoles(double R, int count) {
    std::mt19937 random(1);
    std::normal_distribution<double> normal;
    std::vector<Dipole> dipoles;
    for (int i = 0; i < count; ++i) {
        const Vec3 place = Vec3(normal(random), normal(random), normal(random)).normalized() * R * (i % 2 ? 0.9 : 0.6);
        dipoles.push_back({place, {normal(random), normal(random), normal(random)}});
    }
    return dipoles;
}

WaveRecord recorded(const acceleration::RecordingSpheres& setup, double duration, const auto& pressure) {
    const double h = setup.pulse_scale;
    WaveRecord record{.start_time = -2 * h, .sample_step = h / 4.9, .pressure = {}};
    const auto samples = static_cast<long>(duration / record.sample_step);
    const Points points = shell_points(setup);
    record.pressure.assign(1, Eigen::MatrixXf::Zero(samples, points.rows()));
    for (long i = 0; i < points.rows(); ++i) {
        for (long k = 0; k < samples; ++k)
            record.pressure[0](k, i) = static_cast<float>(pressure(Vec3(points.row(i)), record.time(k)));
    }
    return record;
}

acceleration::SphereFit fit_alone(const acceleration::RecordingSpheres& setup, const WaveRecord& record,
                                  int max_signals) {
    return assembled(setup, {fit_motion(setup, record, 0, max_signals)});
}

}  // namespace

TEST_CASE("exact pressures around a ball give back its signal, and its pressure from the spheres to far away") {
    const double a = 0.0075, h = 7.34e-6;
    const BallResponse exact = pulse_response(a, h);
    const acceleration::RecordingSpheres setup{
        .radius = a, .recording_radii = {1.5 * a, 2 * a}, .degree = 6, .pulse_scale = h};
    const WaveRecord record =
        recorded(setup, 4e-4, [&](const Vec3& x, double t) { return exact.pressure(x.norm(), x.x() / x.norm(), t); });
    const acceleration::SphereFit fit = fit_alone(setup, record, 50);
    REQUIRE(fit.noise.fields[0].harmonics.size() == 1);  // a dipole, and nothing else is kept
    CHECK(fit.noise.fields[0].harmonics[0] == 3);
    CHECK(fit.noise.fields[1].pressure.size() == 0);
    CHECK(fit.noise.sample_step <= h / 2);
    CHECK(fit.residual < 1e-3);
    CHECK(fit.noise.fields[0].start < -a / c - 2 * h + fit.noise.sample_step);
    for (const double r : {1.5 * a, 2 * a, 8 * a, 200 * a}) {
        const double start = (r - a) / c - 3 * h, step = h / 5;
        std::vector<double> expected;
        for (long k = 0; k < 200; ++k) expected.push_back(exact.pressure(r, 1, start + step * static_cast<double>(k)));
        // 0.05 % measured: of the spectrum, what lies above 1/h is faded out
        CHECK(relative_difference(pulse_pressure(fit.noise, 0, {r, 0, 0}, start, step, 200), expected) < 0.002);
    }
}

TEST_CASE("dipoles off the centre, kR = 8: 3 % with all harmonics, and the fewer are kept the more is lost") {
    const double R = 0.05, h = pi * R / (8 * c);
    const std::vector<Dipole> dipoles = random_dipoles(R, 6);
    const Mat3 frame = Eigen::AngleAxisd(0.8, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    const acceleration::RecordingSpheres setup{.centre = {0.1, 0, 0},
                                               .frame = frame,
                                               .radius = R,
                                               .recording_radii = {1.5 * R, 2 * R},
                                               .degree = 13,
                                               .pulse_scale = h};
    const WaveRecord record = recorded(setup, 4 * R / c + 8 * h, [&](const Vec3& x, double t) {
        return dipole_pressure(dipoles, x - setup.centre, t, h);
    });
    const auto error = [&](int max_signals, double r) {
        const acceleration::SphereFit fit = fit_alone(setup, record, max_signals);
        double difference = 0, norm = 0;
        for (const Vec3& d : {Vec3(1, 2, 3), Vec3(-2, 1, 0.5), Vec3(0, 0, 1), Vec3(0.3, -1, -0.7)}) {
            const Vec3 x = setup.centre + r * d.normalized();
            const double start = (r - R) / c - 2 * h, step = h / 5;
            const auto count = static_cast<long>((2 * R / c + 4 * h) / step);
            const std::vector<double> p = pulse_pressure(fit.noise, 0, x, start, step, count);
            for (long k = 0; k < count; ++k) {
                const double expected =
                    dipole_pressure(dipoles, x - setup.centre, start + step * static_cast<double>(k), h);
                difference += square(p[k] - expected);
                norm += square(expected);
            }
        }
        return std::sqrt(difference / norm);
    };
    // 2 % is again what ψ′ holds above 1/h
    CHECK(error(3200, 8 * R) < 0.03);
    CHECK(error(3200, 2 * R) < 0.03);
    CHECK(error(150, 8 * R) < 0.04);  // a 5 × 10 map with three radial terms
    CHECK(error(50, 8 * R) < 0.25);
    CHECK(error(50, 8 * R) > error(100, 8 * R));
}

TEST_CASE("what does not spread as a wave is averaged out and reported") {
    const double a = 0.02, h = 2e-5;
    const BallResponse exact = pulse_response(a, h);
    const acceleration::RecordingSpheres setup{
        .radius = a, .recording_radii = {1.5 * a, 2 * a}, .degree = 6, .pulse_scale = h};
    std::mt19937 random(11);
    std::normal_distribution<double> normal;
    const WaveRecord clean =
        recorded(setup, 8e-4, [&](const Vec3& x, double t) { return exact.pressure(x.norm(), x.x() / x.norm(), t); });
    WaveRecord noisy = clean;
    const auto level =
        static_cast<double>(clean.pressure[0].norm()) / std::sqrt(static_cast<double>(clean.pressure[0].size()));
    for (float& p : noisy.pressure[0].reshaped()) p += static_cast<float>(0.1 * level * normal(random));
    const acceleration::SphereFit fit = fit_alone(setup, noisy, 1), expected = fit_alone(setup, clean, 1);
    CHECK(fit.residual > 0.02);
    const Vec3 x(8 * a, 0, 0);
    // 10 % of noise at each of 98 points on two spheres: 10 %/√98/√2, and less of it inside the band
    CHECK(relative_difference(pulse_pressure(fit.noise, 0, x, 6 * a / c, 1e-6, 600),
                              pulse_pressure(expected.noise, 0, x, 6 * a / c, 1e-6, 600)) < 0.01);
}

}  // namespace fit_test
