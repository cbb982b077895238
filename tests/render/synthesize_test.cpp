#include "breathing_sphere.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace synthesize_test {

using namespace clangor;
using test::breathing_sphere;

namespace {

Scene scene_of(const Vec3& at, const Vec3& impulse, const Vec3& listener) {
    Scene scene{.duration = 0.2};
    scene.objects = {scene::Solid{.name = "ball", .material = {.density = 1000, .young = 1e9, .poisson = 0.3}}};
    scene.strikes = {{.object = "ball", .time = 0.01, .at = at, .impulse = impulse, .contact_time = 0}};
    scene.listeners = {{.name = "mic", .position = listener}};
    return scene;
}

// The scenes here hold still: their motion needs no collision shapes.
Rendered rendered_of(const Scene& scene, const ModalBody& model) {
    const Baked baked = test::baked_with(scene, std::make_shared<const ModalBody>(model));
    return synthesize(scene, baked, motion_of(scene, baked), {});
}

}  // namespace

TEST_CASE("a struck breathing sphere: level, pitch and delay are those of a pulsating sphere") {
    const double a = 0.02, hz = 400, s = 3.0, J = 0.05, r = 1.5, omega = 2 * pi * hz;
    const Air air;
    const Scene scene = scene_of({0, a, 0}, {0, -J, 0}, {0, 0, r});
    const Rendered rendered = rendered_of(scene, breathing_sphere(a, hz, s));
    // q = (u·J/ω) sin ωt; a pulsating sphere of surface acceleration s q̈ makes p = ρ0 a² s q̈ / (r √(1 + k²a²)).
    const double amplitude = air.density * square(a) * s * (s * J / omega) * square(omega) / r /
                             std::sqrt(1 + square(omega * a / air.speed_of_sound));
    // Once the impact itself, which presses the sphere in, has faded: after four periods.
    const long settled = std::lround((0.01 + r / air.speed_of_sound + 4 / hz) * scene.sample_rate);
    const double loudest =
        double(rendered.audio.samples.rightCols(rendered.audio.frames() - settled).cwiseAbs().maxCoeff());
    CHECK(loudest == clangor::test::Approx(amplitude).epsilon(0.01));  // (ka)² = 0.02 is not quite compact
    // From the impact to the first sound: the path from the sphere's far side is longer, from the near one shorter, by
    // a.
    long first = 0;
    while (std::abs(double(rendered.audio.samples(0, first))) < 1e-3 * amplitude) ++first;
    CHECK(double(first) / scene.sample_rate == clangor::test::Approx(0.01 + r / air.speed_of_sound).epsilon(0.01));
    // Zero crossings give the pitch.
    long crossings = 0;
    for (long k = settled + 1; k < rendered.audio.frames(); ++k)
        crossings += rendered.audio.samples(0, k - 1) < 0 && rendered.audio.samples(0, k) >= 0;
    CHECK(double(crossings) / (double(rendered.audio.frames() - settled) / scene.sample_rate) ==
          clangor::test::Approx(hz).epsilon(0.02));
}

TEST_CASE("moving and turning a body, its strike and the listener together changes nothing") {
    const ModalBody model = breathing_sphere(0.02, 700, 1);
    Scene still = scene_of({0, 0.02, 0}, {0.01, -0.03, 0.02}, {0.4, 0.5, 0.9});
    Scene moved = still;
    scene::Solid& solid = std::get<scene::Solid>(moved.objects[0]);
    solid.position = {1, 2, 3};
    solid.rotation_deg = {20, 40, 60};
    moved.listeners[0].position = scene::world_from_body(solid) * still.listeners[0].position;
    const Samples a = rendered_of(still, model).audio.samples, b = rendered_of(moved, model).audio.samples;
    CHECK((a - b).cwiseAbs().maxCoeff() < 1e-5f * a.cwiseAbs().maxCoeff());  // rounding of a float sum
}

TEST_CASE("reciprocity of impacts: striking inward and outward differ by the sign only") {
    const ModalBody model = breathing_sphere(0.02, 700, 1);
    const Samples in = rendered_of(scene_of({0, 0.02, 0}, {0, -1, 0}, {0, 0, 1}), model).audio.samples;
    const Samples out = rendered_of(scene_of({0, 0.02, 0}, {0, 1, 0}, {0, 0, 1}), model).audio.samples;
    CHECK((in + out).cwiseAbs().maxCoeff() == 0.0f);
}

TEST_CASE("a strike that misses says by how much and where the surface is") {
    try {
        rendered_of(scene_of({0, 0.2, 0}, {0, -1, 0}, {0, 0, 1}), breathing_sphere(0.02, 700, 1));
        FAIL("no error");
    } catch (const Error& error) {
        CHECK(std::string(error.what()).starts_with("strike 1 misses \"ball\": (0, 0.2, 0) is 0.18 m away from it"));
    }
}

TEST_CASE("modes above half the sample rate are left out with a warning") {
    Scene scene = scene_of({0, 0.02, 0}, {0, -1, 0}, {0, 0, 1});
    scene.sample_rate = 8000;
    const Rendered rendered = rendered_of(scene, breathing_sphere(0.02, 5000, 1));
    CHECK(peak_pa(rendered.audio) == 0);
    REQUIRE(rendered.warnings.size() == 1);
    CHECK(rendered.warnings[0] == "object \"ball\": 1 modes at or above half the sample rate were left out");
}

}  // namespace synthesize_test
