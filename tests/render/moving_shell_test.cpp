// Shells of a scene whose modes move together, from the hit to what is heard.
#include <approx.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <threads.hpp>

#include <complex>

namespace moving_shell_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-3}, ""};

// A sheet of steel of 200 × 150 × 0.5 mm that floats, struck off its middle.
Scene sheet(double impulse, scene::ShellMethod method, int modes = 30) {
    Scene scene{.duration = 0.7};
    scene::Shell shell{
        .body = {.name = "sheet", .mesh = Sheet{0.2, 0.15}, .material = steel, .options = {.max_hz = 3000}},
        .thickness = 0.0005,
        .method = method};
    shell.body.acceleration_noise = false;
    if (method != scene::ShellMethod::Linear) shell.nonlinear_modes = modes;
    scene.objects = {shell};
    scene.strikes = {
        {.object = "sheet", .time = 0.01, .at = {0.07, 0, 0.05}, .impulse = {0, -impulse, 0}, .contact_time = 4e-4}};
    scene.listeners = {{.name = "mic", .position = {0.1, 0.5, 0.3}}};
    return scene;
}

// The same, clamped along one side, as a wobble board is held.
Scene board(double impulse, scene::ShellMethod method) {
    Scene scene = sheet(impulse, method, 15);
    auto& shell = std::get<scene::Shell>(scene.objects[0]);
    shell.body.options.supports = {{.kind = scene::SupportKind::Clamped, .side = scene::Side::LowX}};
    shell.body.options.min_hz = 5;
    shell.body.options.max_hz = 1000;
    return scene;
}

struct Sounds {
    Rendered rendered;
    Eigen::VectorXd hz;  ///< of the modes
    nlohmann::json report;
};

Sounds sounds_of(const Scene& scene, long window = 1L << 17) {
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Motion motion = motion_of(scene, baked);
    Sounds sounds{synthesize(scene, baked, motion, {.quality = Quality::Draft, .stems = true, .window_frames = window}),
                  baked.objects[0].mobility->omega / (2 * pi),
                  {}};
    sounds.report = report_of(scene, baked, motion, sounds.rendered, levels_of(sounds.rendered.audio), 0);
    return sounds;
}

// Of what rings after the hit, which is over by then.
double amplitude(const Audio& audio, double hz, double over = 0.02) {
    const long from = std::lround(over * audio.sample_rate);
    std::complex<double> sum = 0;
    for (long k = from; k < audio.frames(); ++k)
        sum += square(std::sin(pi * double(k - from) / double(audio.frames() - from))) * double(audio.samples(0, k)) *
               std::polar(1.0, -2 * pi * hz * double(k) / audio.sample_rate);
    return std::abs(sum);
}

// The energy above a frequency, as part of all.
double brightness(const Audio& audio, double above_hz) {
    double high = 0, all = 0;
    for (double hz = 50; hz < 6000; hz += 20) {
        const double energy = square(amplitude(audio, hz));
        all += energy;
        if (hz > above_hz) high += energy;
    }
    return high / all;
}

}  // namespace

TEST_CASE("hit quietly, a shell sounds as its modes do by themselves: each to 0.1 dB, by either method") {
    const Sounds linear = sounds_of(sheet(1e-6, scene::ShellMethod::Linear));
    REQUIRE(linear.hz.size() > 30);
    for (const scene::ShellMethod method : {scene::ShellMethod::Nonlinear, scene::ShellMethod::Seed}) {
        const Sounds coupled = sounds_of(sheet(1e-6, method));
        double loudest = 0;
        for (const double hz : linear.hz) loudest = std::max(loudest, amplitude(linear.rendered.audio, hz));
        long compared = 0;
        for (const double hz : linear.hz) {
            const double level = amplitude(linear.rendered.audio, hz);
            if (level < 1e-3 * loudest) continue;  // on a node of the strike
            CAPTURE(hz);
            CHECK(std::abs(20 * std::log10(amplitude(coupled.rendered.audio, hz) / level)) < 0.1);
            ++compared;
        }
        CHECK(compared > 15);
        CHECK(coupled.report["objects"][0]["largest_thicknesses"].get<double>() < 0.01);
    }
}

TEST_CASE("held along a side and hit quietly, a shell sounds as its modes do by themselves; hit hard, it does not") {
    const Sounds linear = sounds_of(board(1e-6, scene::ShellMethod::Linear)),
                 coupled = sounds_of(board(1e-6, scene::ShellMethod::Nonlinear));
    REQUIRE(linear.hz.size() > 15);
    CHECK(linear.hz[0] < 15);  // 0.1615 h/L² √(E/ρ(1 − ν²)) of a strip is 10 Hz
    double loudest = 0;
    for (const double hz : linear.hz) loudest = std::max(loudest, amplitude(linear.rendered.audio, hz));
    for (const double hz : linear.hz) {
        const double level = amplitude(linear.rendered.audio, hz);
        if (level < 1e-3 * loudest) continue;
        CAPTURE(hz);
        CHECK(std::abs(20 * std::log10(amplitude(coupled.rendered.audio, hz) / level)) < 0.1);
    }
    const Sounds hard = sounds_of(board(0.02, scene::ShellMethod::Nonlinear));
    const double moved = hard.report["objects"][0]["largest_thicknesses"];
    CHECK(moved > 1);
    CHECK(moved < 0.99 * 2e4 * coupled.report["objects"][0]["largest_thicknesses"].get<double>());
}

// A shallow dome of 0.7 mm under a soft mallet of 0.3 kg, which it stops for some milliseconds.
Scene dome(double speed, scene::ShellMethod method) {
    Scene scene = sheet(0, method, 40);
    auto& shell = std::get<scene::Shell>(scene.objects[0]);
    shell.body.mesh = Dome{.radius = 0.2, .depth = 0.006};
    shell.body.material.damping.loss_factor = 1e-5;  // so that nothing decays while felt holds on to it
    shell.thickness = 0.0007;
    shell.body.options.max_hz = 800;
    scene.strikes = {{.object = "sheet",
                      .time = 0.01,
                      .at = {0.02, 0, 0},
                      .mallet = scene::Mallet{.mass = 0.3,
                                              .radius = 0.05,
                                              .material = *scene::mallet_material("felt"),
                                              .speed = speed,
                                              .direction = Vec3(0, 1, 0)}}};
    return scene;
}

TEST_CASE("a dome that gives way under a soft mallet gets no more energy than the mallet had") {
    for (const double speed : {0.25, 0.5, 1.0, 2.0, 4.0}) {  // up to 5 thicknesses
        CAPTURE(speed);
        const double energy =
            sounds_of(dome(speed, scene::ShellMethod::Nonlinear)).report["objects"][0]["largest_energy_j"];
        CHECK(energy > 0);
        CHECK(energy < 0.15 * square(speed));
    }
}

TEST_CASE("a mallet that hits a shell softly finds it as its modes are by themselves") {
    const Sounds linear = sounds_of(dome(1e-3, scene::ShellMethod::Linear)),
                 coupled = sounds_of(dome(1e-3, scene::ShellMethod::Nonlinear));
    const double over = 0.1;  // felt holds on to it for 40 ms, and the filters reach two periods further
    double loudest = 0;
    for (const double hz : linear.hz) loudest = std::max(loudest, amplitude(linear.rendered.audio, hz, over));
    for (const double hz : linear.hz) {
        const double level = amplitude(linear.rendered.audio, hz, over);
        if (level < 1e-2 * loudest) continue;
        CAPTURE(hz);
        CHECK(std::abs(20 * std::log10(amplitude(coupled.rendered.audio, hz, over) / level)) < 0.1);
    }
}

// A disc of 0.3 mm that its own rim has bent to one side.
Scene clicker(double impulse, double prestress) {
    Scene scene = sheet(impulse, scene::ShellMethod::Nonlinear, 15);
    auto& shell = std::get<scene::Shell>(scene.objects[0]);
    shell.body.mesh = Disc{.radius = 0.06};
    shell.body.material.damping.loss_factor = 0.05;
    shell.thickness = 0.0003;
    shell.prestress = prestress;
    scene.strikes[0].at = {0.01, 0, 0};
    scene.strikes[0].time = 0.1;
    return scene;
}

TEST_CASE("a disc whose middle is too long rests bulged and silent, and snaps to either side when it is pushed hard") {
    const Sounds quiet = sounds_of(clicker(1e-5, 1.5));
    const auto& samples = quiet.rendered.audio.samples;
    const long before = std::lround(0.08 * 48000);  // two periods of the lowest mode before the hit
    CHECK(samples.leftCols(before).cwiseAbs().maxCoeff() < 1e-9f * samples.cwiseAbs().maxCoeff());
    CHECK(quiet.report["objects"][0]["snaps"] == 0);
    const double rests_at = quiet.report["objects"][0]["largest_thicknesses"];
    CHECK(rests_at > 0.3);
    CHECK(rests_at < 5);
    // It is pushed one way or the other: the disc does not know which is up.
    const auto snaps = [](double impulse) {
        return sounds_of(clicker(impulse, 1.5)).report["objects"][0]["snaps"].get<long>();
    };
    long down = 0, up = 0;
    for (const double impulse : {0.002, 0.004, 0.008, 0.016}) {
        down += snaps(impulse);
        up += snaps(-impulse);
    }
    CHECK(down + up > 0);
    // Below the critical prestress there is one place to rest.
    const Sounds flat = sounds_of(clicker(1e-5, 0.9));
    CHECK_FALSE(flat.report["objects"][0].contains("snaps"));
    CHECK(flat.report["objects"][0]["largest_thicknesses"].get<double>() < 0.1);
}

TEST_CASE("hit ten thousand times as hard, a shell's low modes feed the high ones, and it says how far it moved") {
    const Sounds soft = sounds_of(sheet(1e-5, scene::ShellMethod::Nonlinear, 80)),
                 hard = sounds_of(sheet(0.1, scene::ShellMethod::Nonlinear, 80));
    CHECK(brightness(hard.rendered.audio, 2000) > 2 * brightness(soft.rendered.audio, 2000));
    const double moved = hard.report["objects"][0]["largest_thicknesses"];
    CHECK(moved > 1);
    CHECK(moved < 8000 * soft.report["objects"][0]["largest_thicknesses"].get<double>());  // it hardens
    CHECK(hard.rendered.audio.samples.allFinite());
}

TEST_CASE("a blow beyond what the model is checked for is finite, and warned about") {
    const Sounds sounds = sounds_of(sheet(0.3, scene::ShellMethod::Nonlinear));
    CHECK(sounds.rendered.audio.samples.allFinite());
    const double moved = sounds.report["objects"][0]["largest_thicknesses"];
    CHECK(moved > 5);
    CHECK(sounds.report["objects"][0]["beyond_validity_s"].get<double>() > 0);
    bool warned = false;
    for (const std::string& warning : sounds.rendered.warnings)
        warned |= warning.find("more than five times its thickness") != std::string::npos;
    CHECK(warned);
}

TEST_CASE("the samples of a shell are the same for any number of threads, windows and listeners") {
    Scene scene = sheet(1e-2, scene::ShellMethod::Nonlinear);
    scene.duration = 0.2;
    scene.listeners.push_back({.name = "pair", .kind = ListenerKind::Ortf, .position = {-0.3, 0.5, 0.4}});
    const Samples all = sounds_of(scene).rendered.audio.samples;
    for (const int threads : {1, 2, 3, 5, 16}) {
        const testing::Threads limit(threads);
        CHECK((sounds_of(scene, 64 * 11).rendered.audio.samples == all) == true);
    }
    scene.listeners.pop_back();
    CHECK((sounds_of(scene).rendered.audio.samples.row(0) == all.row(0)) == true);
}

TEST_CASE("so many modes couple as are asked for; the others ring by themselves, and the sum has all") {
    const Sounds few = sounds_of(sheet(1e-6, scene::ShellMethod::Nonlinear, 5)),
                 linear = sounds_of(sheet(1e-6, scene::ShellMethod::Linear));
    const std::vector<Stem>& stems = few.rendered.stems;
    REQUIRE(stems.size() == 2);
    CHECK(stems[0].name == "sheet.nonlinear");
    CHECK(stems[1].name == "sheet.modal");
    const Audio &together = stems[0].audio, &alone = stems[1].audio, &all = few.rendered.audio;
    CHECK((together.samples + alone.samples - all.samples).cwiseAbs().maxCoeff() <
          1e-5f * all.samples.cwiseAbs().maxCoeff());
    CHECK(amplitude(together, few.hz[2]) > 30 * amplitude(alone, few.hz[2]));
    CHECK(amplitude(alone, few.hz[9]) > 30 * amplitude(together, few.hz[9]));
    CHECK(amplitude(all, few.hz[9]) == Approx(amplitude(linear.rendered.audio, few.hz[9])).epsilon(0.01));
}

}  // namespace moving_shell_test
