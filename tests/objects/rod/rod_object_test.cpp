// Rods in scenes, as they are heard.
#include <approx.hpp>
#include <threads.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

namespace rod_object_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material aluminium{"aluminium", 2700, 70e9, 0.33, {.loss_factor = 1e-4}, ""};

struct Heard {
    Motion motion;
    Rendered rendered;
};

Heard heard(const Scene& scene, Quality quality = Quality::Draft) {
    const Baked baked = bake(scene, {.cache = {}, .quality = quality});
    Motion motion = motion_of(scene, baked);
    Rendered rendered = synthesize(scene, baked, motion, {.quality = quality, .stems = true});
    return {std::move(motion), std::move(rendered)};
}

// A free bar, thin enough for Euler and Bernoulli, above the origin.
scene::Rod free_bar() {
    scene::Rod rod{.name = "bar", .material = aluminium};
    rod.curve = scene::StraightCurve{0.4};
    rod.section = RectangleSection{0.01, 0.004};
    rod.section_x = {0, 0, 1};
    rod.count = 40;
    rod.position = {-0.2, 0, 0};
    return rod;
}

// So softly that it hardly flies off.
Scene struck_bar() {
    Scene scene{.duration = 0.5};
    scene.objects = {free_bar()};
    scene.strikes = {{.object = "bar", .time = 0.001, .along = 0, .impulse = {0, 1e-4, 0}, .contact_time = 5e-5}};
    scene.listeners = {{.name = "mic", .position = {0, 1, 0}}};
    return scene;
}

// How loud a tone is, with Hann's window.
double level_at(const Audio& audio, double hz, long from, long count) {
    std::complex<double> sum = 0;
    for (long k = 0; k < count; ++k) {
        const double window = 1 - std::cos(2 * pi * double(k) / double(count));
        sum +=
            window * double(audio.samples(0, from + k)) * std::polar(1.0, -2 * pi * hz * double(k) / audio.sample_rate);
    }
    return 2 * std::abs(sum) / double(count);
}

double pitch_near(const Audio& audio, double hz) {
    double best = 0, at = 0;
    for (double f = 0.96 * hz; f < 1.04 * hz; f += 5e-4 * hz)
        if (const double level = level_at(audio, f, 2400, audio.frames() - 2400); level > best) best = level, at = f;
    return at;
}

// βL of a free bar, cos βL cosh βL = 1.
constexpr double free_bar_roots[] = {4.730041, 7.853205, 10.995608};

double free_bar_hz(int mode) {
    return square(free_bar_roots[mode] / 0.4) * std::sqrt(70e9 * square(0.004) / 12 / 2700) / (2 * pi);
}

}  // namespace

TEST_CASE("a struck free bar is heard at the pitches of a free bar") {
    const Heard bar = heard(struck_bar());
    REQUIRE(bar.rendered.stems.size() == 1);
    CHECK(bar.rendered.stems[0].name == "bar.dipole");
    for (int mode = 0; mode < 3; ++mode) {
        const double hz = free_bar_hz(mode);
        CHECK(pitch_near(bar.rendered.audio, hz) == Approx(hz).epsilon(0.01));
    }
}

TEST_CASE("a bar is as loud as a rod as it is as a solid, in its first two modes") {
    Scene scene = struck_bar();
    scene.duration = 0.3;
    scene.listeners[0].position = {0.5, 0.866, 0};  // straight across, the second is not heard
    const Heard rod = heard(scene);
    scene::Solid solid{.name = "bar", .mesh = Box{.size = {0.4, 0.004, 0.01}}, .material = aluminium};
    solid.radiation = scene::Radiation::Transfer;
    solid.acceleration_noise = false;
    solid.options.max_hz = 600;
    scene.objects = {solid};
    scene.strikes[0].at = {-0.2, 0.002, 0};
    const Heard whole = heard(scene, Quality::Reference);
    for (int mode = 0; mode < 2; ++mode) {
        const auto level = [&](const Audio& audio) {
            return level_at(audio, pitch_near(audio, free_bar_hz(mode)), 2400, audio.frames() - 2400);
        };
        const double db = 20 * std::log10(level(rod.rendered.audio) / level(whole.rendered.audio));
        INFO("mode " << mode << ": " << db << " dB");
        CHECK(std::abs(db) < 1);
    }
}

TEST_CASE("a struck rod sounds the same to the last bit on any number of threads") {
    Scene scene = struck_bar();
    scene.duration = 0.05;
    scene::Rod other = free_bar();
    other.name = "other";
    other.position = {-0.2, -0.0035, 0.01};
    other.rotation_deg = {0, 20, 0};
    scene.objects.emplace_back(other);
    Samples first;
    for (const int threads : {1, 2, 3, 5, 16}) {
        const testing::Threads on(threads);
        const Samples now = heard(scene).rendered.audio.samples;
        if (threads == 1) first = now;
        CHECK(now == first);
    }
    CHECK(first.cwiseAbs().maxCoeff() > 0);
}

TEST_CASE("a rod that is dropped on a floor makes a noise, and is silent when it has come to rest") {
    Scene scene{.duration = 1.2};
    scene::Rod rod = free_bar();
    rod.count = 16;
    rod.position = {-0.2, 0.03, 0};
    rod.rotation_deg = {0, 0, 2};
    rod.material.damping = {.loss_factor = 5e-3};
    scene.objects = {rod, scene::Ground{.name = "floor", .material = *find_material("concrete")}};
    scene.listeners = {{.name = "mic", .position = {0, 1, 0}}};
    const Heard dropped = heard(scene);
    const auto& samples = dropped.rendered.audio.samples;
    const double loudest = double(samples.cwiseAbs().maxCoeff());
    const double last = double(samples.rightCols(4800).cwiseAbs().maxCoeff());
    INFO("loudest " << loudest << " Pa, last " << last << " Pa");
    CHECK(loudest > 1e-3);
    CHECK(last < 1e-3 * loudest);
    CHECK(!dropped.motion.impacts.empty());
    CHECK(!dropped.motion.touches.empty());
}

TEST_CASE("a rod that flies against a floating block gives it the momentum that it loses, and both sound") {
    Scene scene{.duration = 0.05};
    scene.motion.gravity = Vec3::Zero();
    scene::Rod rod = free_bar();
    rod.velocity = {0, -2, 0};
    rod.position = {-0.2, 0.03, 0};
    scene::Solid block{.name = "block", .mesh = Box{.size = {0.2, 0.01, 0.03}}, .material = aluminium};
    block.moves = scene::Moves::Simulated;
    block.acceleration_noise = false;
    scene.objects = {rod, block};
    scene.listeners = {{.name = "mic", .position = {0, 1, 0.3}}};
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Motion motion = motion_of(scene, baked);
    REQUIRE(!motion.impacts.empty());
    Vec3 on_block = Vec3::Zero(), on_rod = Vec3::Zero();
    for (const Impact& impact : motion.impacts) {
        CHECK(impact.sides[0].body == 1);
        CHECK(impact.sides[1].body == 0);
        on_block += impact.sides[0].impulse;
        on_rod += impact.sides[1].impulse;
    }
    for (const Touch& touch : motion.touches) on_block += touch.sides[0].impulse, on_rod += touch.sides[1].impulse;
    CHECK(on_block.y() < -1e-3);
    CHECK((on_block + on_rod).norm() < 0.02 * on_rod.norm());
    const double mass = baked.objects[1].rigid->mass;
    const double speed = twist_at(motion.bodies[1], 0.045).linear.y();
    CHECK(mass * speed == Approx(on_block.y()).epsilon(0.02));
    const Rendered rendered = synthesize(scene, baked, motion, {.quality = Quality::Draft, .stems = true});
    for (const Stem& stem : rendered.stems) {
        INFO(stem.name);
        CHECK(stem.audio.samples.cwiseAbs().maxCoeff() > 1e-5f);
    }
    CHECK(rendered.stems.size() >= 2);
}

TEST_CASE("a cantilever that a pull has bent sags as theory says, and rings when it is let go") {
    Scene scene{.duration = 0.5};
    scene.motion.gravity = Vec3::Zero();
    scene::Rod rod = free_bar();
    rod.supports = {{.kind = scene::RodHoldKind::Clamped, .at = 0}};
    rod.pulls = {{.at = 0.4, .force = {0, -0.2, 0}}};
    scene.objects = {rod};
    scene.listeners = {{.name = "mic", .position = {0, 0.3, 0}}};
    const Heard plucked = heard(scene);
    const double hz = square(1.875104 / 0.4) * std::sqrt(70e9 * square(0.004) / 12 / 2700) / (2 * pi);
    CHECK(pitch_near(plucked.rendered.audio, hz) == Approx(hz).epsilon(0.01));
}

TEST_CASE("what cannot be a rod is refused with the reason") {
    const auto message = [](const std::string& keys) -> std::string {
        const std::string text = R"({"clangor": 1, "duration": 0.1, "objects": [{"name": "wire", "kind": "rod", )" +
                                 keys +
                                 R"(}], "strikes": [{"object": "wire", "at": 0.01, "impulse": [0, 0.001, 0]}],
            "listeners": [{"name": "mic", "position": [0, 1, 0]}]})";
        try {
            const Scene scene = io::parse_scene(text, "wire.json");
            (void)motion_of(scene, bake(scene, {.cache = {}}));
        } catch (const Error& error) {
            return error.what();
        }
        return "none";
    };
    const std::string steel = R"(, "material": "steel")", thin = R"("section": {"circle": {"radius": 0.001}})" + steel;
    CHECK(message(R"("shape": {"straight": {"length": 0.3}}, )" + thin) == "none");
    CHECK(message(R"("points": [[0, 0, 0], [0.1, 0, 0], [0.1, 0, 0], [0.2, 0, 0]], )" + thin).find("same place") !=
          std::string::npos);
    CHECK(message(R"("count": 5, "points": [[0, 0, 0], [0.1, 0, 0], [0, 0, 0]], )" + thin).find("folds back") !=
          std::string::npos);
    CHECK(message(R"("shape": {"straight": {"length": 0.3}}, "section": {"circle": {"radius": 0.2}})" + steel)
              .find("that is no rod") != std::string::npos);
    CHECK(
        message(
            R"("shape": {"straight": {"length": 0.3}}, "section": {"tube": {"radius": 0.002, "inner_radius": 0.003}})" +
            steel)
            .find("inner_radius (0.003 m) must be below radius (0.002 m)") != std::string::npos);
    CHECK(message(R"("shape": {"straight": {"length": 0.3}}, "section": {"circle": {"radius": 0.001}},
            "material": {"density": -1, "young": 1e9, "poisson": 0.3})")
              .find("density must be positive") != std::string::npos);
    CHECK(message(R"("shape": {"straight": {"length": 0.3}, "ring": {"radius": 1}}, )" + thin)
              .find("only one of straight, helix, ring and spiral") != std::string::npos);
    CHECK(message(R"("shape": {"straight": {"length": 0.005}}, "count": 8, "section": {"circle": {"radius": 0.0001}})" +
                  steel)
              .find("a strike is 0.01 m along the rod, which is 0.005 m long") != std::string::npos);
}

TEST_CASE("rods are struck so far along, and nothing else is") {
    const auto strike = [](const char* at) {
        return std::string(R"({"clangor": 1, "duration": 0.1, "objects": [{"name": "wire", "kind": "rod",
            "shape": {"straight": {"length": 0.3}}, "section": {"circle": {"radius": 0.001}}, "material": "steel"}],
            "strikes": [{"object": "wire", "at": )") +
               at + R"(, "impulse": [0, 0.001, 0]}], "listeners": [{"name": "mic", "position": [0, 1, 0]}]})";
    };
    CHECK(io::parse_scene(strike("0.1"), "wire.json").strikes[0].along == 0.1);
    CHECK_THROWS_WITH_AS(io::parse_scene(strike("[0.1, 0, 0]"), "wire.json"),
                         doctest::Contains("\"wire\" is a rod: \"at\" is one number, the length along it in m"), Error);
}

}  // namespace rod_object_test
