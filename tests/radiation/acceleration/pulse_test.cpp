#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/acceleration/pulse_spectrum.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace pulse_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

// Smooth integrands that vanish at both ends: the trapezoidal rule.
double integral(double from, double to, long steps, const auto& f) {
    double sum = 0;
    for (long i = 0; i <= steps; ++i)
        sum += f(from + (to - from) * static_cast<double>(i) / static_cast<double>(steps)) *
               (i == 0 || i == steps ? 0.5 : 1);
    return sum * (to - from) / static_cast<double>(steps);
}

double train_at(const PulseTrain& train, double t, double h) {
    double sum = 0;
    for (std::size_t k = 0; k < train.amplitudes.size(); ++k)
        sum += train.amplitudes[k] * mitchell_pulse(t - static_cast<double>(train.first + static_cast<long>(k)) * h, h);
    return sum;
}

}  // namespace

TEST_CASE("the baking pulse is the Mitchell–Netravali cubic with B = 2/3, C = 1/6") {
    // [(12−9B−6C)u³ + (−18+12B+6C)u² + (6−2B)]/6 inside 1, [(−B−6C)u³ + (6B+30C)u² + (−12B−48C)u + (8B+24C)]/6 outside
    const double B = 2.0 / 3, C = 1.0 / 6, h = 3e-6;
    for (double u = 0; u <= 2; u += 0.125) {
        const double expected =
            u <= 1
                ? ((12 - 9 * B - 6 * C) * cube(u) + (-18 + 12 * B + 6 * C) * square(u) + 6 - 2 * B) / 6
                : ((-B - 6 * C) * cube(u) + (6 * B + 30 * C) * square(u) + (-12 * B - 48 * C) * u + 8 * B + 24 * C) / 6;
        CHECK(mitchell_pulse(u * h, h) == Approx(expected).scale(1).epsilon(1e-12));
        CHECK(mitchell_pulse(-u * h, h) == mitchell_pulse(u * h, h));
    }
    CHECK(mitchell_pulse(2.001 * h, h) == 0);
}

TEST_CASE("the baking pulse adds up to 1, and to straight lines; area h, second moment 2h³/9") {
    const double h = 2.5;
    for (double t = 0; t < h; t += 0.3) {
        double sum = 0, line = 0;
        for (int k = -4; k <= 4; ++k) sum += mitchell_pulse(t - k * h, h), line += k * h * mitchell_pulse(t - k * h, h);
        CHECK(sum == Approx(1).epsilon(1e-13));
        CHECK(line == Approx(t).epsilon(1e-12));
    }
    CHECK(integral(-2 * h, 2 * h, 4000, [&](double t) { return mitchell_pulse(t, h); }) == Approx(h).epsilon(1e-6));
    CHECK(integral(-2 * h, 2 * h, 4000, [&](double t) { return t * t * mitchell_pulse(t, h); }) ==
          Approx(2 * cube(h) / 9).epsilon(1e-5));
}

TEST_CASE("the spectrum of the baking pulse is its Fourier integral") {
    for (const double f : {0.0, 1e-5, 0.05, 0.1, 0.2, 0.25, 0.5, 0.7, 0.95}) {
        const double expected =
            integral(-2, 2, 8000, [&](double t) { return mitchell_pulse(t, 1) * std::cos(2 * pi * f * t); });
        CHECK(mitchell_spectrum(f) == Approx(expected).epsilon(1e-6));
    }
    CHECK(mitchell_spectrum(0.1) == Approx(0.9567843495).epsilon(1e-9));
    CHECK(mitchell_spectrum(0.5) == Approx(0.2737595268).epsilon(1e-9));
    CHECK(std::abs(mitchell_spectrum(1)) < 1e-15);
}

TEST_CASE("a 7.5 mm ball of the published constants has the published time scale") {
    // h = τ/5 = 7.33978 µs by Hertz's formula with V = 5 m/s and a rigid plane; a ball of triangles has 0.5 % less
    // volume, which makes the 7.3264 µs that were printed
    const double volume = 4 * pi / 3 * cube(0.0075);
    const Material copper{.name = "", .density = 8940, .young = 123.4e9, .poisson = 0.34};
    CHECK(pulse_scale({.volume = volume}, copper) == Approx(7.33978e-6).epsilon(7e-4));  // 2.8683 instead of 2.87
    CHECK(pulse_scale({.volume = volume * 0.9945}, copper) == Approx(7.3264e-6).epsilon(7e-4));
    CHECK_THROWS_WITH_AS(pulse_scale({.volume = 0}, copper), doctest::Contains("give the pulse scale"), Error);
}

TEST_CASE("a contact pulse made of baking pulses carries exactly its impulse, at any phase and length") {
    const double h = 20e-6;
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine}) {
        for (const double duration : {0.0, 1e-6, 5 * h, 7.3 * h, 40 * h}) {
            for (double start = -1.9 * h; start < 3 * h; start += 0.37 * h) {
                const PulseTrain train = pulse_train(shape, start, duration, h);
                double impulse = 0, moment = 0;
                for (std::size_t k = 0; k < train.amplitudes.size(); ++k) {
                    impulse += h * train.amplitudes[k];
                    moment += h * train.amplitudes[k] * static_cast<double>(train.first + static_cast<long>(k)) * h;
                }
                CHECK(impulse == Approx(1).epsilon(1e-11));
                // cell averages know the middle of a pulse to a fraction of their width
                CHECK(std::abs(moment - start - duration / 2) < 0.5 * h);
            }
        }
    }
}

TEST_CASE("a contact pulse five times as long as the time scale is met to 5 % by baking pulses") {
    const double h = 1, duration = 5;  // 3–6 % is what a smooth pulse of 5h loses in ψ's own width
    for (const double start : {0.0, 0.3, 0.5}) {
        const PulseTrain train = pulse_train(PulseShape::Hertz, start, duration, h);
        double difference = 0, norm = 0;
        for (double t = -3; t < 10; t += 0.01) {
            const double exact = unit_pulse(PulseShape::Hertz, (t - start) / duration) / duration;
            difference += square(train_at(train, t, h) - exact);
            norm += square(exact);
        }
        CHECK(std::sqrt(difference / norm) < 0.05);
    }
}

TEST_CASE("contact pulses have the spectra that integration finds") {
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine}) {
        const acceleration::PulseTable& table = acceleration::PulseTable::of(shape);
        for (const double nu : {0.0, 0.3, 3.0, 3.1415926535, 9.0, 40.0, 200.0, 400.0}) {
            // x = u²(3−2u) flattens the ends, so that the trapezoidal rule converges fast
            const double expected = integral(0, 1, 20000, [&](double u) {
                const double x = u * u * (3 - 2 * u);
                return unit_pulse(shape, x) * std::cos(nu * (x - 0.5)) * 6 * u * (1 - u);
            });
            CHECK(acceleration::centred_pulse_spectrum(shape, nu) == Approx(expected).epsilon(1e-7));
            CHECK(std::abs(static_cast<double>(table(static_cast<float>(nu))) - expected) < 4e-6);
        }
    }
}

}  // namespace pulse_test
