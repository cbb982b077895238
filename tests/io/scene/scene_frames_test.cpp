#include <doctest/doctest.h>
#include <clangor/scene/scene.hpp>

namespace scene_frames_test {

using namespace clangor;

namespace {

// 1e-15: sines and cosines of right angles are off by one rounding.
bool same(const Vec3& a, const Vec3& b) { return (a - b).norm() < 1e-15; }

}  // namespace

TEST_CASE("an object turns about the world's x axis first, then y, then z, and is moved last") {
    scene::Solid solid;
    solid.rotation_deg = {90, 0, 0};
    CHECK(same(world_from_body(solid) * Vec3(0, 1, 0), {0, 0, 1}));
    solid.rotation_deg = {0, 90, 0};
    CHECK(same(world_from_body(solid) * Vec3(0, 0, 1), {1, 0, 0}));
    solid.rotation_deg = {0, 0, 90};
    CHECK(same(world_from_body(solid) * Vec3(1, 0, 0), {0, 1, 0}));
    // x first: y → z; then the world's z axis by 90° leaves z. The other order would give −x.
    solid.rotation_deg = {90, 0, 90};
    CHECK(same(world_from_body(solid) * Vec3(0, 1, 0), {0, 0, 1}));
    // x: y → z; y: z → x; z: x → y.
    solid.rotation_deg = {90, 90, 90};
    CHECK(same(world_from_body(solid) * Vec3(0, 1, 0), {0, 1, 0}));
    solid.position = {1, 2, 3};
    CHECK(same(world_from_body(solid) * Vec3(0, 1, 0), {1, 3, 3}));
}

TEST_CASE("scale belongs to the mesh: the body's frame is in metres already") {
    scene::Solid solid;
    solid.scale = 0.001;
    CHECK(same(world_from_body(solid) * Vec3(0, 0.1, 0), {0, 0.1, 0}));
}

TEST_CASE("an object knows its name whatever it is") {
    scene::Solid bowl;
    bowl.name = "bowl";
    scene::Ground floor;
    floor.name = "floor";
    CHECK(scene::name_of(bowl) == "bowl");
    CHECK(scene::name_of(floor) == "floor");
}

}  // namespace scene_frames_test
