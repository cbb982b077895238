// Rods that hit and are hit in scenes: momentum, restitution, and what shapes and files say.
#include <approx.hpp>

#include <clangor/render/render.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <fstream>
#include <string>

namespace rod_contacts_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-3}, "", {}, 0.3, 0.6};

// Short and thick: its lowest mode is at 12 kHz, so that soft things meet it as one stiff body.
scene::Rod stub(const std::string& name) {
    scene::Rod rod{.name = name, .material = steel};
    rod.curve = scene::StraightCurve{0.06};
    rod.section = CircleSection{0.005};
    rod.count = 13;
    rod.position = {-0.03, 0, 0};
    return rod;
}

double mass_of(const scene::Rod& rod) {
    return rod.material.density * properties_of(rod.section).area * std::get<scene::StraightCurve>(rod.curve).length;
}

struct Moved {
    Baked baked;
    Motion motion;
};

Moved moved(const Scene& scene) {
    Moved result{bake(scene, {.cache = {}, .quality = Quality::Draft}), {}};
    result.motion = motion_of(scene, result.baked);
    return result;
}

Vec3 velocity(const Motion& motion, size_t body, double time) {
    return (pose_at(motion.bodies[body], time + 0.02).translation() -
            pose_at(motion.bodies[body], time - 0.02).translation()) /
           0.04;
}

Scene floating(std::vector<scene::Object> objects, double duration) {
    Scene scene{.duration = duration};
    scene.motion.gravity = Vec3::Zero();
    scene.objects = std::move(objects);
    scene.listeners = {{.name = "mic", .position = {0, 0.5, 0}}};
    return scene;
}

double pitch_near(const Audio& audio, double hz) {
    double best = 0, at = 0;
    for (double f = 0.95 * hz; f < 1.05 * hz; f += 1e-3 * hz) {
        std::complex<double> sum = 0;
        for (long k = 0; k < audio.frames(); ++k)
            sum += (1 - std::cos(2 * pi * double(k) / double(audio.frames()))) * double(audio.samples(0, k)) *
                   std::polar(1.0, -2 * pi * f * double(k) / audio.sample_rate);
        if (std::abs(sum) > best) best = std::abs(sum), at = f;
    }
    return at;
}

Audio heard(const Scene& scene) {
    const Moved done = moved(scene);
    return synthesize(scene, done.baked, done.motion, {.quality = Quality::Draft}).audio;
}

}  // namespace

TEST_CASE("a soft mallet gives a rod the momentum that Newton's restitution says, in the middle and beside it") {
    // Rubber on steel: all compliance, and so all loss, is the mallet's. Of the rod's mass m_e counts what is at x from
    // its middle: 1/m_e = 1/M + x²/I, and it moves off as J = (1 + e) v/(1/m + 1/m_e) tells.
    for (const double x : {0.0, 0.02}) {
        Scene scene = floating({stub("rod")}, 0.15);
        scene::Mallet mallet = *scene::preset_mallet("rubber");
        mallet.speed = 0.5;
        mallet.direction = Vec3(0, -1, 0);
        mallet.material.restitution = 0.5;
        scene.strikes = {{.object = "rod", .time = 0.01, .along = 0.03 + x, .mallet = mallet}};
        const scene::Rod rod = stub("rod");
        const double M = mass_of(rod), I = M * square(0.06) / 12;
        const double impulse = 1.5 * mallet.speed / (1 / mallet.mass + 1 / M + x * x / I);
        const double speed = -velocity(moved(scene).motion, 0, 0.12).y();
        INFO("at " << x << " m: " << speed << " m/s, of " << impulse / M);
        CHECK(speed == Approx(impulse / M).epsilon(0.03));  // 3 %: restitution is the law's for slow impacts
    }
}

TEST_CASE("two rods that meet crosswise keep their momentum, and part with what they are made of") {
    scene::Rod first = stub("first"), second = stub("second");
    first.velocity = {0, -0.4, 0};
    first.position = {-0.03, 0.013, 0};
    second.position = {0, 0, -0.03};
    second.rotation_deg = {0, -90, 0};
    const Moved both = moved(floating({first, second}, 0.12));
    const Vec3 v1 = velocity(both.motion, 0, 0.09), v2 = velocity(both.motion, 1, 0.09);
    INFO("velocities " << v1.y() << " and " << v2.y() << " m/s");
    CHECK((v1 + v2 - first.velocity).norm() < 1e-3 * 0.4);  // of equal mass
    // What rods ring by is lost to their parting; with that, no more than the material's restitution comes back.
    const double restitution = (v1 - v2).y() / 0.4;
    CHECK(restitution > 0.4);
    CHECK(restitution < 0.6 * 1.03);
}

TEST_CASE("a rod that flies against a hanging body swings it with the momentum that it loses") {
    scene::Rod rod = stub("rod");
    rod.rotation_deg = {0, 90, 0};  // across its way
    rod.position = {-0.08, -0.1, 0.03};
    rod.velocity = {1, 0, 0};
    rod.gravity = scene::RodGravity::Off;
    scene::Solid plate{.name = "plate", .mesh = Box{.size = {0.02, 0.1, 0.1}}, .material = *find_material("oak")};
    plate.position = {0, -0.1, 0};
    plate.hangs_at = Vec3(0, 0.05, 0);
    plate.silent = true;
    Scene scene{.duration = 0.1};
    scene.objects = {rod, plate};
    scene.listeners = {{.name = "mic", .position = {0, 0.5, 0}}};
    const Moved done = moved(scene);
    REQUIRE(!done.motion.impacts.empty());
    Vec3 on_plate = Vec3::Zero();
    for (const Impact& impact : done.motion.impacts) on_plate += impact.impulse;
    for (const Touch& touch : done.motion.touches) on_plate += touch.impulse;
    const double M = mass_of(rod);
    const double lost = M * (1 - velocity(done.motion, 0, 0.09).x());
    CHECK(on_plate.x() == Approx(lost).epsilon(0.02));
    // A pendulum: it turns about the end of its string, h above its middle, which was hit. There J gives it the speed
    // J h²/(I + m h²), and swinging takes it back as cos(ωt), ω² = m g h/(I + m h²).
    const double m = done.baked.objects[1].rigid->mass, h = 0.05;
    const double about_string = m * (square(0.02) + square(0.1)) / 12 + m * h * h;
    const double since = 0.09 - done.motion.impacts[0].time;
    const double expected =
        on_plate.x() * h * h / about_string * std::cos(std::sqrt(m * 9.81 * h / about_string) * since);
    const double speed = (pose_at(done.motion.bodies[1], 0.092).translation().x() -
                          pose_at(done.motion.bodies[1], 0.088).translation().x()) /
                         0.004;
    CHECK(speed == Approx(expected).epsilon(0.02));
}

TEST_CASE("a ring rings at the pitches of a ring") {
    // In its plane, n waves around: ω² = n²(n² − 1)²/(n² + 1) EI/(ρA R⁴).
    scene::Rod ring{.name = "ring", .material = steel};
    ring.curve = scene::RingCurve{0.05};
    ring.section = CircleSection{0.0015};
    ring.count = 60;
    ring.touches = false;
    Scene scene = floating({ring}, 0.25);
    scene.strikes = {{.object = "ring", .time = 0.005, .along = 0, .impulse = {-1e-4, 0, 0}, .contact_time = 2e-4}};
    scene.listeners[0].position = {0.3, 0, 0};
    const double hz = 2 * 3 / std::sqrt(5.0) * std::sqrt(200e9 / 7800) * 0.0015 / 2 / square(0.05) / (2 * pi);
    CHECK(pitch_near(heard(scene), hz) == Approx(hz).epsilon(0.01));
}

TEST_CASE("a helix between two walls swings along its axis as a spring does") {
    // A close coil: k = G d⁴/(8 D³ N), half a wave of its own mass between the walls: f = ½ √(k/m).
    const double R = 0.015, r = 0.001, turns = 5;
    scene::Rod coil{.name = "coil", .material = steel};
    coil.curve = scene::HelixCurve{.radius = R, .pitch = 0.005, .turns = turns};
    coil.section = CircleSection{r};
    coil.count = 120;
    const double length = turns * std::hypot(2 * pi * R, 0.005);
    coil.supports = {{.kind = scene::RodHoldKind::Clamped, .at = 0},
                     {.kind = scene::RodHoldKind::Clamped, .at = length}};
    coil.touches = false;
    Scene scene = floating({coil}, 0.3);
    scene.strikes = {
        {.object = "coil", .time = 0.005, .along = length / 2, .impulse = {1e-3, 0, 0}, .contact_time = 2e-3}};
    scene.listeners[0].position = {0.3, 0, 0};
    const double G = 200e9 / 2.6, k = G * square(square(2 * r)) / (8 * cube(2 * R) * turns);
    const double hz = 0.5 * std::sqrt(k / (7800 * pi * r * r * length));
    CHECK(pitch_near(heard(scene), hz) == Approx(hz).epsilon(0.03));  // 3 %: the pitch angle is 3°, and D/d 15
}

TEST_CASE("points of a file make the same sound as the shape that they are on") {
    const std::filesystem::path file = std::filesystem::temp_directory_path() / "clangor_rod_points.csv";
    std::ofstream(file) << "x, y, z\n0, 0, 0  # one end\n0.02; 0; 0\n\n0.06\t0\t0\n";
    Scene scene = floating({stub("rod")}, 0.02);
    scene.strikes = {{.object = "rod", .time = 0.001, .along = 0.01, .impulse = {0, 1e-3, 0}}};
    const Samples of_shape = heard(scene).samples;
    std::get<scene::Rod>(scene.objects[0]).curve = scene::PointsCurve{.file = file};
    const Samples of_file = heard(scene).samples;
    std::filesystem::remove(file);
    CHECK(of_shape.cwiseAbs().maxCoeff() > 1e-3f);
    CHECK((of_file - of_shape).cwiseAbs().maxCoeff() < 1e-5f * of_shape.cwiseAbs().maxCoeff());
}

TEST_CASE("points that are nearer to each other than the rod is thick leave its pitch alone") {
    const double hz = square(4.730041 / 0.25) * std::sqrt(200e9 / 7800) * 0.004 / 2 / (2 * pi);
    for (const int count : {24, 60}) {  // 10 mm apart, and 4 mm
        scene::Rod rod{.name = "rod", .material = steel};
        rod.curve = scene::StraightCurve{0.25};
        rod.section = CircleSection{0.004};
        rod.count = count;
        rod.shear = true;
        Scene scene = floating({rod}, 0.1);
        scene.strikes = {{.object = "rod", .time = 0.002, .along = 0, .impulse = {0, 1e-4, 0}}};
        // Shear and rotary inertia lower it by some (1 + 2(1 + ν)/κ) (r_g π 1.5056/L)²/2: 0.2 %.
        CHECK(pitch_near(heard(scene), hz) == Approx(hz).epsilon(0.006));
    }
}

}  // namespace rod_contacts_test
