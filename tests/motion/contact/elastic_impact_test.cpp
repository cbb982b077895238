// Impacts with the bodies in the loop, against integrations of the same equations by other means (error 1e-7 and less).
#include <clangor/motion/contact/contact.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <array>
#include <cmath>
#include <numeric>

namespace elastic_impact_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

// A ball of unit mass, stiffness and speed.
ElasticImpact ball_on(double mobility) {
    ElasticImpact impact;
    impact.contacts = {{.stiffness = 1, .approach = 1, .mobility = mobility}};
    impact.inverse_mass = Eigen::MatrixXd::Constant(1, 1, 1.0);
    impact.longest = 100;
    return impact;
}

struct Zener {
    double lambda, restitution, duration, peak;
};
// A ball on an infinite thin plate, in units of (m²/(K²V))^{1/5} and K^{2/5} m^{3/5} V^{6/5}.
constexpr std::array<Zener, 5> zener = {{{0.0, 1.0, 3.218065459719047, 1.1432626298182922},
                                         {0.1, 0.8433394109248908, 3.2784949882175956, 1.0355459653991035},
                                         {0.3, 0.6059466631748702, 3.4291079526791544, 0.8705668247623787},
                                         {1.0, 0.18412287416503556, 4.387612018010152, 0.5561608669982542},
                                         {2.0, 0.020682506960715805, 8.483224154564764, 0.3646580229528551}}};

struct Mode {
    double hz, u, xi;
};

struct Hit {
    double ball, stiffness, speed, body;
    std::vector<Mode> modes;
    double end;  // when the energies are given [s]
    std::vector<std::array<double, 2>> contacts;
    double ball_speed, impulse;
    std::vector<double> energy;
};

const std::array<Hit, 3> hits = {{
    // a ball of 10 g on the rim of a bowl of 150 g
    {0.01,
     6132671097.2381315,
     1.0,
     0.15,
     {{1100, 3.1, 0.001}, {2900, -2.7, 0.001}, {5200, 2.2, 0.001}},
     0.0015,
     {{7.5e-09, 5.66175e-05}},
     -0.5689900279851895,
     0.015689900279851874,
     {0.0011512501825270021, 0.0008172716190727531, 0.00047504636802668423}},
    // a ball of 20 g on a light thin plate: it touches five times
    {0.02,
     6701272303.95996,
     0.3,
     0.04,
     {{450, 9.0, 0.002}, {1800, 7.5, 0.002}, {4100, -8.0, 0.002}, {7300, 6.0, 0.002}},
     0.004,
     {{2e-08, 5.064e-05},
      {0.00018832, 0.00024922},
      {0.0003689, 0.00041604},
      {0.00106718, 0.00112204},
      {0.00118744, 0.00132772}},
     -0.0453727206014733,
     0.006907454412029468,
     {4.320069560851397e-05, 9.753919465270577e-05, 5.068103288729714e-05, 2.1884221866984595e-05}},
    // on a heavy plate: one contact, nearly Hertz's
    {0.002,
     4738515088.707686,
     1.5,
     2.0,
     {{6000, 0.8, 0.001}},
     0.0004,
     {{2e-09, 3.328e-05}},
     -1.4933982765473135,
     0.005986796553094626,
     {1.0505387688600207e-05}},
}};

ElasticImpact impact_of(const Hit& hit) {
    ElasticImpact impact;
    impact.contacts = {{.stiffness = hit.stiffness, .approach = hit.speed}};
    impact.inverse_mass = Eigen::MatrixXd::Constant(1, 1, 1 / hit.ball + 1 / hit.body);
    ImpactModes modes;
    const auto count = std::ssize(hit.modes);
    modes.omega.resize(count);
    modes.xi.resize(count);
    modes.shapes.resize(1, count);
    for (long k = 0; k < count; ++k) {
        modes.omega[k] = 2 * pi * hit.modes[k].hz;
        modes.xi[k] = hit.modes[k].xi;
        modes.shapes(0, k) = hit.modes[k].u;
    }
    impact.bodies = {modes};
    return impact;
}

// What is left over of ½ m V² = all parts.
// doctest's Approx forgives what is small against 1.
bool is_near(double value, double wanted, double part) {
    if (std::abs(value - wanted) <= part * std::abs(wanted)) return true;
    MESSAGE(value, " is not ", wanted);
    return false;
}

double energy_error(const ElasticResult& result, double before) {
    const double modes = std::accumulate(result.modal_energy.begin(), result.modal_energy.end(), 0.0);
    return std::abs(result.rigid_change + modes + result.contact_loss + result.further_energy + result.floor_energy) /
           before;
}

}  // namespace

TEST_CASE("a ball on a thin plate bounces, presses and lasts as Zener found, to 0.1 %") {
    for (const Zener& z : zener) {
        CAPTURE(z.lambda);
        const ElasticResult result = follow(ball_on(z.lambda));
        CHECK(result.has_parted);
        REQUIRE(result.pulses[0].size() == 1);
        const ForcePulse& pulse = result.pulses[0][0];
        CHECK(std::abs(result.separation[0] - z.restitution) < 1e-3 * std::max(z.restitution, 0.1));
        CHECK(is_near(pulse.end - pulse.start, z.duration, 1e-3));
        CHECK(is_near(pulse.peak, z.peak, 1e-3));
        CHECK(is_near(pulse.impulse, 1 + z.restitution, 1e-3));
        CHECK(energy_error(result, 0.5) < 1e-12);
    }
}

TEST_CASE("the restitution of an impact converges with the square of the step") {
    std::array<double, 3> error{};
    for (std::size_t i = 0; i < 3; ++i) {
        ElasticImpact impact = ball_on(0.3);
        impact.steps_per_contact = 25 * std::pow(2, i);
        error[i] = std::abs(follow(impact).separation[0] - zener[2].restitution);
    }
    CHECK(error[0] / error[1] > 3.4);
    CHECK(error[1] / error[2] > 3.4);
}

TEST_CASE("hits on bodies with modes: impulse, energies and every contact's start and end, to 0.5 %") {
    for (const Hit& hit : hits) {
        CAPTURE(hit.ball);
        const ElasticResult result = follow(impact_of(hit));
        CHECK(result.has_parted);
        CHECK(is_near(result.impulses[0], hit.impulse, 5e-3));
        CHECK(is_near(hit.speed - result.impulses[0] / hit.ball, hit.ball_speed, 5e-3));
        REQUIRE(result.pulses[0].size() == hit.contacts.size());
        for (std::size_t c = 0; c < hit.contacts.size(); ++c) {
            // The first is at 0, which other means found to some nanoseconds.
            CHECK(std::abs(result.pulses[0][c].start - hit.contacts[c][0]) < 5e-3 * hit.contacts[c][0] + 3e-8);
            CHECK(is_near(result.pulses[0][c].end, hit.contacts[c][1], 5e-3));
        }
        for (std::size_t k = 0; k < hit.modes.size(); ++k) {
            const double omega = 2 * pi * hit.modes[k].hz;
            const double now = 0.5 * (square(result.q_dot[0][k]) + square(omega * result.q[0][k])) *
                               std::exp(-2 * hit.modes[k].xi * omega * (hit.end - result.duration));
            CHECK(is_near(now, hit.energy[k], 5e-3));
        }
    }
}

TEST_CASE("an impact without losses keeps its energy to 1e-6, with one contact and with four at once") {
    for (const Hit& hit : hits) {
        ElasticImpact impact = impact_of(hit);
        impact.bodies[0].xi.setZero();
        CHECK(energy_error(follow(impact), 0.5 * hit.ball * square(hit.speed)) < 1e-9);
    }
    // A square plate of 0.2 kg and 0.2 m lands on the ground with its four corners, one of them a little later.
    const double mass = 0.2, side = 0.2, tilt_inertia = mass * side * side / 12;
    ElasticImpact impact;
    const std::array<std::array<double, 2>, 4> corner = {{{0.1, 0.1}, {-0.1, 0.1}, {-0.1, -0.1}, {0.1, -0.1}}};
    impact.inverse_mass.resize(4, 4);
    ImpactModes modes;
    modes.omega = 2 * pi * Eigen::Vector3d(410, 880, 2300);
    modes.xi = Eigen::Vector3d::Zero();
    modes.shapes.resize(4, 3);
    for (int i = 0; i < 4; ++i) {
        impact.contacts.push_back({.stiffness = 3e9, .approach = 1.2, .gap = i == 3 ? 2e-6 : 0});
        for (int j = 0; j < 4; ++j)
            impact.inverse_mass(i, j) =
                1 / mass + (corner[i][0] * corner[j][0] + corner[i][1] * corner[j][1]) / tilt_inertia;
        const double twist = corner[i][0] * corner[i][1] > 0 ? 1 : -1;
        modes.shapes.row(i) << 4.3 * twist, 2.9, 3.6 * twist;
    }
    impact.bodies = {modes};
    const ElasticResult result = follow(impact);
    CHECK(result.has_parted);
    CHECK(energy_error(result, 0.5 * mass * square(1.2)) < 1e-9);
    CHECK(result.modal_energy[0] > 0);
    for (int i = 0; i < 4; ++i) CHECK(result.impulses[i] > 0);
    // Motion as a whole: all impulses together turn the plate's momentum round, up to what its modes took.
    CHECK(result.impulses.sum() > mass * 1.2);
    CHECK(result.impulses.sum() < 2 * mass * 1.2);
}

TEST_CASE("contacts that lose energy by chi bounce as Hunt and Crossley say: 1 - 2/3 chi V") {
    for (const double loss : {0.01, 0.03}) {
        ElasticImpact impact = ball_on(0);
        impact.contacts[0].loss = loss;
        const ElasticResult result = follow(impact);
        CHECK(is_near(1 - result.separation[0], 2.0 / 3 * loss, 0.03));
        CHECK(energy_error(result, 0.5) < 1e-9);
        CHECK(is_near(result.contact_loss, 0.5 * (1 - square(result.separation[0])), 1e-6));
    }
}

TEST_CASE("contacts with the loss of a restitution part rigid bodies at that restitution") {
    CHECK(loss_of_restitution(1) == 0);
    CHECK(loss_of_restitution(0) == 50);
    for (const double e : {0.95, 0.8, 0.6, 0.4, 0.2}) {
        CAPTURE(e);
        ElasticImpact impact = ball_on(0);
        impact.contacts[0].loss = loss_of_restitution(e);
        CHECK(is_near(follow(impact).separation[0], e, 2e-3));
    }
}

TEST_CASE("a hard impact on a rigid body is Hertz's pulse") {
    const ElasticResult result = follow(ball_on(0));
    const ForcePulse& pulse = result.pulses[0][0];
    CHECK(is_near(pulse.peak * (pulse.end - pulse.start) / pulse.impulse, 1.839547, 1e-3));
    CHECK(is_near(pulse.centre, (pulse.start + pulse.end) / 2, 1e-3));
}

TEST_CASE("modes that are not kept, as a spring and a resistance, take what they took as modes") {
    // A long plate's modes are evenly spaced in frequency, with equal shapes: sum u²/(M) over Δω is a resistance
    // Y = π u²/(2 Δω). Half of the modes kept and the rest by Y bounce as all of them do.
    const double spacing = 0.05, mobility = 0.3, u = std::sqrt(2 * mobility * spacing / pi);
    const auto plate = [&](double top, bool with_rest) {
        ElasticImpact impact = ball_on(with_rest ? mobility : 0);
        ImpactModes modes;
        const auto count = static_cast<long>(top / spacing);
        modes.omega = Eigen::VectorXd::LinSpaced(count, spacing / 2, (double(count) - 0.5) * spacing);
        modes.xi = Eigen::VectorXd::Zero(count);
        modes.shapes = Eigen::MatrixXd::Constant(1, count, u);
        impact.bodies = {modes};
        if (with_rest) impact.contacts[0].corner = double(count) * spacing;
        impact.longest = 20;
        return follow(impact).separation[0];
    };
    const double all = plate(400, false);
    CHECK(is_near(all, zener[2].restitution, 0.01));
    struct Kept {
        double top, error;
    };
    // Half a cycle of the contact, one, two and four.
    for (const auto& [top, error] : {Kept{1, 0.05}, Kept{2, 0.05}, Kept{4, 0.015}, Kept{8, 0.005}}) {
        CAPTURE(top);
        CHECK(std::abs(plate(top, true) / all - 1) < error);
    }
    CHECK(std::abs(plate(1, false) / all - 1) > 0.15);
}

TEST_CASE("a floor that gives way is Zener's plate, and gets what the ball has lost") {
    for (const Zener& z : zener) {
        CAPTURE(z.lambda);
        ElasticImpact impact = ball_on(0);
        impact.floor_mobility = Eigen::MatrixXd::Constant(1, 1, z.lambda);
        const ElasticResult result = follow(impact);
        CHECK(result.has_parted);
        CHECK(std::abs(result.separation[0] - z.restitution) < 1e-3 * std::max(z.restitution, 0.1));
        CHECK(std::abs(result.floor_energy - (1 - square(z.restitution)) / 2) < 1e-3);
        CHECK(energy_error(result, 0.5) < 1e-9);
    }
}

TEST_CASE("two feet at one place of a floor are one foot of both stiffnesses, and apart they bounce more") {
    const auto feet = [](double together) {
        ElasticImpact impact;
        impact.contacts = {2, {.stiffness = 0.5, .approach = 1}};
        impact.inverse_mass = Eigen::MatrixXd::Constant(2, 2, 1.0);
        impact.floor_mobility = 0.3 * Eigen::MatrixXd{{1, together}, {together, 1}};
        impact.longest = 100;
        return follow(impact);
    };
    CHECK(is_near(feet(1).separation[0], 0.6059466631748702, 1e-3));  // of λ = 0.3
    CHECK(feet(0).separation[0] > 0.7);                               // about λ = 0.15
    CHECK(energy_error(feet(0.5), 0.5) < 1e-9);
}

TEST_CASE("a second blow on a body that rings gives the same as both blows followed as one") {
    const Eigen::VectorXd omega{{2.1, 5.3, 8.9}};
    const Eigen::MatrixXd shapes{{0.4, -0.3, 0.25}, {-0.35, 0.3, 0.3}};
    ElasticImpact both;
    both.contacts = {{.stiffness = 1, .approach = 1}, {.stiffness = 1.5, .approach = 0.8, .gap = 6}};
    both.inverse_mass = Eigen::MatrixXd::Identity(2, 2);
    both.bodies = {{omega, Eigen::VectorXd::Zero(3), shapes}};
    both.longest = 60;
    both.steps_per_contact = 400;
    const ElasticResult as_one = follow(both);

    ElasticImpact first = both;
    first.contacts = {both.contacts[0]};
    first.inverse_mass = Eigen::MatrixXd::Identity(1, 1);
    first.bodies[0].shapes = shapes.topRows(1);
    const ElasticResult before = follow(first);
    REQUIRE(before.has_parted);
    REQUIRE(before.duration < 6);

    // The second from whenever: while it is far away, or when it would reach through the other already.
    for (const double begins : {before.duration + 0.01, 6.5, 7.3, 7.55}) {
        CAPTURE(begins);
        const Eigen::ArrayXd angle = omega.array() * (begins - before.duration);
        ElasticImpact second = both;
        second.contacts = {both.contacts[1]};
        second.contacts[0].gap = 6 - 0.8 * begins;
        second.inverse_mass = Eigen::MatrixXd::Identity(1, 1);
        ImpactModes& modes = second.bodies[0];
        modes.shapes = shapes.bottomRows(1);
        modes.q = angle.cos() * before.q[0].array() + angle.sin() * before.q_dot[0].array() / omega.array();
        modes.q_dot = angle.cos() * before.q_dot[0].array() - angle.sin() * omega.array() * before.q[0].array();
        second.earlier = begins - before.duration;
        const ElasticResult after = follow(second);
        CHECK(after.impulses[0] == Approx(as_one.impulses[1]).epsilon(1e-4));
        CHECK(after.separation[0] == Approx(as_one.separation[1]).epsilon(1e-4));
        CHECK(before.modal_energy[0] + after.modal_energy[0] == Approx(as_one.modal_energy[0]).epsilon(1e-4));
        CHECK(std::abs(after.rigid_change + after.modal_energy[0]) < 1e-9);
    }
}

TEST_CASE("a body that rings can give back more than it gets") {
    // At rest it takes energy from the ball; moving against it, it gives some, and the ball leaves faster than it came.
    ElasticImpact impact = ball_on(0);
    impact.bodies = {{Eigen::VectorXd{{0.3}}, Eigen::VectorXd::Zero(1), Eigen::MatrixXd::Constant(1, 1, 0.5)}};
    const ElasticResult at_rest = follow(impact);
    impact.bodies[0].q = Eigen::VectorXd{{0.0}};
    impact.bodies[0].q_dot = Eigen::VectorXd{{-0.8}};
    const ElasticResult against = follow(impact);
    CHECK(at_rest.modal_energy[0] > 0);
    CHECK(at_rest.separation[0] < 1);
    CHECK(against.modal_energy[0] < 0);
    CHECK(against.separation[0] > 1);
    CHECK(0.5 * (1 - square(against.separation[0])) == Approx(against.modal_energy[0]).epsilon(1e-9));
}

}  // namespace elastic_impact_test
