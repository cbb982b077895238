#include "approx.hpp"

#include <clangor/motion/grains/grains.hpp>

#include <cmath>

namespace grains_bounce_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double g = 9.81;

std::vector<GrainCollision> collisions_of(const GrainWorld& world, const GrainOptions& options) {
    std::vector<GrainCollision> all;
    simulate(world, options, {.collisions = [&](std::span<const GrainCollision> block) {
                 all.insert(all.end(), block.begin(), block.end());
             }});
    return all;
}

GrainWorld on_floor(const GrainSurface& surface, const Grain& grain) {
    return {.kinds = {{.name = "ball", .density = 2500, .surface = surface}},
            .grains = {grain},
            .walls = {{.name = "floor", .surface = surface}}};
}

}  // namespace

TEST_CASE("a ball that bounces does so at the times and with the speeds of the closed form, and comes to rest") {
    const double e = 0.8, height = 1, r = 0.01;
    const GrainWorld world = on_floor({e, 0, 0, -1, 0}, {.position = {0.003, height + r, 0}, .radius = r});
    const double contact_time = 1e-4;
    const std::vector<GrainCollision> bounces = collisions_of(world, {.duration = 6, .contact_time = contact_time});
    const double v0 = std::sqrt(2 * g * height);
    double time = v0 / g, speed = v0;
    std::size_t k = 0;
    for (; k == 0 || 2 * speed / g > contact_time; ++k) {
        REQUIRE(k < bounces.size());
        CHECK(std::abs(bounces[k].time - time) < 1e-9);
        CHECK(std::abs(bounces[k].normal_speed - speed) < 1e-9);
        CHECK(bounces[k].wall == 0);
        CHECK(bounces[k].normal[1] == 1);
        CHECK(std::abs(bounces[k].point[1]) < 1e-12);
        speed *= e;
        time += 2 * speed / g;
    }
    CHECK(double(k) == Approx(std::log(contact_time * g / (2 * v0)) / std::log(e)).epsilon(0.03));
    GrainSimulator again(world, {.contact_time = contact_time});
    again.advance(6, {});
    CHECK(again.report().asleep == 1);
    CHECK(again.grains()[0].velocity.norm() == 0);
    CHECK(std::abs(again.grains()[0].position[1] - r) < 1e-9);
    CHECK(again.report().events < 1000);
}

}  // namespace grains_bounce_test
