// Grains of a scene that files tell of, that are drawn anew, and that belong to several objects.
#include "io/scratch.hpp"

#include <approx.hpp>

#include <clangor/io/file/file.hpp>
#include <clangor/render/render.hpp>

#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>

namespace known_grains_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double a = 0.002;

Material without_loss(const char* name) {
    Material material = *find_material(name);
    material.restitution = 1;
    return material;
}

scene::Solid steel_plate() {
    scene::Solid plate{.name = "plate", .mesh = Box{.size = {0.1, 0.008, 0.06}}, .material = without_loss("steel")};
    plate.position = Vec3(0, -0.004, 0);
    plate.moves = scene::Moves::Fixed;
    plate.restitution = 1;
    plate.friction = 0;
    return plate;
}

scene::Grains glass_beads() {
    return {.name = "beads", .material = without_loss("glass"), .radius = a, .friction = 0, .restitution = 1};
}

Scene scene_with(const scene::Grains& grains) {
    Scene scene{.duration = 0.3};
    scene.objects = {steel_plate(), grains};
    scene.listeners = {{.name = "mic", .position = {0, 0.5, 0}}};
    return scene;
}

double bead_mass() { return 4 * pi / 3 * without_loss("glass").density * cube(a); }

double time_on_steel(double speed) {
    return hertz_time({.inverse_mass = 1 / bead_mass(),
                       .curvature = 1 / a,
                       .modulus = contact_modulus(without_loss("glass"), without_loss("steel"))},
                      speed);
}

// The plate of a scene, struck as by a bead of this speed that bounces off without loss.
Scene struck(double time, const Vec3& at, double speed) {
    Scene scene = scene_with(glass_beads());
    scene.objects.pop_back();
    scene.strikes = {{.object = "plate",
                      .time = time,
                      .at = at,
                      .impulse = Vec3(0, -2 * speed * bead_mass(), 0),
                      .contact_time = time_on_steel(speed)}};
    return scene;
}

// The plate, and how glass beads meet, are baked once for all of these tests.
Baked baked_of(const Scene& scene) {
    static const test::Scratch cache;
    return bake(scene, {.cache = {cache / "cache"}, .quality = Quality::Draft});
}

Rendered rendered_of(const Scene& scene) {
    const Baked baked = baked_of(scene);
    return synthesize(scene, baked, motion_of(scene, baked), {.quality = Quality::Draft, .stems = true});
}

const Samples& stem(const Rendered& rendered, const std::string& name) {
    const auto found = std::ranges::find(rendered.stems, name, &Stem::name);
    REQUIRE(found != rendered.stems.end());
    return found->audio.samples;
}

double difference(const Samples& one, const Samples& other) {
    return double((one - other).norm()) / double(other.norm());
}

void write_text(const std::filesystem::path& path, const std::string& text) {
    io::write_file(path, std::as_bytes(std::span(text)));
}

std::string error_of(const Scene& scene) {
    try {
        (void)rendered_of(scene);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

}  // namespace

TEST_CASE("a collision of a list makes what it names ring, like a strike of its impulse and contact time") {
    const test::Scratch scratch;
    constexpr double speed = 1.4;
    write_text(scratch / "hits.csv", "time,x,y,z,nx,ny,nz,speed,first,second\n0.1,0.02,0,0.01,0,1,0,1.4,glass,plate\n");
    scene::Grains beads = glass_beads();
    beads.collisions = scratch / "hits.csv";
    const Samples expected = stem(rendered_of(struck(0.1, {0.02, 0.004, 0.01}, speed)), "plate.modal");
    const Rendered rendered = rendered_of(scene_with(beads));
    CHECK(expected.norm() > 0);
    CHECK(difference(stem(rendered, "plate.modal"), expected) < 1e-5);  // rounding
    // Told the other way round it is the same.
    write_text(scratch / "hits.csv",
               "time,x,y,z,nx,ny,nz,speed,first,second\n0.1,0.02,0,0.01,0,-1,0,1.4,plate,beads\n");
    const Rendered turned = rendered_of(scene_with(beads));
    CHECK(stem(turned, "plate.modal") == stem(rendered, "plate.modal"));
    CHECK(stem(turned, "beads.acceleration") == stem(rendered, "beads.acceleration"));
}

TEST_CASE("what a list says of grains that cannot be is refused with what to do") {
    const test::Scratch scratch;
    scene::Grains beads = glass_beads();
    beads.collisions = scratch / "hits.csv";
    const std::string head = "time,x,y,z,nx,ny,nz,speed,first,second\n", name = beads.collisions.string();
    write_text(beads.collisions, head + "0.1,0.02,0,0.01,0,1,0,1.4,glass,plat\n");
    CHECK(error_of(scene_with(beads)) ==
          "object \"beads\": " + name +
              " says that \"plat\" is hit, which is no object that grains can touch, nor a "
              "material; did you mean \"plate\"?");
    write_text(beads.collisions, head + "0.1,0.02,3,0.01,0,1,0,1.4,glass,plate\n");
    CHECK(error_of(scene_with(beads)) == "object \"beads\": " + name +
                                             ": at 0.1 s a grain hits \"plate\" at (0.02, 3, 0.01), which is 3 m from "
                                             "it; see whether unit and axes are right, and where the object stands");
    write_text(beads.collisions, head + "0.1,0.02,0,0.01,0,1,0,1.4,plate,plate\n");
    CHECK(error_of(scene_with(beads)) ==
          "object \"beads\": " + name + " says that \"plate\" hits \"plate\": neither of them is a grain");
    // Later than the sound: left out, with a warning.
    write_text(beads.collisions, head + "9,0.02,0,0.01,0,1,0,1.4,glass,plate\n");
    const Scene late = scene_with(beads);
    const Motion motion = motion_of(late, baked_of(late));
    CHECK(motion.impacts.empty());
    REQUIRE(motion.warnings.size() == 1);
    CHECK(motion.warnings[0] ==
          "object \"beads\": 1 of 1 collisions are before time 0 or after the end, and are left out");
}

TEST_CASE("a particle of an animation hits what it flies at before the next frame, where and when it meets it") {
    const test::Scratch scratch;
    scene::Grains beads = glass_beads();
    beads.particles = scratch / "drops.csv";
    // Its lower side is 4 mm above the plate, at 2 m/s: there after 2 ms. In the last frame it leaves.
    write_text(beads.particles, "time,x,y,z,vx,vy,vz\n0.1,0.02,0.006,0.01,0,-2,0\n0.14,0.02,0.06,0.01,0,2,0\n");
    const Samples expected = stem(rendered_of(struck(0.102, {0.02, 0.004, 0.01}, 2)), "plate.modal");
    const Rendered rendered = rendered_of(scene_with(beads));
    // Found to a thousandth of the radius: 1 µs.
    CHECK(difference(stem(rendered, "plate.modal"), expected) < 0.1);
    beads.grains_per_particle = 30;
    const Scene many = scene_with(beads);
    CHECK(motion_of(many, baked_of(many)).impacts.size() == 30);

    // A grid: cells above it that come down. Each grain of the lower cell hits once, but for Poisson's scatter.
    scene::Grains flow = glass_beads();
    flow.radius = 0.0005;
    flow.grid = scratch / "flow.csv";
    write_text(flow.grid,
               "time,x,y,z,fill,vx,vy,vz,deviation\n0.1,0,0.01,0,0.1,0,-1,0,0.05\n0.1,0,0.03,0,0.1,0,-1,0,0.05\n"
               "0.13,0,0.01,0,0.1,0,-1,0,0.05\n0.13,0,0.03,0,0.1,0,-1,0,0.05\n");
    const Scene poured = scene_with(flow);
    const Motion motion = motion_of(poured, baked_of(poured));
    const double grains = 2 * 0.1 * cube(0.02) / (4 * pi / 3 * cube(0.0005));  // the upper ones need 20 to 40 ms
    CHECK(double(motion.impacts.size()) > 0.5 * grains);
    CHECK(double(motion.impacts.size()) < grains);
}

TEST_CASE("an animation in wrong units is refused before its collisions fill the memory") {
    const test::Scratch scratch;
    scene::Grains beads = glass_beads();
    beads.radius = 1e-5;
    beads.grid = scratch / "flow.csv";
    write_text(beads.grid,
               "time,x,y,z,fill,vx,vy,vz,deviation\n0,0,1,0,0.3,0,0,0,9\n0,0,2,0,0.3,0,0,0,9\n1,0,1,0,0.3,0,0,0,9\n");
    CHECK(error_of(scene_with(beads)) ==
          "object \"beads\": between the frames at 0 s and 1 s its grains meet more than 5000000 times; see whether "
          "units, fills, velocities and the radius are right");
}

TEST_CASE("grains of two objects meet, and pairs of contacts reach them") {
    // One bead flies at another that hangs still: both are accelerated where they meet.
    const auto bead_at = [](const char* name, const char* material, const Vec3& place) {
        return scene::Grains{.name = name,
                             .material = without_loss(material),
                             .radius = a,
                             .count = 1,
                             .fill = {.position = place, .size = Vec3::Constant(2.000001 * a)},
                             .friction = 0,
                             .restitution = 1};
    };
    Scene scene{.duration = 0.2, .motion = {.gravity = Vec3::Zero()}};
    scene::Grains flying = bead_at("flying", "steel", Vec3::Zero());
    flying.velocity = Vec3(1, 0, 0);
    scene.objects = {flying, bead_at("hanging", "glass", Vec3(0.1 + 2 * a, 0, 0))};
    const Vec3 mic(0.5, 0, 0);
    scene.listeners = {{.name = "mic", .position = mic}};
    const auto first_moment = [&] {
        const Samples click = stem(rendered_of(scene), "flying.acceleration");
        const double at = 0.1 + (mic.x() - 0.1) / scene.air.speed_of_sound;
        double sum = 0;
        for (long k = long((at - 0.01) * 48000); k < long((at + 0.01) * 48000); ++k)
            sum += double(click(0, k)) / 48000 * (double(k) / 48000 - at);
        return sum;
    };
    // ∫ p t dt = −Σ ρ₀a³Δv/(2rc) of both balls, toward the listener   docs/theory/grain-sound.md, Eq. 7
    const double steel = without_loss("steel").density, glass = without_loss("glass").density;
    const auto expected = [&](double e) {
        const double impulse_per_volume = (1 + e) * steel * glass / (steel + glass);
        const double r1 = mic.x() - 0.1, r2 = r1 - 2 * a;
        return -scene.air.density * cube(a) / (2 * scene.air.speed_of_sound) *
               (impulse_per_volume / glass / r2 - impulse_per_volume / steel / r1);
    };
    // The moment is counted from one time for both, which moves q₀ of each by its distance: a thousandth.
    CHECK(first_moment() == Approx(expected(1)).epsilon(0.01));
    scene.motion.contacts = {{.object = "hanging", .other = "flying", .restitution = 0.25}};
    CHECK(first_moment() == Approx(expected(0.25)).epsilon(0.01));
}

TEST_CASE("a wall as dead as a pair of contacts says takes (1 + e)/2 of the impulse of one that takes nothing") {
    Scene scene = scene_with(glass_beads());
    auto& beads = std::get<scene::Grains>(scene.objects[1]);
    beads.count = 1;
    beads.fill = {.position = {0.02, 0.1 + a, 0.01}, .size = Vec3::Constant(2.000001 * a)};
    const auto first_impulse = [&] {
        const Motion motion = motion_of(scene, baked_of(scene));
        REQUIRE(!motion.impacts.empty());
        return motion.impacts[0].impulse.norm();
    };
    const double whole = first_impulse();
    scene.motion.contacts = {{.object = "plate", .other = "beads", .restitution = 0.2}};
    // That is the restitution at 1 m/s; at √(2gh) = 1.4 m/s it is a little less.
    const double e = 2 * first_impulse() / whole - 1;
    CHECK(e < 0.2);
    CHECK(e > 0.18);
}

TEST_CASE("sampled grains sound as loud as those that they are drawn from, at other moments") {
    Scene scene{.duration = 0.6, .seed = 5};
    scene.objects = {scene::Grains{.name = "beads",
                                   .material = *find_material("glass"),
                                   .radius = 0.002,
                                   .spread = 0.2,
                                   .count = 150,
                                   .fill = {.position = {0, 0.15, 0}, .size = {0.04, 0.08, 0.04}}},
                     steel_plate()};
    scene.listeners = {{.name = "mic", .position = {0, 0.5, 0.3}}};
    const Rendered followed = rendered_of(scene);
    std::get<scene::Grains>(scene.objects[0]).sampled = true;
    const Rendered drawn = rendered_of(scene), again = rendered_of(scene);
    CHECK(again.audio.samples == drawn.audio.samples);
    for (const char* const name : {"beads.acceleration", "plate.modal"}) {
        CAPTURE(name);
        const Samples &one = stem(followed, name), &other = stem(drawn, name);
        CHECK(one != other);
        CHECK(std::abs(20 * std::log10(double(other.norm() / one.norm()))) < 2);
    }
}

TEST_CASE("beads that a block squeezes more flat than they are end in a warning, not in an endless run") {
    const test::Scratch scratch;
    write_text(scratch / "press.csv", "time,x,y,z\n0,0,0.05,0\n0.1,0,0.0113,0\n0.2,0,0.0113,0\n");
    scene::Solid block{.name = "block", .mesh = Box{.size = {0.1, 0.02, 0.1}}, .material = *find_material("steel")};
    block.trajectory = scratch / "press.csv";
    block.silent = true;
    scene::Grains beads{.name = "beads", .material = *find_material("glass"), .radius = 0.002, .count = 10};
    beads.fill = {.position = {0, 0.01, 0}, .size = {0.04, 0.018, 0.04}, .settled = true};
    Scene scene{.duration = 0.2};
    scene.objects = {block, beads, scene::Ground{.name = "floor", .material = *find_material("granite")}};
    scene.listeners = {{.name = "mic", .position = {0, 0.3, 0.3}}};
    const Motion motion = motion_of(scene, baked_of(scene));
    const auto storm = std::ranges::find_if(
        motion.warnings, [](const std::string& text) { return text.find("more than 1000") != std::string::npos; });
    REQUIRE(storm != motion.warnings.end());
    CHECK(storm->starts_with("object \"beads\": "));
}

}  // namespace known_grains_test
