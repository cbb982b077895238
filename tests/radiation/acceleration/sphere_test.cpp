#include "exact_ball.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

namespace sphere_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

constexpr double a = 0.0075, h = 7.33978e-6, c = 343.2, rate = 192000;

double peak_of(const std::vector<double>& x) {
    double peak = 0;
    for (const double value : x) peak = std::max(peak, std::abs(value));
    return peak;
}

}  // namespace

TEST_CASE("the ball in closed form meets tabulated pressures at five radii") {
    // p^(h) at θ = 0 and 192 kHz, from an independent integration in steps of h/400 (2e-7 of the peak)
    const AccelerationNoise noise = sphere_noise(a, h, Air{});
    struct Case {
        double r, peak;
        long first;
        std::vector<double> samples;
    };
    const std::vector<Case> cases = {
        {0.015,
         9.2334966e-4,
         3,
         {5.39932057e-05, 0.000501068093, 0.000918780781, 0.000716490854, 0.000388892059, 0.000153164279}},
        {0.030, 4.3211135e-4, 12, {0.000134702537, 0.000394908676, 0.000380712008, 0.00019722427, 5.82467052e-05}},
    };
    for (const Case& at : cases) {
        const std::vector<double> p = pulse_pressure(noise, 2, {0, 0, at.r}, static_cast<double>(at.first) / rate,
                                                     1 / rate, static_cast<long>(at.samples.size()));
        for (std::size_t k = 0; k < p.size(); ++k)
            CHECK(p[k] == Approx(at.samples[k]).scale(at.peak).epsilon(2e-4));  // samples h/4 apart hold all but that
    }
    for (const auto& [r, peak] : {std::pair{0.015, 9.2334966e-4},
                                  {0.017838, 7.6034073e-4},
                                  {0.030, 4.3211135e-4},
                                  {0.060, 2.0895078e-4},
                                  {1.0, 1.2146667e-5}})
        CHECK(peak_of(pulse_pressure(noise, 0, {r, 0, 0}, r / c - 6e-5, 2e-7, 1000)) == Approx(peak).epsilon(2e-3));
}

TEST_CASE("the ball in closed form is the solution of its equation at all distances and angles") {
    const AccelerationNoise noise = sphere_noise(a, h, Air{});
    const BallResponse exact = pulse_response(a, h);
    for (const double r : {a, 2 * a, 8 * a, 1000 * a}) {
        for (const Vec3& direction : {Vec3(1, 0, 0), Vec3(0.5, 0.4, -0.3)}) {
            const Vec3 x = r * direction.normalized();
            const double start = (r - a) / c - 2.5 * h, step = 1e-6;
            std::vector<double> expected;
            for (long k = 0; k < 250; ++k)
                expected.push_back(exact.pressure(r, x.x() / r, start + step * static_cast<double>(k)));
            CHECK(relative_difference(pulse_pressure(noise, 0, x, start, step, 250), expected) < 2e-4);
        }
    }
}

TEST_CASE("a turning ball is silent, and so is the equator of one that is pushed") {
    const AccelerationNoise noise = sphere_noise(a, h, Air{});
    for (int motion = 3; motion < 6; ++motion) {
        CHECK(noise.fields[motion].pressure.size() == 0);
        CHECK(peak_of(pulse_pressure(noise, motion, {0.1, 0.05, 0}, 0, 1e-6, 1000)) == 0);
    }
    CHECK(peak_of(pulse_pressure(noise, 0, {0, 0.1, 0.1}, 3e-4, 1e-6, 300)) < 1e-15);
}

TEST_CASE("a body scaled in size sounds slower and louder: p(sx, st) = s p(x, t)") {
    const double s = 3.7;
    const AccelerationNoise small = sphere_noise(a, h, Air{}), large = sphere_noise(s * a, s * h, Air{});
    const AccelerationNoise grown = scaled(small, s);
    const Vec3 x(0.1, 0.2, 0.05);
    const double start = (x.norm() - s * a) / c - 2 * s * h;
    CHECK(relative_difference(pulse_pressure(grown, 1, x, start, 2e-6, 400),
                              pulse_pressure(large, 1, x, start, 2e-6, 400)) < 1e-6);
    // Turning moves a larger body's surface faster. No ball shows that, so a made-up field does.
    AccelerationNoise turning = small;
    turning.fields[4] = small.fields[1];
    CHECK(scaled(turning, s).fields[4].pressure(10, 0) ==
          Approx(s * s * static_cast<double>(small.fields[1].pressure(10, 0))).epsilon(1e-6));
    CHECK(scaled(turning, s).radius == Approx(s * a));
}

TEST_CASE("balls are known by their meshes, and nothing else is") {
    const auto radius = [](const Shape& shape) {
        const Surface surface = surface_of(shape);
        return ball_radius(surface, mass_properties(surface));
    };
    REQUIRE(radius(Sphere{.radius = 0.02}).has_value());
    CHECK(*radius(Sphere{.radius = 0.02}) == Approx(0.02).epsilon(0.01));
    CHECK(!radius(Box{}).has_value());  // its corners lie on a sphere
    CHECK(!radius(Bowl{}).has_value());
    CHECK(!radius(Cylinder{.radius = 0.02, .height = 0.04}).has_value());
    Surface egg = surface_of(Sphere{.radius = 0.02});
    egg.vertices.col(1) *= 1.05;
    CHECK(!ball_radius(egg, mass_properties(egg)).has_value());
}

TEST_CASE("a model is small: three signals for a ball") {
    const AccelerationNoise noise = sphere_noise(a, h, Air{});
    CHECK(noise.degree() == 1);
    CHECK(noise.bytes() < 3 * 4 * 200);
    CHECK(AccelerationNoise{}.degree() == -1);
}

}  // namespace sphere_test
