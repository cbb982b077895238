// The whole way, from a scene with two balls to the pressure of their click, against the exact solution.
#include <clangor/motion/contact/contact.hpp>
#include <clangor/objects/solid/solid.hpp>
#include <clangor/render/render.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <temporary.hpp>

#include <complex>

namespace two_balls_test {

using namespace clangor;
using clangor::test::Approx;
using Complex = std::complex<double>;

namespace {

constexpr double a = 0.01, speed = 0.5, gap = 0.002;
const Vec3 listener(0.25, 0.2, 0.1);

Scene two_balls() {
    const Material steel = *find_material("steel");
    const auto ball = [&](const char* name, double side) {
        return scene::Solid{.name = name,
                            .mesh = Sphere{a},
                            .material = steel,
                            .position = {side * (a + gap / 2), 0, 0},
                            .velocity = {-side * speed, 0, 0},
                            .restitution = 1};
    };
    Scene scene{.duration = 0.05};
    scene.motion.gravity = Vec3::Zero();
    scene.objects = {ball("left", -1), ball("right", 1)};
    scene.listeners = {{.name = "mic", .position = listener}};
    return scene;
}

// A ball whose centre is at x and whose velocity changes by Δv along x, from t₀ on for τ: f″ + 2lf′ + 2l²f = A, l =
// c/a, p = (ρ0 a c cosθ/r)(f′ + (c/r) f) at t − (r − a)/c  [Koss1973]; here as a spectrum.
Complex exact_spectrum(const Vec3& x, double velocity_change, double start, double tau, double hz) {
    const Air air;
    const double omega = 2 * pi * hz, c = air.speed_of_sound, l = c / a, r = (listener - x).norm();
    const double cos_theta = (listener - x).x() / r;
    const Complex i(0, 1);
    const Complex A = velocity_change * pulse_spectrum(PulseShape::Hertz, hz * tau) *
                      std::exp(-i * omega * (start + tau / 2));  // an even pulse about its middle
    return air.density * a * c * cos_theta / r * (i * omega + c / r) /
           (2 * l * l + 2.0 * i * l * omega - omega * omega) * A * std::exp(-i * omega * (r - a) / c);
}

Complex spectrum_of(const Audio& audio, double hz) {
    Complex sum = 0;
    for (long k = 0; k < audio.frames(); ++k)
        sum += double(audio.samples(0, k)) * std::polar(1.0, -2 * pi * hz * double(k) / audio.sample_rate);
    return sum / audio.sample_rate;
}

}  // namespace

TEST_CASE(
    "one steel ball hits another: the rendered click is that of the exact solution, in level, spectrum and time") {
    const Scene scene = two_balls();
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Motion motion = motion_of(scene, baked);
    REQUIRE(motion.impacts.size() == 1);
    CHECK(motion.impacts[0].time == Approx(gap / (2 * speed)).epsilon(1e-6));
    const Rendered rendered = synthesize(scene, baked, motion, {});

    const Material steel = *find_material("steel");
    const double M = 4 * pi / 3 * cube(a) * steel.density;
    const double modulus = steel.young / (2 * (1 - square(steel.poisson)));
    const double tau = 2.868265699195331 * std::pow(square(M / 2) / (a / 2 * square(modulus) * 2 * speed), 0.2);
    const double change = 2 * speed;  // of each: J/M with J = 2 (M/2)(2v)
    const double start = gap / (2 * speed);
    double difference = 0, size = 0;
    for (double hz = 500; hz <= 18'000; hz += 500) {
        const Complex exact =
            exact_spectrum({-a, 0, 0}, -change, start, tau, hz) + exact_spectrum({a, 0, 0}, change, start, tau, hz);
        const Complex heard = spectrum_of(rendered.audio, hz);
        difference += std::norm(heard - exact);
        size += std::norm(exact);
        CHECK(std::abs(heard) == Approx(std::abs(exact)).epsilon(0.05));
    }
    CHECK(std::sqrt(difference / size) <
          0.02);  // meshes of 20 480 faces, a time scale from them, and the way in between
}

TEST_CASE("sound made in windows is the sound made at once, bit by bit, with its stems") {
    // Two balls that meet, click and ring as they go, over a floor; one is struck again later, the second time by a
    // finger. Listeners of every kind, one of which walks.
    Scene scene = two_balls();
    scene.duration = 0.4;
    scene.objects.push_back(scene::Ground{.name = "floor", .material = *find_material("concrete"), .height = -0.3});
    scene.strikes = {
        {.object = scene::name_of(scene.objects[0]), .time = 0.25, .at = {0, a, 0}, .impulse = {0, -0.01, 0}},
        {.object = scene::name_of(scene.objects[0]),
         .time = 0.3,
         .at = {0, a, 0},
         .mallet = scene::preset_mallet("finger")}};
    scene.listeners = {
        {.name = "mic", .position = {0, 0.5, 1}},
        {.name = "pair", .kind = ListenerKind::Ortf, .position = {0.3, 0.5, 1}},
        {.name = "head", .kind = ListenerKind::Binaural, .path = {{0, {1, 0.2, 1}}, {0.4, {-1, 0.2, 1}}}},
        {.name = "field", .kind = ListenerKind::Ambisonic, .position = {1, 0.5, 1}}};
    for (scene::Object& object : scene.objects)
        if (scene::Solid* solid = std::get_if<scene::Solid>(&object))
            solid->options.max_hz = 200e3;  // small steel balls ring high
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Motion motion = motion_of(scene, baked);
    for (const Quality quality : {Quality::Draft, Quality::Reference}) {
        const Rendered whole = synthesize(scene, baked, motion, {.quality = quality, .stems = true});
        REQUIRE(whole.stems.size() == 5);
        CHECK(peak_pa(whole.audio) > 1e-4);
        for (const long window : {64L * 3, 64L * 50}) {
            const Rendered parts =
                synthesize(scene, baked, motion, {.quality = quality, .stems = true, .window_frames = window});
            CHECK((parts.audio.samples == whole.audio.samples) == true);
            CHECK(parts.warnings == whole.warnings);
            for (size_t i = 0; i < 5; ++i) {
                CHECK(parts.stems[i].name == whole.stems[i].name);
                CHECK((parts.stems[i].audio.samples == whole.stems[i].audio.samples) == true);
            }
        }
    }
}

TEST_CASE("reference quality hears every click from its own direction, others after a hundred from within 0.1 rad") {
    // A ball turns by 0.02 rad from one click to the next, 5 ms apart, and is pushed along its own x each time: a
    // dipole, heard as cos θ of its own direction. The other ball, which pushes, is told not to click.
    Scene scene = two_balls();
    std::get<scene::Solid>(scene.objects[1]).acceleration_noise = false;
    constexpr int count = 160;
    constexpr double step = 0.005, turn = 0.02;
    scene.duration = (count + 2) * step;
    scene.listeners = {{.name = "mic", .position = {0, 1, 0}}};
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    Trajectory path{Eigen::VectorXd(count + 2), Points::Zero(count + 2, 3), Rotations(count + 2, 4)};
    Motion motion;
    for (int k = 0; k < count + 2; ++k) {
        path.times[k] = k * step;
        path.rotations.row(k) = Eigen::Quaterniond(Eigen::AngleAxisd(turn * k, Vec3::UnitZ())).coeffs().transpose();
    }
    motion.bodies = {path, at_rest(Eigen::Isometry3d(Eigen::Translation3d(2 * a, 0, 0)))};
    for (int k = 1; k <= count; ++k) {
        Impact impact{.time = k * step, .approach_speed = 0.5, .sides = {}};
        impact.sides[0] = {.body = 0, .point = {-a, 0, 0}, .normal = {-1, 0, 0}, .impulse = {0.01, 0, 0}};
        impact.sides[1] = {.body = 1, .point = {a, 0, 0}, .normal = {1, 0, 0}, .impulse = {-0.01, 0, 0}};
        motion.impacts.push_back(impact);
    }
    const auto worst_of = [&](Quality quality) {
        const Audio audio = synthesize(scene, baked, motion, {.quality = quality}).audio;
        Eigen::VectorXd peak(count);
        const double delay = 1 / Air{}.speed_of_sound;
        for (int k = 0; k < count; ++k) {
            const long first = std::lround(((k + 1) * step + delay - 0.0005) * audio.sample_rate);
            peak[k] =
                double(audio.samples.row(0).segment(first, std::lround(0.8 * step * audio.sample_rate)).maxCoeff());
            peak[k] = std::max(
                peak[k],
                -double(audio.samples.row(0).segment(first, std::lround(0.8 * step * audio.sample_rate)).minCoeff()));
        }
        const double loudest = peak.maxCoeff();
        double worst = 0;
        for (int k = 0; k < count; ++k)
            worst = std::max(worst, std::abs(peak[k] / loudest - std::abs(std::sin(turn * (k + 1)))));
        return worst;
    };
    // 3 %: a peak between samples, other from click to click.
    const double own = worst_of(Quality::Reference), shared = worst_of(Quality::Standard);
    CAPTURE(own);
    CAPTURE(shared);
    CHECK(own < 0.03);
    CHECK(shared > own + 0.02);
    CHECK(shared < 0.13);
}

TEST_CASE("balls that differ in size only share one solution, scaled") {
    Scene scene = two_balls();
    std::get<scene::Solid>(scene.objects[1]).scale = 1.5;
    std::get<scene::Solid>(scene.objects[1]).position.x() += 0.5 * a;
    const BakeContext context = bake_context(scene, {.cache = {}, .quality = Quality::Draft});
    std::vector<ModalModel> models;
    for (const scene::Object& object : scene.objects)
        models.push_back(solid_model(std::get<scene::Solid>(object), context));
    const auto noise_of = [&](size_t i) { return models[i].noise; };
    REQUIRE(noise_of(1));
    CHECK(noise_of(1)->radius == Approx(1.5 * noise_of(0)->radius).epsilon(1e-12));
    CHECK(noise_of(1)->pulse_scale == Approx(1.5 * noise_of(0)->pulse_scale).epsilon(1e-12));
}

TEST_CASE("a ball that is held, or told not to, makes no click") {
    Scene scene = two_balls();
    std::get<scene::Solid>(scene.objects[0]).moves = scene::Moves::Fixed;
    std::get<scene::Solid>(scene.objects[0]).velocity.setZero();
    std::get<scene::Solid>(scene.objects[1]).acceleration_noise = false;
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    CHECK_FALSE(baked.objects[0].hears_pulses);
    CHECK_FALSE(baked.objects[1].hears_pulses);
    CHECK(peak_pa(synthesize(scene, baked, motion_of(scene, baked), {}).audio) == 0);
}

TEST_CASE("a listener nearer to a ball than its click is known is refused, or hears it as from there if told to") {
    Scene scene = two_balls();
    // Two balls are known to their surface: a listener inside one of them.
    scene.listeners[0].position = {-a - gap / 2, 0.3 * a, 0};
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Motion motion = motion_of(scene, baked);
    CHECK_THROWS_WITH_AS(synthesize(scene, baked, motion, {}), doctest::Contains("\"near_field\": \"clamp\""), Error);
    scene.listeners[0].near_field = scene::NearField::Clamp;
    const Rendered rendered = synthesize(scene, baked, motion, {});
    CHECK(std::isfinite(peak_pa(rendered.audio)));
    CHECK(peak_pa(rendered.audio) > 0);
    REQUIRE_FALSE(rendered.warnings.empty());
}

TEST_CASE("a bake that is stopped is kept as far as it was, and the next one ends with the same bytes") {
    namespace fs = std::filesystem;
    const fs::path folder = testing::temporary("stopped_bake");
    Scene scene{.duration = 0.1};
    scene.objects = {scene::Solid{.name = "die",
                                  .mesh = Box{.size = Vec3(0.016, 0.014, 0.012)},
                                  .material = *find_material("steel"),
                                  .velocity = {0, -1, 0}}};
    const auto entry_of = [](const fs::path& cache, const std::string& ending) {
        for (const auto& entry : fs::directory_iterator(cache))
            if (entry.path().string().ends_with(ending)) return entry.path();
        return fs::path();
    };
    const auto bytes_of = [&](const fs::path& cache) { return io::read_bytes(entry_of(cache, ".noise.h5")); };
    bake(scene, {.cache = {folder / "whole"}, .quality = Quality::Draft});

    const fs::path stopped = folder / "stopped";
    const Progress stop{[&](std::string_view, double) {
        if (fs::exists(stopped) && !entry_of(stopped, ".noise.begun.h5").empty()) throw Error("stopped by the user");
    }};
    CHECK_THROWS_AS(bake(scene, {.cache = {stopped}, .quality = Quality::Draft}, stop), Error);
    CHECK_FALSE(entry_of(stopped, ".noise.begun.h5").empty());
    CHECK(entry_of(stopped, ".noise.h5").empty());
    bake(scene, {.cache = {stopped}, .quality = Quality::Draft});
    CHECK(entry_of(stopped, ".noise.begun.h5").empty());
    CHECK(bytes_of(stopped) == bytes_of(folder / "whole"));
    fs::remove_all(folder);
}

}  // namespace two_balls_test
