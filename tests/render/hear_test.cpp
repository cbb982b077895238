#include "breathing_sphere.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace hear_test {

using namespace clangor;
using clangor::test::Approx;
using test::breathing_sphere;

namespace {

Scene struck_ball(const std::vector<scene::Listener>& listeners) {
    Scene scene{.duration = 0.3};
    scene.objects = {scene::Solid{.name = "ball",
                                  .material = {.density = 1000, .young = 1e9, .poisson = 0.3, .damping = {.alpha = 4}},
                                  .position = {0, 1, 0}}};
    scene.strikes = {{.object = "ball", .time = 0.01, .at = {0, 0.02, 0}, .impulse = {0, -0.01, 0}}};
    scene.listeners = listeners;
    return scene;
}

Baked baked_ball(const Scene& scene) {
    static const auto model = std::make_shared<const ModalBody>(breathing_sphere(0.02, 700, 1));
    return test::baked_with(scene, model);
}

}  // namespace

TEST_CASE("a floor adds the image of the sound: its delay and its strength are those of the reflected listener") {
    // Straight: (0, 1, 0) to (1, 1, 0). By the floor at y = 0: as far as the image (1, −1, 0).
    Scene scene = struck_ball({{.name = "mic", .position = {1, 1, 0}}});
    const Baked ball = baked_ball(scene);
    const Rendered straight = synthesize(scene, ball, motion_of(scene, ball), {});
    scene.listeners[0].position = {1, -1, 0};
    const Rendered image = synthesize(scene, ball, motion_of(scene, ball), {});
    scene.listeners[0].position = {1, 1, 0};
    Motion motion = motion_of(scene, ball);
    scene.objects.push_back(scene::Ground{.name = "floor", .material = *find_material("concrete"), .reflection = 0.8});
    motion.bodies.push_back(at_rest(Eigen::Isometry3d::Identity()));
    const Baked both = baked_ball(scene);
    const Rendered mirrored = synthesize(scene, both, motion, {});
    const Samples expected = straight.audio.samples + 0.8f * image.audio.samples;
    CHECK((mirrored.audio.samples - expected).cwiseAbs().maxCoeff() < 1e-5f * expected.cwiseAbs().maxCoeff());
    CHECK(peak_pa(image.audio) > 0.2 * peak_pa(straight.audio));
}

TEST_CASE("a listener on a path hears what fixed listeners hear at its places, when it is there") {
    // So slow (1 cm/s) that at each time the sound is that of a listener at rest there, to the level's change in the
    // delay.
    const Vec3 from(1, 1, 0), to(1.003, 1, 0);
    Scene scene = struck_ball({{.name = "walker", .path = {{0, from}, {0.3, to}}}, {.name = "end", .position = to}});
    const Baked ball = baked_ball(scene);
    const Samples heard = synthesize(scene, ball, motion_of(scene, ball), {}).audio.samples;
    const long last = heard.cols() - 500;
    double difference = 0, peak = 0;
    for (long k = last; k < heard.cols(); ++k) {
        difference = std::max(difference, std::abs(double(heard(0, k) - heard(1, k))));
        peak = std::max(peak, std::abs(double(heard(1, k))));
    }
    CHECK(difference < 0.003 * peak);  // 0.1 mm of path: kΔr = 1.3e-3
}

TEST_CASE("a listener attached to a moving body keeps its distance: no Doppler, no change of level") {
    Scene scene = struck_ball({{.name = "rider", .position = {0.5, 0, 0}, .attached_to = "ball"}});
    scene.objects.front() = [&] {
        scene::Solid solid = std::get<scene::Solid>(scene.objects.front());
        solid.moves = scene::Moves::Fixed;
        return solid;
    }();
    const Baked ball = baked_ball(scene);
    Motion riding;
    Trajectory& path = riding.bodies.emplace_back();
    path = {Eigen::Vector2d(0, 0.3), Points(2, 3), Rotations(2, 4)};
    path.positions << 0, 1, 0, 6, 1, 0;  // 20 m/s along x
    path.rotations << 0, 0, 0, 1, 0, 0, 0, 1;
    const Samples moving = synthesize(scene, ball, riding, {}).audio.samples;
    Motion resting;
    resting.bodies = {at_rest(Eigen::Isometry3d(Eigen::Translation3d(0, 1, 0)))};
    const Samples still = synthesize(scene, ball, resting, {}).audio.samples;
    // Ahead of the source the path through the air is longer by 1/(1 − v/c) = 6 %; the pitch is the same.
    const auto crossings = [](const Samples& samples) {
        long count = 0;
        for (long k = 1000; k < samples.cols(); ++k) count += samples(0, k - 1) < 0 && samples(0, k) >= 0;
        return count;
    };
    CHECK(std::abs(crossings(moving) - crossings(still)) <= 1);
}

TEST_CASE("a listener inside an object is told so, and hears something finite") {
    const Scene scene = struck_ball({{.name = "inside", .position = {0, 1, 0.001}}});
    const Baked ball = baked_ball(scene);
    const Rendered rendered = synthesize(scene, ball, motion_of(scene, ball), {});
    REQUIRE(rendered.warnings.size() == 1);
    CHECK(rendered.warnings[0].find("listener \"inside\" is within object \"ball\"") != std::string::npos);
    CHECK(std::isfinite(peak_pa(rendered.audio)));
}

}  // namespace hear_test
