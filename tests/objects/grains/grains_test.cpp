// Grains of a scene: when and how loud they click, what they make ring, and what a scene may say of them.
#include <approx.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <complex>
#include <string>

namespace grains_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double g = 9.81;

Material without_loss(const char* name) {
    Material material = *find_material(name);
    material.restitution = 1;
    return material;
}

// One bead at this place, alone with whatever else is in the scene, without friction or loss.
scene::Grains one_bead(double radius, const Vec3& place) {
    return {.name = "bead",
            .material = without_loss("glass"),
            .radius = radius,
            .count = 1,
            .fill = {.position = place, .size = Vec3::Constant(2.000001 * radius)},
            .friction = 0,
            .restitution = 1};
}

Rendered rendered_of(const Scene& scene, Quality quality = Quality::Draft) {
    const Baked baked = bake(scene, {.cache = {}, .quality = quality});
    return synthesize(scene, baked, motion_of(scene, baked), {.quality = quality, .stems = true});
}

const Audio& stem(const Rendered& rendered, const std::string& name) {
    const auto found = std::ranges::find(rendered.stems, name, &Stem::name);
    REQUIRE(found != rendered.stems.end());
    return found->audio;
}

// ∫ p dt and ∫ (t − t₀) p dt about a moment.
struct Moments {
    double zeroth = 0, first = 0;
};
Moments moments_about(const Audio& audio, double time, double within) {
    Moments moments;
    const double rate = audio.sample_rate;
    for (long k = long((time - within) * rate); k <= long((time + within) * rate); ++k) {
        const double p = double(audio.samples(0, k));
        moments.zeroth += p / rate;
        moments.first += p / rate * (double(k) / rate - time);
    }
    return moments;
}

double hertz_time_on(const Material& other, double radius, double speed) {
    const Material glass = without_loss("glass");
    return hertz_time({.inverse_mass = 1 / (4 * pi / 3 * glass.density * cube(radius)),
                       .curvature = 1 / radius,
                       .modulus = contact_modulus(glass, other)},
                      speed);
}

}  // namespace

TEST_CASE("a bead that bounces along the floor clicks where and when it lands, as loud as its acceleration") {
    constexpr double a = 0.002, height = 0.05, along = 0.8;
    const Material granite = without_loss("granite");
    Scene scene{.duration = 0.8};
    scene::Grains bead = one_bead(a, Vec3(0, height + a, 0));
    bead.velocity = Vec3(along, 0, 0);
    const Vec3 mic(0.3, 0.35, 0.2);
    scene.objects = {
        bead, scene::Ground{.name = "floor", .material = granite, .friction = 0, .restitution = 1, .reflection = 0}};
    scene.listeners = {{.name = "mic", .position = mic}};
    const Rendered rendered = rendered_of(scene);
    REQUIRE(rendered.stems.size() == 1);
    CHECK(rendered.stems[0].name == "bead.acceleration");
    // Without losses it lands at t₁, 3t₁, 5t₁, … at √(2gh), and keeps its course along the floor.
    const double speed = std::sqrt(2 * g * height), fall = std::sqrt(2 * height / g);
    const double tau = hertz_time_on(granite, a, speed), c = scene.air.speed_of_sound;
    int clicks = 0;
    for (double t = fall; t < scene.duration - 0.01; t += 2 * fall, ++clicks) {
        const Vec3 arm = mic - Vec3(along * t, a, 0);  // from the centre of the bead
        const double r = arm.norm(), toward = 2 * speed * arm.y() / r;
        // The moments of q₀ δ + q₁ δ′, q₀ = ρ₀a³Δv/(2r²), q₁ = q₀ r/c   docs/theory/grain-sound.md, Eq. 7
        const double q0 = scene.air.density * cube(a) * toward / (2 * r * r);
        const Moments heard = moments_about(rendered.stems[0].audio, t + tau / 2 + r / c, 0.01);
        CHECK(heard.first == Approx(-q0 * r / c).epsilon(2e-3));  // t is known to 2e-3 of r/c: 3 µs
        CHECK(heard.zeroth == Approx(q0).epsilon(2e-2));          // what is left of a doublet that cancels
    }
    CHECK(clicks == 4);
}

TEST_CASE("a bead makes a plate ring like a strike of its impulse and contact time") {
    constexpr double a = 0.002, height = 0.1;
    scene::Solid plate{.name = "plate", .mesh = Box{.size = {0.1, 0.008, 0.06}}, .material = without_loss("steel")};
    plate.position = Vec3(0, -0.004, 0);
    plate.moves = scene::Moves::Fixed;
    plate.restitution = 1;
    plate.friction = 0;
    const Vec3 at(0.02, 0.004, 0.01);
    Scene by_bead{.duration = 0.3};
    by_bead.objects = {plate, one_bead(a, Vec3(at.x(), height + a, at.z()))};
    by_bead.listeners = {{.name = "mic", .position = {0, 0.5, 0}}};
    Scene by_strike = by_bead;
    by_strike.objects.pop_back();
    const double speed = std::sqrt(2 * g * height), fall = std::sqrt(2 * height / g);
    const double impulse = 2 * speed * 4 * pi / 3 * without_loss("glass").density * cube(a);
    by_strike.strikes = {{.object = "plate",
                          .time = fall,
                          .at = at,
                          .impulse = Vec3(0, -impulse, 0),
                          .contact_time = hertz_time_on(without_loss("steel"), a, speed)}};
    const Rendered beads = rendered_of(by_bead), strikes = rendered_of(by_strike);
    const Audio &ring = stem(beads, "plate.modal"), &expected = stem(strikes, "plate.modal");
    CHECK(expected.samples.norm() > 0);
    // The place of the bead is known to 2 nm, its time to 1e-8 s: 20 kHz turns by 1e-3.
    CHECK((ring.samples - expected.samples).norm() < 5e-3f * expected.samples.norm());
}

TEST_CASE("what grains of a scene sound like does not depend on the number of threads") {
    Scene scene{.duration = 0.4, .seed = 3};
    scene.objects = {scene::Grains{.name = "beads",
                                   .material = *find_material("glass"),
                                   .radius = 0.0015,
                                   .spread = 0.3,
                                   .count = 60,
                                   .fill = {.position = {0, 0.03, 0}, .size = {0.03, 0.04, 0.03}, .round = true}},
                     scene::Ground{.name = "floor", .material = *find_material("oak"), .thickness = 0.02}};
    scene.listeners = {{.name = "left", .position = {-0.1, 0.3, 0.3}}, {.name = "right", .position = {0.1, 0.3, 0.3}}};
    const int threads = thread_count();
    Samples first;
    for (const int count : {1, 2, 3, 5, 16}) {
        set_thread_count(count);
        const Samples now = rendered_of(scene).audio.samples;
        if (first.size() == 0) first = now;
        CHECK(now == first);
        CHECK(now.norm() > 0);
    }
    set_thread_count(threads);
}

TEST_CASE(
    "a plate that beads lie on rings lower and shorter than a bare one, and as before where contacts do nothing") {
    scene::Solid plate{.name = "plate", .mesh = Box{.size = {0.1, 0.004, 0.06}}, .material = *find_material("steel")};
    plate.position = Vec3(0, -0.002, 0);
    plate.moves = scene::Moves::Fixed;
    Scene bare{.duration = 0.5};
    bare.objects = {plate};
    bare.strikes = {{.object = "plate", .time = 0.01, .at = {0.04, 0.002, 0.02}, .impulse = {0, -1e-3, 0}}};
    bare.listeners = {{.name = "mic", .position = {0, 0.5, 0}}};
    Scene loaded = bare;
    loaded.objects.emplace_back(
        scene::Grains{.name = "beads",
                      .material = *find_material("glass"),
                      .radius = 0.002,
                      .count = 40,
                      .fill = {.position = {0, 0.0021, 0}, .size = {0.08, 0.00419, 0.05}, .settled = true},
                      .restitution = 0.1});
    Scene undamped = loaded;
    undamped.motion.contact_damping = 0;
    const Audio without = stem(rendered_of(bare), "plate.modal"), with = stem(rendered_of(loaded), "plate.modal");
    CHECK(stem(rendered_of(undamped), "plate.modal").samples == without.samples);
    const auto level_db = [](const Audio& audio, double from) {
        return 20 * std::log10(double(audio.samples.middleCols(long(from * audio.sample_rate), 4800).norm()));
    };
    // In 0.3 s steel alone loses 8.7 · (η/2) · 2πf · 0.3: 7 dB at 2.1 kHz, where this plate begins.
    CHECK(level_db(with, 0.4) - level_db(with, 0.1) < level_db(without, 0.4) - level_db(without, 0.1) - 3);
    // The beads are 40 · 84 mg on a plate of 188 g. Of a mode φ² is 1/M on the average over the plate: δf/f = −m/2M,
    // here −0.9 %, if they lay evenly; they lie in the middle, where the first bending mode moves less.
    const double first_hz =
        bake(bare, {.cache = {}, .quality = Quality::Draft}).objects[0].mobility->omega[0] / (2 * pi);
    const auto pitch = [&](const Audio& audio) {
        double best = 0, found = 0;
        for (double part = 0.98; part < 1.005; part += 1e-4) {
            std::complex<double> sum = 0;
            for (long i = 4800; i < 19200; ++i)
                sum += double(audio.samples(0, i)) * std::polar(1.0, -2 * pi * part * first_hz * double(i) / 48000);
            if (std::norm(sum) > best) best = std::norm(sum), found = part;
        }
        return found;
    };
    CHECK(pitch(without) == Approx(1).epsilon(2e-4));
    CHECK(pitch(with) < 1 - 0.003);
    CHECK(pitch(with) > 1 - 0.014);
}

TEST_CASE("what cannot be said of grains is refused with its reason") {
    const auto message_of = [](const std::string& keys, const std::string& more = "") {
        try {
            (void)io::parse_scene(R"({"clangor": 1, "duration": 1, "objects": [{"name": "beads", "kind": "grains",
                "material": "glass", )" +
                                      keys + R"(}], )" + more +
                                      R"("listeners": [{"name": "mic", "position": [3, 1, 0]}]})",
                                  "beads.json");
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string fill = R"("fill": {"position": [0, 1, 0], "size": [1, 1, 1]})";
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(message_of(R"("radius": 0.001, "count": 3, )" + fill).empty());
    CHECK(has(message_of(R"("radius": 0.001, )" + fill), "count"));
    CHECK(has(message_of(R"("radius": 0.001, "count": 0, )" + fill), "count must be a whole number in [1, 10000000]"));
    CHECK(has(message_of(R"("count": 3, "radius": 0, )" + fill), "radius must be in"));
    CHECK(has(message_of(R"("radius": 0.001, "count": 3, "spread": 1, )" + fill), "spread must be in [0, 1)"));
    CHECK(has(message_of(R"("radius": 0.001, "count": 3, "fill": {"position": [0, 1, 0], "size": [1, 0, 1]})"),
              "size must be positive along each axis"));
    CHECK(has(
        message_of(R"("radius": 0.001, "count": 3, "fill": {"position": [0, 1, 0], "size": [1, 1, 1], "stopper": 1})"),
        "set \"settled\": true"));
    CHECK(has(message_of(R"("radius": 0.001, "count": 3, )" + fill,
                         R"("strikes": [{"object": "beads", "at": [0, 0, 0], "impulse": [1, 0, 0]}], )"),
              "is made of grains, which do not ring; strike a solid"));
}

TEST_CASE("more grains than fit are refused with their number") {
    Scene scene{.duration = 0.1};
    scene.objects = {scene::Grains{.name = "beads",
                                   .material = *find_material("glass"),
                                   .radius = 0.002,
                                   .count = 5000,
                                   .fill = {.position = {0, 0.03, 0}, .size = {0.03, 0.03, 0.03}}}};
    scene.listeners = {{.name = "mic", .position = {0, 0.3, 0.3}}};
    CHECK_THROWS_WITH_AS(rendered_of(scene), doctest::Contains("of 5000 grains fit where they are filled in"), Error);
}

TEST_CASE("grains that start in the material of a closed body are refused; those that nothing holds are counted") {
    Scene scene{.duration = 0.2};
    scene::Solid block{.name = "block", .mesh = Box{.size = {0.1, 0.1, 0.1}}, .material = *find_material("steel")};
    block.moves = scene::Moves::Fixed;
    block.silent = true;
    scene::Grains beads{.name = "beads", .material = *find_material("glass"), .radius = 0.002, .count = 20};
    beads.fill = {.position = {0, 0.06, 0}, .size = {0.05, 0.06, 0.05}};  // the lower third is in the block
    scene.objects = {block, beads};
    scene.listeners = {{.name = "mic", .position = {0, 0.3, 0.3}}};
    try {
        (void)rendered_of(scene);
        CHECK(false);
    } catch (const Error& error) {
        const std::string what = error.what();
        CHECK(what.starts_with("object \"beads\": "));
        CHECK(
            what.ends_with(" of 20 grains start inside the material of \"block\", from where they cannot come out; "
                           "keep the region of fill out of its walls"));
    }
    auto& kept_out = std::get<scene::Grains>(scene.objects[1]);
    kept_out.fill.position.y() = 0.09;
    CHECK_NOTHROW(rendered_of(scene));
    kept_out.fill.position.x() = 0.2;  // beside it: they fall for ever
    scene.duration = 2;
    const Motion motion = motion_of(scene, bake(scene, {.cache = {}, .quality = Quality::Draft}));
    REQUIRE(motion.warnings.size() == 1);
    CHECK(motion.warnings[0].starts_with("object \"beads\": 20 of 20 grains left the world, the first after "));
}

}  // namespace grains_test
