// Objects that move by themselves among bodies that they push.
#include <approx.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

namespace own_motions_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double pushed_at = 0.1, impulse = 0.5;

// A ball that floats, and something that moves by itself.
Scene scene_with(double duration) {
    Scene scene{.duration = duration};
    scene.motion.gravity = Vec3::Zero();
    const Material steel{"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-3}, ""};
    for (const char* name : {"ball", "something"}) {
        scene::Solid solid{.name = name, .mesh = Sphere{0.02}, .material = steel};
        solid.silent = true;
        solid.moves = scene::Moves::Simulated;
        solid.position = Vec3(name[0] == 'b' ? 0 : 1, 0, 0);
        scene.objects.emplace_back(solid);
    }
    scene.listeners = {{.name = "mic", .position = {0, 1, 0}}};
    return scene;
}

double mass_of(const SoundingObject& ball) { return ball.rigid->mass; }

struct Calls {
    std::vector<std::vector<Push>> felt;  // of the ball, call by call
    std::vector<double> ball_at_end;      // where it had been going
};

// Hits the ball once, along x, wherever it is.
std::shared_ptr<Calls> replace_second(Baked& baked) {
    const auto calls = std::make_shared<Calls>();
    SoundingObject& own = baked.objects[1];
    own.rigid.reset();
    own.is_movable = true;
    own.must_be_simulated = false;
    own.move = [calls](const Surroundings& around, const Progress&) {
        const Neighbour& ball = around.neighbours.at(0);
        calls->felt.push_back(ball.felt);
        calls->ball_at_end.push_back(pose_at(*ball.path, around.duration).translation().x());
        Impact impact{.time = pushed_at, .impulse = Vec3(impulse, 0, 0), .approach_speed = 1, .sides = {}};
        impact.sides[0] = {ball.object, Vec3(-0.02, 0, 0), Vec3(-1, 0, 0), Vec3(impulse, 0, 0)};
        impact.sides[1] = {around.self, Vec3::Zero(), Vec3(1, 0, 0), Vec3(-impulse, 0, 0)};
        return OwnMotion{.impacts = {impact}, .touches = {}, .warnings = {"something: it hit a ball"}};
    };
    return calls;
}

}  // namespace

TEST_CASE("what an object that moves by itself hits flies off with the impulse that it got") {
    const Scene scene = scene_with(1);
    Baked baked = bake(scene, {});
    const std::shared_ptr<Calls> calls = replace_second(baked);
    const Motion motion = motion_of(scene, baked);
    const double speed = impulse / mass_of(baked.objects[0]);
    CHECK(pose_at(motion.bodies[0], 1).translation().x() == Approx(speed * (1 - pushed_at)).epsilon(2e-3));
    REQUIRE(motion.impacts.size() == 1);
    CHECK(motion.impacts[0].sides[0].body == 0);
    CHECK(motion.impacts[0].sides[1].body == 1);
    CHECK(std::ranges::count(motion.warnings, "something: it hit a ball") == 1);
}

TEST_CASE("it is asked again, with what others know of its pushes, until nobody goes elsewhere than before") {
    const Scene scene = scene_with(1);
    Baked baked = bake(scene, {});
    const std::shared_ptr<Calls> calls = replace_second(baked);
    (void)motion_of(scene, baked);
    REQUIRE(calls->felt.size() == 3);  // the ball moves from the second on, and then no further
    CHECK(calls->felt[0].empty());
    CHECK(calls->ball_at_end[0] == Approx(0).scale(1e-12));
    REQUIRE(calls->felt[1].size() == 1);
    CHECK(calls->felt[1][0].impulse.x() == impulse);
    CHECK(calls->ball_at_end[1] == Approx(calls->ball_at_end[2]).epsilon(1e-9));
    CHECK(calls->ball_at_end[1] > 0.5);
}

TEST_CASE("what is held is pushed in vain, and nobody is asked twice") {
    Scene scene = scene_with(1);
    std::get<scene::Solid>(scene.objects[0]).moves = scene::Moves::Fixed;
    Baked baked = bake(scene, {});
    const std::shared_ptr<Calls> calls = replace_second(baked);
    const Motion motion = motion_of(scene, baked);
    CHECK(calls->felt.size() == 1);
    CHECK_FALSE(moves(motion.bodies[0]));
    CHECK(motion.impacts.size() == 1);
}

}  // namespace own_motions_test
