#include <approx.hpp>

#include "breathing_sphere.hpp"

#include <clangor/motion/contact/contact.hpp>
#include <clangor/render/followed_impacts.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <deque>

namespace excite_test {

using namespace clangor;
using clangor::test::Approx;
using test::breathing_sphere;

namespace {

const Material steel{.name = "steel", .density = 7850, .young = 2e11, .poisson = 0.3, .restitution = 1};
constexpr double a = 0.01, s = 0.1;  // so heavy a mode that impacts hardly feel it

// A ball of steel; it lives as long as the test.
ContactBody ball(const ModalBody& model, bool is_movable) {
    static std::deque<SoundingObject> balls;
    const scene::Solid solid{
        .name = "ball", .material = steel, .moves = is_movable ? scene::Moves::Auto : scene::Moves::Fixed};
    balls.push_back(sounding(solid, {.modes = std::make_shared<const ModalBody>(model)}, BakeContext{}));
    return contact_body(balls.back());
}

// Two balls side by side along x that meet with the given impulse.
Impact head_on(double time, double impulse, double speed) {
    Impact impact{.time = time, .impulse = {-impulse, 0, 0}, .approach_speed = speed, .sides = {}};
    impact.sides[0] = {.body = 0, .point = {a, 0, 0}, .normal = {1, 0, 0}, .impulse = {-impulse, 0, 0}};
    impact.sides[1] = {.body = 1, .point = {-a, 0, 0}, .normal = {-1, 0, 0}, .impulse = {impulse, 0, 0}};
    return impact;
}

std::vector<Excitation> excited(const Motion& motion, const std::vector<ContactBody>& bodies, double duration = 1) {
    std::vector<std::string> warnings;
    return excite(motion, bodies, {.duration = duration, .sample_rate = 48000}, warnings);
}

}  // namespace

TEST_CASE("two balls that meet are both driven inwards, for Hertz's time, by their modes' share of the impulse") {
    const ModalBody model = breathing_sphere(a, 700, s);
    // Equal balls: m = M/2, r = a/2, E* = E/(2(1−ν²)).
    const double M = model.mass.volume * steel.density, modulus = steel.young / (2 * (1 - square(0.3)));
    const double tau = 2.868265699195331 * std::pow(square(M / 2) / (a / 2 * square(modulus) * 1.5), 0.2);
    Motion motion;
    motion.impacts = {head_on(0.25, M * 1.5, 1.5)};
    const std::vector<Excitation> both = excited(motion, {ball(model, true), ball(model, true)});
    for (const Excitation& one : both) {
        REQUIRE(one.impulses.size() == 1);
        CHECK(one.impulses[0].start == Approx(0.25).epsilon(1e-6));
        CHECK(one.impulses[0].duration == Approx(tau).epsilon(0.005));
        // The breathing mode moves outwards by s wherever it is hit, and the impact points inwards.
        CHECK(one.impulses[0].impulse[0] == Approx(-s * M * 1.5).epsilon(2e-3));
    }
}

TEST_CASE("an impulse that an animator gives stays as it is, whatever follows from the approach") {
    const ModalBody model = breathing_sphere(a, 700, s);
    Motion motion;
    motion.impacts = {head_on(0.25, 0.002, 1.5)};
    motion.impacts[0].is_given = true;
    for (const Excitation& one : excited(motion, {ball(model, true), ball(model, true)}))
        CHECK(one.impulses[0].impulse[0] == Approx(-s * 0.002).epsilon(2e-3));
}

TEST_CASE("what the modes get, the impact has lost, both bodies together") {
    const ModalBody model = breathing_sphere(a, 700, 4);  // so light a mode that a rigid impulse is far too much for it
    const double M = model.mass.volume * steel.density, V = 1.5;
    const std::vector<ContactBody> bodies = {ball(model, true), ball(model, true)};
    Motion motion;
    motion.impacts = {head_on(0.25, M * V, V)};
    RingingBodies ringing(bodies.size());
    long cut = 0;
    const FollowedImpact followed_one = followed(motion.impacts, bodies, {}, ringing, cut).front();
    CHECK(followed_one.separation_speed < 0.9 * V);
    const double lost = 0.5 * M / 2 * (V * V - square(followed_one.separation_speed));
    CHECK(followed_one.modal_energy[0] + followed_one.modal_energy[1] == Approx(lost).epsilon(1e-6));
    double energy = 0;
    for (const Excitation& one : excited(motion, bodies)) {
        REQUIRE(one.impulses.size() == 1);
        energy += 0.5 * square(one.impulses[0].impulse[0] *
                               pulse_spectrum(PulseShape::Hertz, 700 * one.impulses[0].duration));
    }
    CHECK(energy == Approx(lost).epsilon(1e-3));
}

TEST_CASE("a ball on one that cannot move touches it for longer than on its equal, by 2^(2/5)") {
    const ModalBody model = breathing_sphere(a, 700, s);
    Motion motion;
    motion.impacts = {head_on(0.25, 0.002, 1.5)};
    const double free = excited(motion, {ball(model, true), ball(model, true)})[0].impulses[0].duration;
    const double fixed = excited(motion, {ball(model, true), ball(model, false)})[0].impulses[0].duration;
    CHECK(fixed / free == Approx(std::pow(2.0, 0.4)).epsilon(1e-3));
}

TEST_CASE("grains that lie on a body lower its modes by half of their mass times φ², and stop where they go away") {
    const double shape = 10;
    const ModalBody model = breathing_sphere(a, 700, shape);
    constexpr double radius = 0.001;
    const Body bead{
        .mass = {.volume = 4 * pi / 3 * cube(radius)}, .material = steel, .radius = radius, .curvature = 1 / radius};
    const ContactBody beads{.body = &bead, .is_movable = true, .is_one_of_many = true};
    const double mass = 4 * pi / 3 * cube(radius) * steel.density;
    Motion motion;
    const auto add = [&](const Vec3& normal, double grains) {
        const Vec3 impulse = -grains * mass * 9.81 * 0.3 * normal;
        Touch touch{.time = 0.2, .duration = 0.3, .impulse = impulse, .sides = {}};
        touch.sides[0] = {.body = 0, .point = a * normal, .normal = normal, .impulse = impulse};
        touch.sides[1] = {.body = 1, .point = -radius * normal, .normal = -normal, .impulse = -impulse};
        motion.touches.push_back(touch);
    };
    add(Vec3::UnitY(), 1);
    add(Vec3::UnitX(), 1);
    add(Vec3(0.6, 0.8, 0), 3);  // with two on its back
    const Excitation loaded = excited(motion, {ball(model, true), beads})[0];
    REQUIRE(loaded.damping.size() >= 2);
    double lowest = 1;
    for (const DampingKnot& knot : loaded.damping)
        if (knot.pitch.size() > 0) lowest = std::min(lowest, knot.pitch[0]);
    // Far below the resonance of their contacts, (700 Hz / 16 kHz)² L²: 1 − ½ Σ mφ², 0.8 % of pitch. The skin's
    // triangles and the second order of the load are within 2 %.
    CHECK(1 - lowest == Approx(0.5 * 5 * mass * square(shape)).epsilon(0.03));
    CHECK(loaded.damping.back().pitch.size() == 0);
    CHECK(loaded.damping.back().xi[0] == 0);
}

TEST_CASE(
    "a body that rests makes no impacts but is damped; one that slides gets impacts that its weight can pay for") {
    const ModalBody model = breathing_sphere(a, 700, s);
    const Body floor = half_space_of(steel);
    const ContactBody ground{.body = &floor};
    Touch touch{.time = 0.2, .duration = 0.3, .impulse = {0, 0.09, 0}, .sides = {}};
    touch.sides[0] = {.body = 0, .point = {0, -a, 0}, .normal = {0, -1, 0}, .impulse = {0, 0.09, 0}};
    touch.sides[1] = {.body = 1, .point = {0, 0, 0}, .normal = {0, 1, 0}, .impulse = {0, -0.09, 0}};
    Motion motion;
    motion.touches = {touch};
    const Excitation resting = excited(motion, {ball(model, true), ground})[0];
    CHECK(resting.impulses.empty());
    REQUIRE(resting.damping.size() >= 2);  // it sets in, and it ends
    const double begin = double(resting.damping.front().sample) / 48000,
                 end = double(resting.damping.back().sample) / 48000;
    CHECK(begin == Approx(0.2).epsilon(0.12));  // to a bin of 10.7 ms, and one beside it
    CHECK(end == Approx(0.5).epsilon(0.05));
    CHECK(resting.damping.back().xi[0] == 0);
    const HertzContact hertz{.inverse_mass = 1, .curvature = 1 / a, .modulus = contact_modulus(steel, steel)};
    const double omega = model.omega[0];
    double most = 0;  // the first bin is touched for a part of its time only
    for (const DampingKnot& knot : resting.damping) most = std::max(most, knot.xi[0]);
    CHECK(most == Approx(contact_decay_rate(hertz_stiffness(hertz, 0.09 / 0.3), s, omega) / omega).epsilon(0.01));

    motion.touches[0].slip_speed = 0.4;
    const Excitation sliding = excited(motion, {ball(model, true), ground})[0];
    CHECK(sliding.impulses.size() == Approx(0.4 * 0.3 / 5e-4).epsilon(0.3));
    double carried = 0;
    for (const ModalImpulse& strike : sliding.impulses) carried += -strike.impulse[0] / s;
    CHECK(carried > 0);
    CHECK(carried <= 0.09 * (1 + 1e-6));
}

TEST_CASE("ten thousand impacts in one block are put together, and their sum rings as all of them") {
    std::vector<ModalImpulse> strikes;
    Eigen::VectorXd sum = Eigen::VectorXd::Zero(2);
    for (int i = 0; i < 10'000; ++i) {
        const Eigen::Vector2d impulse(std::sin(0.1 * i), 1e-3 * i);
        strikes.push_back({0.5 + 1e-7 * i, 2e-4 * (1 + 0.3 * std::sin(i)), PulseShape::Hertz, impulse});
        sum += impulse;
    }
    const long merged = merge_dense(strikes, 48000);
    CHECK(merged + long(strikes.size()) == 10'000);
    CHECK(strikes.size() < 4000);
    for (const ModalImpulse& strike : strikes) sum -= strike.impulse;
    CHECK(sum.norm() < 1e-9);
    std::vector<ModalImpulse> sparse(200, {0.1, 1e-4, PulseShape::Hertz, Eigen::Vector2d(1, 1)});
    CHECK(merge_dense(sparse, 48000) == 0);
}

}  // namespace excite_test
