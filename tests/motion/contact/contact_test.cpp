#include <approx.hpp>

#include <clangor/motion/contact/contact.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace contact_test {

using namespace clangor;

TEST_CASE("a contact pulse carries exactly its impulse") {
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine}) {
        // The trapezoid rule; its error is of order n^-(p+1), as the pulse starts like x^p, and falls to 1e-10 for p =
        // 1.
        const int n = 200000;
        double impulse = 0;
        for (int i = 1; i < n; ++i) impulse += unit_pulse(shape, double(i) / n) / n;
        CHECK(std::abs(impulse - 1) < 1e-10);
    }
}

TEST_CASE("the area under sin^p is the Beta function's value") {
    // B((p+1)/2, 1/2)/π at p = 1.5886, computed in high precision.
    CHECK(std::abs(pulse_area(PulseShape::Hertz) - 0.5450593639434828) < 1e-14);
    CHECK(std::abs(pulse_area(PulseShape::HalfSine) - 2 / pi) < 1e-15);
}

TEST_CASE("the peak force is that of Hertz within 0.3 %, and π/2 for the half-sine") {
    // Elastic impact of spheres: F_max τ/J = (5/4)∫₀¹ dx/√(1 − x^{5/2}) = (1/2) B(2/5, 1/2).
    const double hertz = 0.5 * std::tgamma(0.4) * std::tgamma(0.5) / std::tgamma(0.9);
    CHECK(std::abs(hertz - 1.8395469902) < 1e-9);
    const double peak = unit_pulse(PulseShape::Hertz, 0.5);
    CHECK(std::abs(peak / hertz - 1) < 0.003);
    CHECK(std::abs(unit_pulse(PulseShape::HalfSine, 0.5) - pi / 2) < 1e-15);
}

TEST_CASE("a contact pulse pushes only while it lasts, and rises as it falls") {
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine}) {
        for (const double x : {-1.0, -1e-9, 0.0, 1.0, 1 + 1e-9, 7.0, std::nan("")}) CHECK(unit_pulse(shape, x) == 0);
        for (const double x : {0.0625, 0.25, 0.4375}) CHECK(unit_pulse(shape, x) == unit_pulse(shape, 1 - x));
        CHECK(unit_pulse(shape, 1e-6) > 0);
    }
}

TEST_CASE("a Hertz pulse starts as x^p") {
    // sin^p(πx) = (πx)^p (1 − O(x²)), so that doubling x multiplies the force by 2^p.
    const double ratio = unit_pulse(PulseShape::Hertz, 2e-6) / unit_pulse(PulseShape::Hertz, 1e-6);
    CHECK(std::abs(std::log2(ratio) - 1.5886) < 1e-9);
}

TEST_CASE("the spectrum of a pulse is its Fourier transform") {
    for (const PulseShape shape : {PulseShape::Hertz, PulseShape::HalfSine})
        for (const double cycles : {0.0, 0.3, 1.0, 1.7, 3.4, 8.2}) {
            const int n = 200000;
            double re = 0, im = 0;
            for (int i = 1; i < n; ++i) {
                const double x = double(i) / n;
                re += unit_pulse(shape, x) * std::cos(2 * pi * cycles * x) / n;
                im += unit_pulse(shape, x) * std::sin(2 * pi * cycles * x) / n;
            }
            CHECK(std::abs(std::abs(pulse_spectrum(shape, cycles)) - std::hypot(re, im)) < 1e-9);
        }
}

TEST_CASE("the table of Hertz's spectrum is within 2e-8 of the closed form, and goes on behind its end") {
    for (double cycles = 0; cycles < 30; cycles += 0.00317)
        CHECK(std::abs(hertz_spectrum(cycles) - pulse_spectrum(PulseShape::Hertz, cycles)) < 2e-8);
    CHECK(std::abs(hertz_spectrum(0) - 1) < 1e-12);
    CHECK(hertz_spectrum(-1.3) == hertz_spectrum(1.3));
}

TEST_CASE(
    "a plate gives way under a point force by 1/(8 sqrt(D rho h)): 10.4 mm/s per newton for a millimetre of steel") {
    const Material steel{.name = "steel", .density = 7850, .young = 2e11, .poisson = 0.3};
    const double D = 2e11 * 1e-9 / (12 * 0.91);
    CHECK(plate_mobility(steel, 1e-3) == clangor::test::Approx(1 / (8 * std::sqrt(D * 7.85))));
    CHECK(plate_mobility(steel, 1e-3) == clangor::test::Approx(0.010425).epsilon(1e-3));
    CHECK(plate_mobility(steel, 2e-3) == clangor::test::Approx(plate_mobility(steel, 1e-3) / 4));
}

}  // namespace contact_test
