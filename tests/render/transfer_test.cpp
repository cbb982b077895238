// Modes heard through their sound fields.
#include "breathing_sphere.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <complex>

namespace transfer_test {

using namespace clangor;
using clangor::test::Approx;
using test::breathing_sphere;
using Complex = std::complex<double>;

namespace {

constexpr double a = 0.05, hz = 3000, s = 3, J = 0.05, omega = 2 * pi * hz;

// p e^{ikr} = −ω²ρ0 s a² e^{ika}/((1 + ika) r), the pulsating sphere per unit q, at ka = 2.7: far from compact.
Complex pulsating(double r) {
    const Air air;
    const Complex ika(0, omega / air.speed_of_sound * a);
    return -square(omega) * air.density * s * a * a * std::exp(ika) / ((1.0 + ika) * r);
}

ModalTransfer exact_transfer() {
    const double r0 = 1.35 * a;
    ModeTransfer mode{.omega = omega, .degree = 0, .coefficients = Eigen::VectorXcf(1)};
    mode.coefficients[0] = std::complex<float>(pulsating(r0) * std::sqrt(4 * pi));  // Y_00 = 1/√(4π)
    return {.radius = a, .reference_radius = r0, .modes = {mode}};
}

Scene scene_at(const Vec3& listener) {
    Scene scene{.duration = 0.1};
    scene.objects = {scene::Solid{.name = "ball", .material = {.density = 1000, .young = 1e9, .poisson = 0.3}}};
    scene.strikes = {{.object = "ball", .time = 0.01, .at = {0, a, 0}, .impulse = {0, -J, 0}, .contact_time = 0}};
    scene.listeners = {{.name = "mic", .position = listener}};
    return scene;
}

Baked baked_ball(const Scene& scene) {
    return test::baked_with(scene, std::make_shared<const ModalBody>(breathing_sphere(a, hz, s)),
                            std::make_shared<const ModalTransfer>(exact_transfer()));
}

// ξ = 2πρ0 ω s² a⁴ / (c (1 + k²a²)): its sound takes the energy ½(sJ)² of the impact within some milliseconds.
double pulsating_damping() {
    const Air air;
    return 2 * pi * air.density * omega * s * s * std::pow(a, 4) /
           (air.speed_of_sound * (1 + square(omega / air.speed_of_sound * a)));
}

// A in Re{A e^{iωt}}, with the decay taken out: what it was at the start, phases counted from t = 0.
Complex amplitude_of(const Audio& audio, double r) {
    const double xi = pulsating_damping(), damped = omega * std::sqrt(1 - xi * xi);
    const double start = 0.01 + r / Air{}.speed_of_sound;
    Complex above = 0;
    double below = 0;
    for (long k = std::lround((start + 0.002) * audio.sample_rate); k < audio.frames(); ++k) {
        const double t = double(k) / audio.sample_rate, decay = std::exp(-xi * omega * (t - start));
        above += double(audio.samples(0, k)) * decay * std::polar(2.0, -damped * (t - start));
        below += decay * decay;
    }
    return above / below * std::polar(1.0, -omega * start);
}

}  // namespace

TEST_CASE("a sphere of ka = 2.7, heard through its sound field, has the level and the phase of the pulsating sphere") {
    const double r = 0.8;
    const Scene scene = scene_at({0, 0, r});
    const Baked baked = baked_ball(scene);
    const Rendered rendered = synthesize(scene, baked, motion_of(scene, baked), {});
    // q = −(sJ/ω) sin ω(t − t₀) = Re{ i (sJ/ω) e^{iω(t − t₀)} }, since the impact goes inwards
    const Complex q = Complex(0, s * J / omega) * std::polar(1.0, -omega * 0.01);
    const Complex expected = pulsating(r) * q * std::polar(1.0, -omega * r / Air{}.speed_of_sound);
    const Complex heard = amplitude_of(rendered.audio, r);
    CHECK(std::abs(heard) == Approx(std::abs(expected)).epsilon(0.005));
    CHECK(std::abs(std::arg(heard / expected)) < 0.01);
    CHECK(rendered.warnings.empty());
}

TEST_CASE("a body without losses of its own radiates the energy of the impact, and rings as long as that takes") {
    const double r = 0.8;
    const Scene scene = scene_at({0, 0, r});
    const Baked baked = baked_ball(scene);
    CHECK(radiation_damping(exact_transfer())[0] == Approx(pulsating_damping()).epsilon(1e-6));
    const Audio audio = synthesize(scene, baked, motion_of(scene, baked), {}).audio;
    double energy = 0;
    for (long k = 0; k < audio.frames(); ++k)
        energy += square(double(audio.samples(0, k))) / audio.sample_rate * 4 * pi * r * r /
                  (Air{}.density * Air{}.speed_of_sound);
    CHECK(energy == Approx(square(s * J) / 2).epsilon(0.01));
}

TEST_CASE("through its magnitude the same level arrives at the same time with the phase of the vibration") {
    Scene scene = scene_at({0, 0, 0.8});
    std::get<scene::Solid>(scene.objects[0]).radiation_phase = scene::RadiationPhase::Magnitude;
    const Baked baked = baked_ball(scene);
    const Complex heard = amplitude_of(synthesize(scene, baked, motion_of(scene, baked), {}).audio, 0.8);
    const Complex q = Complex(0, s * J / omega) * std::polar(1.0, -omega * (0.01 + 0.8 / Air{}.speed_of_sound));
    CHECK(std::abs(heard) == Approx(std::abs(pulsating(0.8) * q)).epsilon(0.005));
    CHECK(std::abs(std::arg(heard / q)) < 0.01);
}

TEST_CASE("a listener that walks away hears the maps: at its places what fixed listeners hear") {
    Scene scene = scene_at({0, 0, 0.5});
    scene.listeners[0] = {.name = "mic", .path = {{0, {0, 0, 0.3}}, {0.1, {0, 0.4, 0.5}}}};
    const Baked baked = baked_ball(scene);
    const Rendered moving = synthesize(scene, baked, motion_of(scene, baked), {});
    for (const double time : {0.03, 0.07}) {
        const Vec3 place = Vec3(0, 0, 0.3) + time / 0.1 * Vec3(0, 0.4, 0.2);
        const Scene fixed = scene_at(place);
        const Rendered still = synthesize(fixed, baked, motion_of(fixed, baked), {});
        double peak = 0, expected = 0;  // over two periods, in which the listener moves by 3 mm
        for (long k = long(time * 48000) - 16; k < long(time * 48000) + 16; ++k) {
            peak = std::max(peak, std::abs(double(moving.audio.samples(0, k))));
            expected = std::max(expected, std::abs(double(still.audio.samples(0, k))));
        }
        CHECK(peak == Approx(expected).epsilon(0.02));
    }
}

TEST_CASE("a listener within 1.35 radii hears what is heard there, and is told so") {
    const Scene near = scene_at({0, 0, 1.1 * a}), at = scene_at({0, 0, 1.351 * a});
    const Baked baked = baked_ball(near);
    const Rendered guessed = synthesize(near, baked, motion_of(near, baked), {});
    const Rendered known = synthesize(at, baked, motion_of(at, baked), {});
    REQUIRE(guessed.warnings.size() == 1);
    CHECK(guessed.warnings[0].find("close to it") != std::string::npos);
    CHECK(known.warnings.empty());
    CHECK(std::abs(amplitude_of(guessed.audio, 1.1 * a)) ==
          Approx(std::abs(amplitude_of(known.audio, 1.351 * a))).epsilon(0.005));
}

TEST_CASE("drafts are compact, the standard solves for sound fields, and what a scene says wins") {
    Scene scene{.duration = 0.01};
    scene.objects = {scene::Solid{.name = "bar",
                                  .mesh = Box{.size = {0.1, 0.01, 0.01}},
                                  .material = *find_material("steel"),
                                  .options = {.max_modes = 2}}};
    const auto has_fields = [&](Quality quality, scene::Radiation radiation) {
        std::get<scene::Solid>(scene.objects[0]).radiation = radiation;
        return bake(scene, {.cache = {}, .quality = quality}).objects[0].transfer != nullptr;
    };
    CHECK_FALSE(has_fields(Quality::Draft, scene::Radiation::Auto));
    CHECK(has_fields(Quality::Standard, scene::Radiation::Auto));
    CHECK_FALSE(has_fields(Quality::Standard, scene::Radiation::Compact));
    CHECK(has_fields(Quality::Draft, scene::Radiation::Transfer));
}

}  // namespace transfer_test
