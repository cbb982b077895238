// Mallets: from mass, speed and softness to force, energy and sound.
#include <approx.hpp>

#include "breathing_sphere.hpp"

#include <clangor/render/followed_impacts.hpp>
#include <clangor/render/placed_strikes.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <complex>

namespace mallet_test {

using namespace clangor;
using clangor::test::Approx;
using Complex = std::complex<double>;

namespace {

Material elastic(double young, double restitution = 1) {
    return {.name = "stuff", .density = 2000, .young = young, .poisson = 0.3, .restitution = restitution};
}

scene::Strike by_mallet(const Vec3& at, const scene::Mallet& mallet, double time = 0.01) {
    return {.object = "object", .time = time, .at = at, .mallet = mallet};
}

Scene scene_of(const scene::Solid& solid, const scene::Strike& strike) {
    Scene scene{.duration = 0.1};
    scene.objects = {solid};
    scene.strikes = {strike};
    scene.listeners = {{.name = "mic", .position = {0.25, 0.2, 0.1}}};
    return scene;
}

struct Struck {
    PlacedStrike strike;
    FollowedImpact followed;
    std::vector<Excitation> excitations;  ///< of the object and of the mallet
};

Struck struck(const Scene& scene, const Baked& baked) {
    Struck out{.strike = placed_strikes(scene, baked.objects).front(), .followed = {}, .excitations = {}};
    MalletImpacts impacts = mallet_impacts(scene, {out.strike}, 1);
    const std::vector<ContactBody> bodies = {contact_body(baked.objects[0]), impacts.mallets[0]};
    RingingBodies ringing(bodies.size());
    long cut = 0;
    out.followed = followed(impacts.impacts, bodies, {}, ringing, cut).front();
    std::vector<std::string> warnings;
    out.excitations = excite({}, bodies, {.duration = 1, .strikes = impacts.impacts}, warnings);
    return out;
}

// τ = 2.868 (m²/(r E*² V))^{1/5}  docs/theory/contact.md, Eq. 5, against a ball of this radius that cannot move.
double hertz_time_of(const scene::Mallet& mallet, const Material& struck, double radius) {
    const double r = 1 / (1 / mallet.radius + 1 / radius), modulus = contact_modulus(mallet.material, struck);
    return 2.868265699195331 * std::pow(square(mallet.mass) / (r * mallet.speed * square(modulus)), 0.2);
}

}  // namespace

TEST_CASE("a mallet on a large ball that cannot move gives m v (1 + e), and touches for Hertz's time") {
    for (const double young : {2e6, 5e9, 2e11})
        for (const double e : {1.0, 0.6}) {
            CAPTURE(young);
            CAPTURE(e);
            const Material hard = elastic(2e11, e);
            const scene::Solid block{
                .name = "object", .mesh = Sphere{0.3}, .material = hard, .moves = scene::Moves::Fixed, .silent = true};
            const scene::Mallet mallet{.mass = 0.02, .radius = 0.01, .material = elastic(young, e), .speed = 1.5};
            const Scene scene = scene_of(block, by_mallet({0, 0.3, 0}, mallet));
            const Struck one = struck(scene, bake(scene, {}));
            CHECK(-one.strike.impulse.y() == Approx(0.02 * 1.5 * (1 + e)).epsilon(0.005));
            CHECK(one.followed.separation_speed == Approx(e * 1.5).epsilon(0.005));
            REQUIRE(one.followed.pulses.size() == 1);
            const ForcePulse& pulse = one.followed.pulses[0];
            CHECK(pulse.start == Approx(0.01).epsilon(1e-12));
            // With losses the way out is slower.
            const double tau = hertz_time_of(mallet, hard, 0.3);
            if (e == 1)
                CHECK(pulse.end - pulse.start == Approx(tau).epsilon(0.005));
            else
                CHECK(pulse.end - pulse.start > tau);
        }
}

TEST_CASE("a steel ball leaves a meshed plate, so large that no echo returns in time, as Zener found") {
    // σ″ + σ^{3/2} + λ(σ^{3/2})′ = 0, σ(0) = 0, σ′(0) = 1, in units of V and T = (m/(K√V))^{2/5}; λ = m/(8√(D m′) T)
    // [Zener1941]. By the midpoint rule.
    struct Course {
        double restitution, duration, peak;
    };
    const auto zener = [](double lambda) {
        const auto pull = [lambda](double at, double speed) {
            return at > 0 ? -std::pow(at, 1.5) - 1.5 * lambda * std::sqrt(at) * speed : 0.0;
        };
        double at = 0, speed = 1, time = 0, peak = 0;
        constexpr double h = 5e-5;
        do {
            const double middle = at + h / 2 * speed, there = speed + h / 2 * pull(at, speed);
            speed += h * pull(middle, there);
            at += h * there;
            time += h;
            peak = std::max(peak, at > 0 ? std::pow(at, 1.5) : 0);
        } while (at > 0);
        return Course{-speed, time, peak};
    };
    const Material steel{.name = "steel", .density = 7850, .young = 2e11, .poisson = 0.3, .restitution = 1};
    const double radius = 0.02, speed = 0.1, mass = steel.density * 4 * pi / 3 * cube(radius);
    const double K = 4.0 / 3 * contact_modulus(steel, steel) * std::sqrt(radius),
                 T = std::pow(mass / (K * std::sqrt(speed)), 0.4);
    const double thickness = 0.01, side = 0.6;  // λ = 0.39
    const double D = steel.young * cube(thickness) / (12 * (1 - square(steel.poisson)));
    const Course wanted = zener(mass / (8 * std::sqrt(D * steel.density * thickness) * T));
    const scene::Solid plate{.name = "object",
                             .mesh = Box{{side, thickness, 0.93 * side}},
                             .material = steel,
                             .acceleration_noise = false,
                             .options = {.max_hz = 15e3},
                             .radiation = scene::Radiation::Compact};
    const scene::Mallet ball{.mass = mass, .radius = radius, .material = steel, .speed = speed};
    const Scene scene = scene_of(plate, by_mallet({0.013, thickness / 2, 0.017}, ball));
    const Struck one = struck(scene, bake(scene, {}));
    REQUIRE(one.followed.pulses.size() == 1);
    const ForcePulse& pulse = one.followed.pulses[0];
    CHECK(one.followed.separation_speed / speed == Approx(wanted.restitution).epsilon(0.03));
    CHECK((pulse.end - pulse.start) / T == Approx(wanted.duration).epsilon(0.03));
    CHECK(pulse.peak / (mass * speed / T) == Approx(wanted.peak).epsilon(0.03));
}

TEST_CASE("what an elastic mallet loses, the body has as a whole and in its modes") {
    const auto model = std::make_shared<const ModalBody>(test::breathing_sphere(0.02, 900, 6));
    const Material glass = elastic(7e10);
    const scene::Solid ball{.name = "object", .material = glass};
    const scene::Mallet mallet{
        .mass = 0.01, .radius = 0.008, .material = elastic(2e9), .speed = 1.2, .direction = Vec3(-1, -1, -0.4)};
    const Scene scene = scene_of(ball, by_mallet(0.02 * Vec3(1, 2, 0.5).normalized(), mallet));
    const Baked baked = test::baked_with(scene, model);
    const Struck one = struck(scene, baked);
    const Body& body = *baked.objects[0].body;
    const double J = one.strike.impulse.norm();
    const double lost = 0.5 * 0.01 * (square(1.2) - square(1.2 - J / 0.01));
    const double as_a_whole =
        0.5 * square(J) *
        inverse_effective_mass(body.mass.volume * glass.density, body.mass.inertia * glass.density,
                               one.strike.at.point - body.mass.centre, one.strike.normal);
    CHECK(one.followed.modal_energy[0] > 0.05 * lost);
    CHECK(as_a_whole + one.followed.modal_energy[0] == Approx(lost).epsilon(1e-6));
    CHECK(one.followed.modal_energy[1] == 0);
}

TEST_CASE("softer is duller: modes get the spectrum of Hertz's pulse, and above 1/τ hardly anything") {
    // Four modes so heavy that the mallet does not feel them.
    const double s = 0.05;
    ModalBody model = test::breathing_sphere(0.1, 500, s);
    const Eigen::Vector4d hz(500, 1500, 4500, 13500);
    model.omega = 2 * pi * hz;
    model.shapes = model.shapes.col(0).replicate(1, 4).eval();
    const auto shared = std::make_shared<const ModalBody>(model);
    const Material hard = elastic(2e11);
    const scene::Solid ball{.name = "object", .material = hard, .moves = scene::Moves::Fixed};
    double last = 1;
    for (const double young : {1e10, 1e8, 1e6}) {
        CAPTURE(young);
        const scene::Mallet mallet{.mass = 0.01, .radius = 0.005, .material = elastic(young), .speed = 1};
        const Scene scene = scene_of(ball, by_mallet({0, 0.1, 0}, mallet));
        const Struck one = struck(scene, test::baked_with(scene, shared));
        REQUIRE(one.excitations[0].impulses.size() == 1);
        const ModalImpulse& drive = one.excitations[0].impulses[0];
        const double tau = hertz_time_of(mallet, hard, 0.1);
        CHECK(drive.duration == Approx(tau).epsilon(0.005));
        double energy = 0, above = 0;
        for (int k = 0; k < 4; ++k) {
            // Of what an instantaneous impulse would leave.
            const double share =
                square(drive.impulse[k] * pulse_spectrum(drive.shape, hz[k] * drive.duration) / (s * 2 * 0.01));
            const double wanted = square(pulse_spectrum(PulseShape::Hertz, hz[k] * tau));
            CHECK(std::abs(share - wanted) < 5e-3);  // sin^1.5886 is Hertz's pulse to half a per cent
            energy += share;
            if (hz[k] > 2 / tau) above += share;
        }
        CHECK(energy < 0.9 * last * 4);
        CHECK(above < 0.01);
        last = energy / 4;
    }
}

namespace {

// A ball of radius a about `centre` whose velocity changes by Δv, from `start` on for τ, heard at the listener
// [Koss1973]; see two_balls_test.
Complex exact_spectrum(const Vec3& listener, double a, const Vec3& centre, const Vec3& change, double start, double tau,
                       double hz) {
    const Air air;
    const Vec3 arm = listener - centre;
    const double omega = 2 * pi * hz, c = air.speed_of_sound, l = c / a, r = arm.norm();
    const Complex i(0, 1);
    const Complex A =
        change.dot(arm) / r * pulse_spectrum(PulseShape::Hertz, hz * tau) * std::exp(-i * omega * (start + tau / 2));
    return air.density * a * c / r * (i * omega + c / r) / (2 * l * l + 2.0 * i * l * omega - omega * omega) * A *
           std::exp(-i * omega * (r - a) / c);
}

Complex spectrum_of(const Audio& audio, double hz) {
    Complex sum = 0;
    for (long k = 0; k < audio.frames(); ++k)
        sum += double(audio.samples(0, k)) * std::polar(1.0, -2 * pi * hz * double(k) / audio.sample_rate);
    return sum / audio.sample_rate;
}

scene::Solid steel_ball(double radius) {
    // Its modes are far above what is heard: all that there is to hear is the click.
    return {.name = "object", .mesh = Sphere{radius}, .material = *find_material("steel")};
}

}  // namespace

TEST_CASE("a ball that is struck by an impulse clicks as a ball that is pushed, although nothing moves in the scene") {
    const double a = 0.01, tau = 1e-4;
    scene::Strike tap{.object = "object", .time = 0.01, .at = {0, a, 0}, .impulse = {0, -0.02, 0}, .contact_time = tau};
    const Scene scene = scene_of(steel_ball(a), tap);
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Rendered rendered = synthesize(scene, baked, motion_of(scene, baked), {});
    CHECK(rendered.impacts == 1);
    const double M = 4 * pi / 3 * cube(a) * find_material("steel")->density;
    for (double hz = 500; hz <= 16e3; hz += 500) {
        const Complex exact =
            exact_spectrum(scene.listeners[0].position, a, Vec3::Zero(), Vec3(0, -0.02 / M, 0), 0.01, tau, hz);
        CHECK(std::abs(spectrum_of(rendered.audio, hz) - exact) < 0.03 * std::abs(exact));  // 1 % of it the mesh's mass
    }
}

TEST_CASE("a ball and the mallet that strikes it click as two balls that meet, each from its own place") {
    const double a = 0.01;
    const scene::Mallet mallet{
        .mass = 0.02, .radius = 0.006, .material = *find_material("nylon"), .speed = 0.8, .direction = Vec3(0, -1, 0)};
    const Scene scene = scene_of(steel_ball(a), by_mallet({0, a, 0}, mallet));
    const Baked baked = bake(scene, {.cache = {}, .quality = Quality::Draft});
    const Struck one = struck(scene, baked);
    const Rendered rendered = synthesize(scene, baked, motion_of(scene, baked), {.stems = true});
    REQUIRE(rendered.stems.size() == 3);
    CHECK(rendered.stems[2].name == "object.mallet");
    REQUIRE(one.excitations[1].pulses.size() == 1);
    const ContactPulse& pulse = one.excitations[1].pulses[0];
    const double M = 4 * pi / 3 * cube(a) * find_material("steel")->density, J = one.strike.impulse.norm();
    const Vec3 ear = scene.listeners[0].position;
    double difference = 0, size = 0;
    for (double hz = 500; hz <= 12e3; hz += 500) {
        const Complex exact =
            exact_spectrum(ear, a, Vec3::Zero(), Vec3(0, -J / M, 0), pulse.start, pulse.duration, hz) +
            exact_spectrum(ear, 0.006, {0, a + 0.006, 0}, Vec3(0, J / 0.02, 0), pulse.start, pulse.duration, hz);
        difference += std::norm(spectrum_of(rendered.audio, hz) - exact);
        size += std::norm(exact);
    }
    CHECK(std::sqrt(difference / size) < 0.02);  // a mesh for a ball
}

TEST_CASE("what is fixed, held or not struck does not click") {
    const Scene free = scene_of(steel_ball(0.01), {.object = "object", .at = {0, 0.01, 0}, .impulse = {0, -1, 0}});
    const auto hears = [](const Scene& scene) {
        return bake(scene, {.cache = {}, .quality = Quality::Draft}).objects[0].hears_pulses;
    };
    CHECK(hears(free));
    Scene other = free;
    std::get<scene::Solid>(other.objects[0]).moves = scene::Moves::Fixed;
    CHECK_FALSE(hears(other));
    other = free;
    std::get<scene::Solid>(other.objects[0]).options.supports = {{.side = scene::Side::LowY, .depth = 0.002}};
    CHECK_FALSE(hears(other));
    other = free;
    other.objects.push_back(steel_ball(0.01));
    std::get<scene::Solid>(other.objects[1]).name = "second";
    other.strikes[0].object = "second";
    CHECK_FALSE(hears(other));
}

TEST_CASE("a body that is simulated gets the mallet's momentum, and flies on with it") {
    scene::Solid block{.name = "object", .mesh = Box{{0.1, 0.06, 0.02}}, .material = elastic(5e10), .silent = true};
    block.moves = scene::Moves::Simulated;
    const scene::Mallet mallet{.mass = 0.02, .radius = 0.01, .material = elastic(5e6), .speed = 1.5};
    Scene scene = scene_of(block, by_mallet({0.04, 0.03, 0}, mallet));
    scene.motion.gravity = Vec3::Zero();
    const Baked baked = bake(scene, {});
    const Vec3 J = placed_strikes(scene, baked.objects).front().impulse;
    const Motion motion = motion_of(scene, baked);
    const Trajectory& path = motion.bodies[0];
    long first = 0, last = 0;
    while (path.times[first] < 0.011) ++first;
    while (path.times[last] < 0.1) ++last;
    const double time = path.times[last] - path.times[first], M = 0.1 * 0.06 * 0.02 * 2000;
    const Vec3 moved = (path.positions.row(last) - path.positions.row(first)).transpose();
    CHECK((moved / time - J / M).norm() < 1e-9 * J.norm() / M);
    const auto angle = [&](long i) { return 2 * std::atan2(path.rotations(i, 2), path.rotations(i, 3)); };
    const double inertia = M * (square(0.1) + square(0.06)) / 12;
    CHECK((angle(last) - angle(first)) / time == Approx(0.04 * J.y() / inertia).epsilon(1e-9));
    // The rigid block gives way at its end: 1/m = 1/m₁ + 1/M + r²/I.
    CHECK(-J.y() == Approx(2 * 1.5 / (1 / 0.02 + 1 / M + square(0.04) / inertia)).epsilon(1e-4));
}

TEST_CASE("straight into the surface: along its normal, and on an edge between those that meet there") {
    const auto inward = [](const Shape& shape, const Vec3& at) {
        const scene::Mallet mallet{.mass = 0.02, .radius = 0.01, .material = elastic(1e9), .speed = 1};
        const scene::Solid solid{.name = "object", .mesh = shape, .material = elastic(1e9), .silent = true};
        const Scene scene = scene_of(solid, by_mallet(at, mallet));
        return Vec3(-placed_strike(scene, 0, bake(scene, {}).objects[0]).normal);
    };
    const Box box{{0.2, 0.1, 0.2}};
    CHECK((inward(box, {0.09, 0.05, 0.03}) - Vec3(0, -1, 0)).norm() < 1e-12);
    CHECK((inward(box, {0.1, 0.05, 0.03}) - Vec3(-1, -1, 0).normalized()).norm() < 1e-12);
    CHECK((inward(box, {0.1, 0.05, 0.1}) - Vec3(-1, -1, -1).normalized()).norm() < 1e-12);
    const Vec3 out = Vec3(0.3, 0.5, -0.8).normalized();
    CHECK((inward(Sphere{0.05}, 0.05 * out) + out).norm() < 1e-3);  // a mesh for a ball
}

TEST_CASE("mallets that cannot strike say what to do") {
    const auto said = [](const Vec3& at, const scene::Mallet& mallet) -> std::string {
        const scene::Solid block{.name = "object", .mesh = Box{{0.2, 0.1, 0.2}}, .material = elastic(1e9)};
        const std::vector<SceneProblem> problems = problems_of(scene_of(block, by_mallet(at, mallet)));
        return problems.size() == 1 ? problems[0].message : std::to_string(problems.size()) + " problems";
    };
    const scene::Mallet good{.mass = 0.02, .radius = 0.01, .material = elastic(1e9), .speed = 1};
    CHECK(said({0, 0.05, 0}, good) == "0 problems");
    scene::Mallet large = good;
    large.radius = 0.5;
    CHECK(said({0, 0.05, 0}, large) ==
          "strike 1: the head of the mallet, with a radius of 0.5 m, is larger than \"object\" (0.15 m from its centre "
          "to its farthest point); give a smaller radius, in metres");
    scene::Mallet away = good;
    away.direction = Vec3(0.1, 1, 0);
    CHECK(said({0, 0.05, 0}, away) ==
          "strike 1: the mallet moves along (0.1, 1, 0), away from the surface of \"object\" where it should meet it; "
          "straight into it is (0, -1, 0), which holds where direction is left out");
    CHECK(said({0, 0.5, 0}, good).starts_with("strike 1 misses \"object\""));
}

}  // namespace mallet_test
