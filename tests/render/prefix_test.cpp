// Where a scene ends is no business of what is heard before.
#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

namespace prefix_test {

using namespace clangor;

namespace {

// A ball that falls onto a bowl and rolls in it, heard by a microphone, by ears, and by one that rides on the ball.
// Compact, and few modes: nothing of it depends on how fields were baked.
Scene rattle(double duration) {
    const Material glass = *find_material("glass");
    Scene scene{.duration = duration};
    scene.objects = {scene::Solid{.name = "bowl",
                                  .mesh = Bowl{},
                                  .material = glass,
                                  .position = {0, 0.004, 0},
                                  .acceleration_noise = false,
                                  .options = {.refinement = 0.5, .max_modes = 12},
                                  .radiation = scene::Radiation::Compact},
                     scene::Solid{.name = "ball",
                                  .mesh = Sphere{0.01},
                                  .material = glass,
                                  .position = {0.02, 0.2, 0.01},
                                  .spin_deg = {300, 100, 0},
                                  .options = {.refinement = 0.5, .max_modes = 4},
                                  .radiation = scene::Radiation::Compact},
                     scene::Ground{.name = "floor", .material = *find_material("oak")}};
    scene.listeners = {{.name = "mic", .position = {0.5, 0.5, 0}},
                       {.name = "ears", .kind = ListenerKind::Binaural, .position = {0, 0.6, 0.6}},
                       {.name = "rider", .position = {0.3, 0.3, 0}, .attached_to = "ball"}};
    return scene;
}

Rendered render(const Scene& scene) {
    const Baked baked = bake(scene, {});
    return synthesize(scene, baked, motion_of(scene, baked), {});
}

}  // namespace

TEST_CASE("the first half second of a longer scene is that of a shorter one, to the last bit") {
    const Rendered shorter = render(rattle(0.5)), longer = render(rattle(0.9));
    const long frames = shorter.audio.frames();
    REQUIRE(frames == 24000);
    CHECK(longer.impacts > shorter.impacts);  // it does not just lie there
    REQUIRE(peak_pa(shorter.audio) > 1e-3);
    for (long channel = 0; channel < shorter.audio.samples.rows(); ++channel) {
        long first = 0;  // that differs
        while (first < frames && shorter.audio.samples(channel, first) == longer.audio.samples(channel, first)) ++first;
        CHECK_MESSAGE(first == frames, "channel ", channel);
    }
}

}  // namespace prefix_test
