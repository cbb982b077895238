// How loud rods are as whole bodies: below their lowest mode, where nothing rings.
#include <approx.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

namespace rod_level_test {

using namespace clangor;
using clangor::test::Approx;

TEST_CASE("a struck rod is heard to move off as a whole: a compact dipole of its momentum, at every low frequency") {
    // 60 × 10 mm of steel, whose lowest mode is at 12 kHz, struck in the middle by J = 1 mN s over T = 0.4 ms. It is
    // accelerated by F(t)/M, and moves the air of ρ0 (A + M₁(1 − (b/L) atan(L/b))) L along: its section's, πa² + πa²,
    // less what flows around its ends (docs/theory/rod-radiation.md, Eq. 17). At the distance R straight across
    //     p̂(ω) = (1/R + ik) ρ0 D L F̂(ω)/(4πR M),   |F̂| = J |cos(ωT/2)|/|1 − (ωT/π)²|
    const double L = 0.06, a = 0.005, T = 4e-4, J = 1e-3, R = 0.5;
    scene::Rod rod{.name = "rod", .material = {"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-2}, ""}};
    rod.curve = scene::StraightCurve{L};
    rod.section = CircleSection{a};
    rod.count = 13;
    rod.position = {-L / 2, 0, 0};
    Scene scene{.duration = 0.05};
    scene.objects = {rod};
    scene.strikes = {{.object = "rod",
                      .time = 0.005,
                      .along = L / 2,
                      .impulse = {0, J, 0},
                      .contact_time = T,
                      .shape = PulseShape::HalfSine}};
    scene.listeners = {{.name = "mic", .position = {0, R, 0}}};
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Audio audio = synthesize(scene, baked, motion_of(scene, baked), {.quality = Quality::Draft}).audio;

    const double area = pi * a * a, b = 0.38 * std::sqrt(area), M = 7800 * area * L;
    const double moved = area * L * (2 - b / L * std::atan(L / b));
    for (const double hz : {100.0, 300.0, 800.0}) {
        std::complex<double> sum = 0;
        for (long k = 0; k < audio.frames(); ++k)
            sum += double(audio.samples(0, k)) * std::polar(1.0, -2 * pi * hz * double(k) / audio.sample_rate);
        const double omega = 2 * pi * hz, k = omega / scene.air.speed_of_sound;
        const double pulse = J * std::abs(std::cos(omega * T / 2) / (1 - square(omega * T / pi)));
        const double expected = std::hypot(1 / R, k) * scene.air.density * moved * pulse / (4 * pi * R * M);
        INFO(hz << " Hz");
        CHECK(std::abs(sum) / audio.sample_rate == Approx(expected).epsilon(0.02));  // (L/R)²/12 and (kL)²/24: 0.3 %
    }
}

}  // namespace rod_level_test
