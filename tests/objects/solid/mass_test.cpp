#include <clangor/objects/solid/solid.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <nlohmann/json.hpp>

namespace mass_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

SoundingObject baked(const scene::Solid& solid, bool is_moving) {
    BakeContext context{.still = !is_moving, .simulated = is_moving, .quality = Quality::Draft};
    return sounding(solid, context);
}

}  // namespace

TEST_CASE("motion, contacts and the report weigh a body alike: by its elastic model") {
    // A coarse ball: its faces, the curved cells of its model and the sphere itself have three different volumes.
    const double a = 0.02;
    const scene::Solid ball{.name = "ball",
                            .mesh = Cylinder{.radius = a, .height = 0.03},
                            .material = *find_material("steel"),
                            .acceleration_noise = false,
                            .options = {.max_modes = 3}};
    const SoundingObject object = baked(ball, true);
    const double mass = object.body->mass.volume * ball.material.density;
    REQUIRE(object.rigid);
    CHECK(object.rigid->mass == mass);
    CHECK(object.rigid->centre == object.body->mass.centre);
    CHECK(object.rigid->inertia == Mat3(object.body->mass.inertia * ball.material.density));
    nlohmann::json report;
    object.report(report);
    CHECK(report["mass_kg"].get<double>() == mass);
    CHECK(mass == Approx(pi * square(a) * 0.03 * ball.material.density).epsilon(0.01));
}

TEST_CASE("a body that does not ring is weighed by its surface") {
    const scene::Solid box{
        .name = "box", .mesh = Box{{0.1, 0.2, 0.3}}, .material = *find_material("oak"), .silent = true};
    const SoundingObject object = baked(box, true);
    REQUIRE(object.rigid);
    CHECK(object.rigid->mass == Approx(0.006 * box.material.density).epsilon(1e-12));
}

TEST_CASE("equal objects share their model, contact finder and collision shape; each mesh is cleaned once") {
    BakeContext context{.still = false, .simulated = true, .quality = Quality::Draft};
    scene::Solid coin{.name = "coin",
                      .mesh = Cylinder{.radius = 0.01, .height = 0.002},
                      .material = *find_material("steel"),
                      .acceleration_noise = false,
                      .options = {.max_modes = 3}};
    const SoundingObject first = sounding(coin, context);
    coin.name = "another";
    coin.position = {1, 2, 3};
    const SoundingObject second = sounding(coin, context);
    CHECK(first.body->finder == second.body->finder);
    CHECK(first.body->surface == second.body->surface);
    CHECK(first.body->collision == second.body->collision);
    CHECK(first.shape() == second.shape());
    CHECK(second.from_cache);
}

}  // namespace mass_test
