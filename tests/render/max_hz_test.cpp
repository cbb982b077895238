// max_hz says what is heard: bodies feel contacts by modes above it all the same.
#include <clangor/render/excite.hpp>
#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include <cmath>
#include <complex>

namespace max_hz_test {

using namespace clangor;

namespace {

struct Body3 {
    const char* name;
    Shape shape;
    const char* material;
    Vec3 at;  ///< where a mallet hits it
};

const std::array<Body3, 3> bodies = {{
    {"plate", Box{{0.16, 0.004, 0.12}}, "steel", {0.05, 0.002, 0.03}},
    {"bar", Box{{0.2, 0.008, 0.025}}, "glass", {0.09, 0.004, 0.01}},
    {"bowl", Bowl{.radius = 0.06, .depth = 0.05, .thickness = 0.004}, "porcelain", {0, 0.016, 0.044}},
}};

// A hard small mallet, which is over soon: high modes matter to it most.
Scene struck(const Body3& body, double max_hz) {
    Scene scene{.duration = 0.25};
    scene.objects.push_back(scene::Solid{.name = body.name,
                                         .mesh = body.shape,
                                         .material = *find_material(body.material),
                                         .acceleration_noise = false,
                                         .options = {.refinement = 0.6, .max_hz = max_hz}});
    scene.strikes.push_back(
        {.object = body.name,
         .time = 0.01,
         .at = body.at,
         .mallet = scene::Mallet{.mass = 0.01, .radius = 0.005, .material = *find_material("steel"), .speed = 1}});
    scene.listeners = {{.name = "mic", .position = {0.3, 0.8, 0.4}}};
    return scene;
}

struct Heard {
    long modes = 0;
    Eigen::VectorXd omega;  ///< of all modes that contacts feel
    Samples samples;
};

Heard heard(const Body3& body, double max_hz) {
    const Scene scene = struck(body, max_hz);
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    nlohmann::json report;
    baked.objects[0].report(report);
    const Rendered rendered = synthesize(scene, baked, motion_of(scene, baked), {.quality = Quality::Draft});
    return {report["modes"].get<long>(), baked.objects[0].mobility->omega, rendered.audio.samples};
}

// At one frequency, while the sound rings [Pa].
double level(const Heard& sound, double omega) {
    constexpr double rate = 48000;
    const long first = long(0.03 * rate), count = long(0.2 * rate);
    std::complex<double> sum = 0;
    for (long k = 0; k < count; ++k) {
        const double window = 0.5 - 0.5 * std::cos(2 * pi * double(k) / double(count));
        sum += window * double(sound.samples(0, first + k)) * std::polar(1.0, -omega * double(k) / rate);
    }
    return std::abs(sum) / double(count);
}

}  // namespace

TEST_CASE("a mallet's hit below 6 kHz sounds the same to 0.5 dB, whether modes are heard up to 20 or up to 8 kHz") {
    for (const Body3& body : bodies) {
        CAPTURE(std::string(body.name));
        const Heard all = heard(body, 20e3), some = heard(body, 8e3);
        CHECK(some.omega.size() == all.omega.size());
        CHECK(some.modes == (all.omega.array() <= 2 * pi * 8e3).count());
        CHECK(some.modes < all.modes);
        double loudest = 0;
        for (const double omega : all.omega) loudest = std::max(loudest, level(all, omega));
        int compared = 0;
        for (const double omega : all.omega) {
            if (level(all, omega) < 1e-3 * loudest) continue;
            const double change_db = 20 * std::log10(level(some, omega) / level(all, omega));
            if (omega < 2 * pi * 6e3) {
                CHECK(std::abs(change_db) < 0.5);
                ++compared;
            }
            // Hann's window is 60 dB down 60 Hz away, and modes that die soon are wider.
            if (omega > 2 * pi * 9e3) CHECK(change_db < -20);
        }
        CHECK(compared >= 4);
    }
}

TEST_CASE("where no contact acts, max_hz leaves modes out altogether") {
    Scene scene = struck(bodies[1], 8e3);
    scene.strikes[0].mallet.reset();
    scene.strikes[0].impulse = {0, -0.01, 0};
    const Baked given = bake(scene, {.cache = {}, .quality = Quality::Draft});
    CHECK(given.objects[0].mobility->omega.maxCoeff() < 2 * pi * 8e3);
    nlohmann::json report;
    given.objects[0].report(report);
    CHECK(!report.contains("unheard_modes"));
}

}  // namespace max_hz_test
