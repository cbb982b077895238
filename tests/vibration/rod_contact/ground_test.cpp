#include "rods.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

namespace ground_test {

using namespace clangor;
using namespace clangor::testing;
using clangor::test::Approx;

TEST_CASE("a rod dropped on the ground is silent at −60 dB of its impact within 2 s, and does not sink in") {
    const double radius = 0.004, rate = 44100;
    const RodPlan plan = straight_rod({0, 0.05, 0}, {0.3, 0.07, 0}, 24, radius);
    RodStepper rod(plan, {.damping = {.beta = 1e-7}, .gravity = {0, -gravity, 0}});
    RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law = {.friction = 0.3}});
    double loudest = 0, late = 0;
    for (int k = 0; k < int(1.5 * rate); ++k) {
        world.step(1 / rate);
        loudest = std::max(loudest, heard_of(rod));
        if (k > 1.4 * rate) late = std::max(late, heard_of(rod));
    }
    CHECK(loudest > 1000);
    CHECK(late < 1e-3 * loudest);
    CHECK(world.report().deepest < 3e-5);  // half a step at 1.1 m/s is 1.2e-5, and the end whips
    for (long i = 0; i < plan.points; ++i) {
        CHECK(rod.state().place(1, i) > radius * (1 - 2e-4));
        CHECK(rod.state().place(1, i) < radius * (1 + 2e-4));
    }
    CHECK(world.report().unsolved == 0);
    CHECK(world.report().halved == 0);
}

TEST_CASE("rods that lie still are in balance, whatever carries their mass") {
    const double radius = 0.004, rate = 44100;
    for (const RodPlanOptions& options :
         {RodPlanOptions{}, RodPlanOptions{.mass = RodMass::AlongEdges}, RodPlanOptions{.shear = true}}) {
        // On two ridges: it bends between and beyond them.
        const auto ridges = [](const Vec3& p) {
            return std::min(std::hypot(p.x() - 0.06, p.y()), std::hypot(p.x() - 0.15, p.y())) - 0.01;
        };
        const RodPlan plan = straight_rod({0, 0.01 + radius, 0}, {0.2, 0.01 + radius, 0}, 15, radius, options);
        RodStepper rod(plan, {.damping = {.beta = 1e-5}, .gravity = {0, -gravity, 0}});
        RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{.shape = DistanceShape{ridges}}},
                          {.law = {.friction = 0.3}});
        for (int k = 0; k < int(0.3 * rate); ++k) world.step(1 / rate);
        CHECK(heard_of(rod) < 1e-3 * gravity);
        CHECK(rod.state().velocity.cwiseAbs().maxCoeff() < 1e-6);
        // Each ridge bears its part of the weight: levers of 0.04 and 0.05 m from the middle.
        double left = 0, right = 0;
        for (const RodContact& contact : world.contacts())
            (contact.touch.point.x() < 0.1 ? left : right) += contact.impulse.y() * rate;
        const double weight = mass_of(rod) * gravity;
        CHECK(left == Approx(5.0 / 9 * weight).epsilon(1e-3));
        CHECK(right == Approx(4.0 / 9 * weight).epsilon(1e-3));
    }
}

TEST_CASE("contact gives a rod no energy, and what it takes is the work of the contacts") {
    const double radius = 0.004, rate = 88200;
    const RodPlan plan = straight_rod({0, 0.01, 0}, {0.3, 0.03, 0.1}, 24, radius);
    for (const double restitution : {0.0, 0.8}) {
        RodStepper rod(plan, {.gravity = {0, -gravity, 0}, .tolerance = 1e-11});
        RodContacts world(
            {{.rod = &rod, .radius = radius}}, {RodObstacle{}},
            {.law = {.friction = 0.4, .restitution = restitution}, .damped_below = 0, .parting_time = 1e9});
        const double start = rod.energy();
        double work_before = 0, largest_gain = 0;
        for (int k = 0; k < int(0.15 * rate); ++k) {
            world.step(1 / rate);
            const double work = world.report().work;
            largest_gain = std::max(largest_gain, work - work_before);
            work_before = work;
        }
        const double height = mass_of(rod) * gravity * 0.016;  // of its fall
        CHECK(world.report().contacts > 100);
        CHECK(largest_gain < 1e-7 * height);
        CHECK(work_before < -0.1 * height);
        CHECK(rod.energy() - start == Approx(work_before).epsilon(2e-3));  // trapezoids and large turns
    }
}

TEST_CASE("a rod slides along itself to a stop after v²/(2µg)") {
    const double radius = 0.004, rate = 44100, mu = 0.35, v = 0.3;
    const RodPlan plan = straight_rod({0, radius, 0}, {0.2, radius, 0}, 16, radius);
    RodStepper rod(plan, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
    throw_rod(rod, {v, 0, 0});
    RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law = {.friction = mu}});
    const double from = centre_of(rod).x();
    const double time = v / (mu * gravity);
    for (int k = 0; k < int(1.2 * time * rate); ++k) world.step(1 / rate);
    CHECK(centre_of(rod).x() - from == Approx(v * v / (2 * mu * gravity)).epsilon(0.01));
    CHECK(momentum_of(rod).norm() < 1e-4 * v * mass_of(rod));
}

TEST_CASE("a rod thrown across itself slides until it rolls at two thirds of its speed") {
    // Of a full cylinder: m v + (½ m r²) ω/r about the line on the ground stays.
    const double radius = 0.004, rate = 44100, mu = 0.3, v = 0.3;
    const RodPlan plan = straight_rod({0, radius, 0}, {0.1, radius, 0}, 9, radius);
    RodStepper rod(plan, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
    throw_rod(rod, {0, 0, v});
    RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law = {.friction = mu}, .damped_below = 0});
    const double until = v / (3 * mu * gravity);  // it slides: µ g t = v/3
    for (int k = 0; k < int(0.5 * until * rate); ++k) world.step(1 / rate);
    CHECK(momentum_of(rod).z() / mass_of(rod) == Approx(v - mu * gravity * 0.5 * until).epsilon(0.01));
    for (int k = 0; k < int(1.5 * until * rate); ++k) world.step(1 / rate);
    CHECK(momentum_of(rod).z() / mass_of(rod) == Approx(2 * v / 3).epsilon(0.005));
    for (long j = 0; j < plan.edges; ++j) CHECK(rod.state().velocity(3, j) == Approx(2 * v / 3 / radius).epsilon(0.01));
}

TEST_CASE("a rod that begins inside the ground comes out slowly, and it is told") {
    const double radius = 0.004, depth = 0.001, rate = 44100;
    for (const double stiffness : {0.0, 1e9}) {
        const RodPlan plan = straight_rod({0, radius - depth, 0}, {0.2, radius, 0}, 12, radius);
        RodStepper rod(plan, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
        RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law = {.stiffness = stiffness}});
        double fastest = 0;
        for (int k = 0; k < int(0.1 * rate); ++k) {
            world.step(1 / rate);
            fastest = std::max(fastest, rod.state().velocity.topRows<3>().colwise().norm().maxCoeff());
        }
        CHECK(world.report().overlaps_at_start >= 11);
        CHECK(world.report().deepest_at_start == Approx(depth).epsilon(1e-9));
        // At 30 mm/s at most, of which an elastic end whips up to some four times, and without a leap.
        CHECK(fastest < 0.15);
        CHECK(rod.state().place.row(1).minCoeff() > radius - 0.02 * depth);
        CHECK(rod.state().place.row(1).maxCoeff() < radius + 0.2 * depth);
    }
}

TEST_CASE("a light impact on a stiff contact lasts as long as Hertz says") {
    // A rod that lands flat: each point is a mass of its own on its own spring; the ends are half the mass, on half
    // the stiffness twice as soft in m²/K²: τ = 2.943275 δ/V, δ^{5/2} = 5 m V²/(4 K), the same for all.
    const double radius = 0.004, rate = 705600;
    const RodPlan plan = straight_rod({0, radius + 1e-6, 0}, {0.2, radius + 1e-6, 0}, 11, radius);
    const double m = plan.mass(0, 5), K = 2e8;
    for (const double speed : {0.02, 0.1}) {
        RodStepper rod(plan, {});
        throw_rod(rod, {0, -speed, 0});
        const auto law = [&](const CapsuleTouch& touch) {
            const long point = touch.first.segment + std::lround(touch.first.along);
            const bool is_end = point == 0 || point == plan.points - 1;
            return RodContactLaw{.friction = 0, .restitution = 1, .stiffness = is_end ? K / 2 : K};
        };
        RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law_of = law, .rest_speed = 1e-3});
        const double energy = rod.energy();
        int steps = 0;
        for (int k = 0; k < 1600; ++k) {
            world.step(1 / rate);
            steps += !world.contacts().empty();
        }
        const double deepest = std::pow(5 * m * speed * speed / (4 * K), 0.4);
        const double tau = 2.9432751843247043 * deepest / speed;
        CHECK(tau * rate > 60);                                                     // steps: of 1.6 % each
        CHECK(std::abs(steps - 1 - tau * rate) < 1);                                // the first and the last are cut
        CHECK(momentum_of(rod).y() == Approx(speed * mass_of(rod)).epsilon(1e-3));  // as fast as it came
        CHECK(rod.energy() == Approx(energy).epsilon(1e-6));
    }
}

TEST_CASE("contacts that lose come apart at the restitution that they were given") {
    const double radius = 0.004, rate = 176400, speed = 0.1;
    const RodPlan plan = straight_rod({0, radius + 1e-6, 0}, {0.2, radius + 1e-6, 0}, 11, radius);
    for (const double stiffness : {0.0, 2e8}) {
        for (const double e : {0.3, 0.7}) {
            RodStepper rod(plan, {});
            throw_rod(rod, {0, -speed, 0});
            const auto law = [&](const CapsuleTouch& touch) {
                const long point = touch.first.segment + std::lround(touch.first.along);
                const bool is_end = point == 0 || point == plan.points - 1;
                return RodContactLaw{.friction = 0, .restitution = e, .stiffness = is_end ? stiffness / 2 : stiffness};
            };
            RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law_of = law, .rest_speed = 1e-3});
            for (int k = 0; k < 600; ++k) world.step(1 / rate);
            CHECK(momentum_of(rod).y() == Approx(e * speed * mass_of(rod)).epsilon(0.02));
        }
    }
}

}  // namespace ground_test
