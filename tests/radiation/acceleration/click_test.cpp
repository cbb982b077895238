#include "exact_ball.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

namespace click_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

using Complex = std::complex<double>;
constexpr double c = 343.2;

Complex spectrum_of(const std::vector<float>& x, double rate, double hz) {
    Complex sum = 0;
    for (std::size_t k = 0; k < x.size(); ++k)
        sum += static_cast<double>(x[k]) * std::polar(1 / rate, -2 * pi * hz * static_cast<double>(k) / rate);
    return sum;
}

// ∫ of the unit pulse times e^{−iωt}, from its start at t = 0; trapezoidal with flattened ends
Complex pulse_integral(PulseShape shape, double duration, double omega) {
    if (duration == 0) return 1;
    Complex sum = 0;
    constexpr int steps = 4000;
    for (int i = 1; i < steps; ++i) {
        const double u = static_cast<double>(i) / steps, x = u * u * (3 - 2 * u);
        sum += unit_pulse(shape, x) * 6 * u * (1 - u) / steps * std::polar(1.0, -omega * duration * x);
    }
    return sum;
}

}  // namespace

TEST_CASE("a click has the exact spectrum inside the band, whatever the length, shape and phase of its pulse") {
    const double a = 0.0075, rate = 48000;
    const PreparedNoise noise = prepare(sphere_noise(a, 7.34e-6, Air{}), rate);
    const Vec3 listener(0.3, 0.1, -0.2);
    const double r = listener.norm(), cos_theta = listener.x() / r;
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine}) {
        for (const double duration : {0.0, 3e-6, 4e-5, 3e-4, 2.6e-3, 6e-3}) {
            const Click click{.time = 0.0100037 + 1e-6 * duration,
                              .duration = duration,
                              .shape = shape,
                              .velocity_change = {2, 0, 0},
                              .listener = listener};
            std::vector<float> emitted(2048);
            add_click(emitted, noise, click);
            double loudest = 0;
            for (double hz = 50; hz < 0.42 * rate; hz += 470)
                loudest = std::max(loudest, std::abs(ball_spectrum(a, r, cos_theta, 2 * pi * hz) *
                                                     pulse_integral(shape, duration, 2 * pi * hz)));
            for (double hz = 50; hz < 0.42 * rate; hz += 470) {
                const double omega = 2 * pi * hz;
                const Complex expected = 2.0 * ball_spectrum(a, r, cos_theta, omega) *
                                         pulse_integral(shape, duration, omega) * std::polar(1.0, -omega * click.time);
                INFO("duration " << duration << " hz " << hz);
                // of the loudest frequency: the low-pass filter's ripple of −81 dB, doubled by Δv. A pulse of more than
                // 128 samples is sampled itself, and the kinks of a half-sine fold down at 1e-3.
                const double tolerance = duration * rate > 128 && shape == PulseShape::HalfSine ? 2e-3 : 5e-4;
                CHECK(std::abs(spectrum_of(emitted, rate, hz) - expected) / loudest < tolerance);
            }
        }
    }
}

TEST_CASE("low frequencies: a click is the dipole (ρ0 a³ cosθ/2)(iω/cr + 1/r²) Δv") {
    const double a = 0.001, rate = 48000, r = 0.15;
    const PreparedNoise noise = prepare(sphere_noise(a, 2e-6, Air{}), rate);
    std::vector<float> emitted(1024);
    add_click(emitted, noise, {.time = 0.01, .velocity_change = {0, 1, 0}, .listener = {0, r, 0}});
    for (const double hz : {200.0, 1000.0, 4000.0}) {
        const double omega = 2 * pi * hz;
        const Complex expected = 1.2041 * cube(a) / 2 * Complex(1 / square(r), omega / (c * r));
        CHECK(std::abs(spectrum_of(emitted, rate, hz)) == Approx(std::abs(expected)).epsilon(5e-3));  // ka ≤ 0.07
    }
}

TEST_CASE("nothing folds down: pulses far shorter than a sample sound alike at all rates") {
    // The ball's spectrum rises up to 50 kHz; at 8 kHz all of that must have gone.
    const AccelerationNoise ball = sphere_noise(0.001, 2e-6, Air{});
    const Click click{.time = 0.05, .duration = 6e-6, .velocity_change = {1, 0, 0}, .listener = {0.2, 0, 0}};
    std::vector<float> low(1024), high(1024 * 12);
    add_click(low, prepare(ball, 8000), click);
    add_click(high, prepare(ball, 96000), click);
    for (double hz = 100; hz < 3300; hz += 200) {
        const Complex expected = spectrum_of(high, 96000, hz);
        CHECK(std::abs(spectrum_of(low, 8000, hz) - expected) < 2e-3 * std::abs(expected));
    }
}

TEST_CASE("two steel balls collide: 192 kHz waveforms of both together") {
    // Half-sine pulses, ball centres at ±a, the listener 0.4 m from the contact point; closed form, no mutual
    // scattering, every fourth sample from the 200th on (time 0: contact). Those are point samples; a click of this
    // model ends at 0.59/h = 33 kHz, and what the tabulated pulses hold above, where their kinks are, is 0.14 % of
    // them.
    struct Case {
        double theta_deg;
        std::vector<double> total;
    };
    const std::vector<Case> cases = {
        {0, {0,          0.215992,   2.05426,    4.06682,     4.73681,     3.45389,      0.510864,     -3.5661,
             -6.47251,   -7.38765,   -6.11383,   -3.06529,    0.590705,    2.45631,      2.86148,      2.4988,
             1.84386,    1.17775,    0.63531,    0.256262,    0.027721,    -0.0855296,   -0.122433,    -0.116152,
             -0.090702,  -0.0611294, -0.0353357, -0.0163191,  -0.00418306, 0.00235562,   0.00498623,   0.00526277,
             0.00437451, 0.00310836, 0.00190893, 0.000973194, 0.000343074, -2.07918e-05, -0.000188532, -0.000231218}},
        {45, {0,          0,          0.304102,   1.66147,     2.90487,      3.12078,      1.45443,      -2.10584,
              -4.8503,    -5.20732,   -3.59798,   -0.871171,   0.994433,     1.6826,       1.68172,      1.35575,
              0.939421,   0.561031,   0.273802,   0.0852095,   -0.0203122,   -0.0661923,   -0.0750364,   -0.0646854,
              -0.0472769, -0.029907,  -0.0159179, -0.00623273, -0.000454225, 0.00236149,   0.00323351,   0.0030192,
              0.00233356, 0.00155815, 0.00089048, 0.000402917, 9.4761e-05,   -6.90505e-05, -0.000133012, -0.000137456}},
        {90,
         {0,
          0,
          0,
          0,
          -0.0528163,
          -0.240921,
          -0.400095,
          -0.414062,
          -0.251097,
          0.0421971,
          0.251717,
          0.301894,
          0.267138,
          0.199017,
          0.128333,
          0.070123,
          0.0290696,
          0.00406269,
          -0.00852849,
          -0.0128212,
          -0.0123657,
          -0.00975679,
          -0.00663647,
          -0.00387878,
          -0.00182612,
          -0.000503637,
          0.000218147,
          0.00051664,
          0.000557532,
          0.000468905,
          0.000336295,
          0.000208593,
          0.00010793,
          3.95179e-05,
          -4.26694e-07,
          -1.92002e-05,
          -2.43455e-05,
          -2.20614e-05,
          -1.67124e-05,
          -1.09521e-05}},
    };
    const double a = 0.01905, tau = 1.171739013705418e-4, rate = 192000;
    const MassProperties body{.volume = 4 * pi / 3 * cube(a)};
    const Material steel{.name = "", .density = 7850, .young = 200e9, .poisson = 0.29};
    const PreparedNoise noise = prepare(sphere_noise(a, pulse_scale(body, steel), Air{}), rate);
    for (const Case& at : cases) {
        const double theta = at.theta_deg * pi / 180;
        const Vec3 listener = 0.4 * Vec3(std::cos(theta), std::sin(theta), 0);
        std::vector<float> heard(512);
        for (const double side : {1.0, -1.0}) {  // each over its own time of emission: its delay is put into its time
            const Vec3 arm = listener - Vec3(side * a, 0, 0);
            add_click(heard, noise,
                      {.time = arm.norm() / c,
                       .duration = tau,
                       .shape = PulseShape::HalfSine,
                       .velocity_change = {side, 0, 0},
                       .listener = arm});
        }
        std::vector<double> picked;
        for (std::size_t k = 0; k < at.total.size(); ++k) picked.push_back(static_cast<double>(heard[200 + 4 * k]));
        CHECK(relative_difference(picked, at.total) < 0.003);
    }
}

TEST_CASE("clicks add up, alone or together, at whole samples' shift the same bits") {
    const PreparedNoise noise = prepare(sphere_noise(0.02, 2e-5, Air{}), 48000);
    const Click first{.time = 0.01, .duration = 1e-4, .velocity_change = {1, 2, 0}, .listener = {0.5, 0.1, 0}};
    Click second = first;
    second.time = 0.0103;
    second.duration = 3e-4;
    std::vector<float> one(2048), two(2048), both(2048), again(2048);
    add_click(one, noise, first);
    add_click(two, noise, second);
    add_click(both, noise, first);
    add_click(both, noise, second);
    add_click(again, noise, first);
    for (std::size_t k = 0; k < one.size(); ++k) {
        CHECK(both[k] == one[k] + two[k]);
        CHECK(again[k] == one[k]);
    }
    // Part of the output is the same part of the whole.
    std::vector<float> part(300);
    add_click(part, noise, first);
    for (std::size_t k = 0; k < part.size(); ++k) CHECK(part[k] == one[k]);
    std::vector<float> early(4096);
    Click before = first;
    before.time = -0.004;
    add_click(early, noise, before);
    for (const float p : early) CHECK(std::isfinite(p));
    before.time = 1e6;
    add_click(early, noise, before);
}

TEST_CASE("pressures stay finite up to the centre, and the near field is told") {
    const AccelerationNoise ball = sphere_noise(0.02, 2e-5, Air{});
    const PreparedNoise noise = prepare(ball, 48000);
    const auto peak = [&](double r) {
        std::vector<float> emitted(1024);
        add_click(emitted, noise,
                  {.time = 0.01, .duration = 1e-4, .velocity_change = {0, 0, 1}, .listener = {0, 0, r}});
        double largest = 0;
        for (const float p : emitted) largest = std::max(largest, std::abs(static_cast<double>(p)));
        return largest;
    };
    CHECK(in_near_field(ball, {0, 0, 0.019}));
    CHECK(!in_near_field(ball, {0, 0, 0.021}));
    CHECK(std::isfinite(peak(0)));
    CHECK(peak(0.001) == Approx(peak(0.02)));
    CHECK(peak(0.02) > peak(0.04));
    CHECK_THROWS_WITH_AS(prepare(ball, 0), doctest::Contains("sample rate must be positive"), Error);
}

TEST_CASE("a silent model makes no click") {
    const PreparedNoise noise = prepare(
        AccelerationNoise{.reference_radius = 0.1, .pulse_scale = 1e-5, .sample_step = 5e-6, .fields = {}}, 48000);
    std::vector<float> emitted(64);
    add_click(emitted, noise, {.velocity_change = {1, 1, 1}, .listener = {1, 0, 0}});
    for (const float p : emitted) CHECK(p == 0);
}

}  // namespace click_test
