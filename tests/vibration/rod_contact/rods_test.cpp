#include "rods.hpp"

#include <clangor/motion/contact/contact.hpp>
#include <clangor/vibration/rod_contact/coming_to_rest.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

namespace rods_test {

using namespace clangor;
using namespace clangor::testing;
using clangor::test::Approx;

namespace {

DistanceShape ball(double radius) {
    return {.distance = [radius](const Vec3& p) { return p.norm() - radius; }, .reach = radius};
}

}  // namespace

TEST_CASE("rods that hit each other give and take the same momentum, and angular momentum as steps get short") {
    const double radius = 0.003;
    const RodPlan one = straight_rod({-0.1, 0, 0.02}, {0.1, 0.004, 0}, 17, radius);
    const RodPlan two = straight_rod({0.03, -0.0075, -0.1}, {0.01, -0.0062, 0.1}, 21, radius);
    const auto missing_after = [&](double friction, double rate) {
        RodStepper a(one, {.tolerance = 1e-12}), b(two, {.tolerance = 1e-12});
        throw_rod(a, {0.2, -1, 0.3});
        RodContacts world({{.rod = &a, .radius = radius}, {.rod = &b, .radius = radius}}, {},
                          {.law = {.friction = friction}});
        const Vec3 p = momentum_of(a) + momentum_of(b), L = angular_momentum_of(a) + angular_momentum_of(b);
        for (int k = 0; k < int(0.01 * rate); ++k) world.step(1 / rate);
        CHECK(momentum_of(b).norm() > 0.2 * p.norm());
        CHECK((momentum_of(a) + momentum_of(b) - p).norm() < 1e-12 * p.norm());
        return (angular_momentum_of(a) + angular_momentum_of(b) - L).norm() / L.norm();
    };
    // Trapezoids turn by impulses where things are in the middle of the step: of order 1.
    CHECK(missing_after(0, 44100) < 1e-3);
    CHECK(missing_after(0, 352800) < missing_after(0, 44100) / 6);
    // Friction makes sections turn about the rod, whose gyroscopic moments a thin rod's model leaves out.
    CHECK(missing_after(0.5, 352800) < 2e-3);
}

TEST_CASE("a ball that hits a rod gives it the momentum that it loses, both ways") {
    const double radius = 0.003, rate = 88200;
    const RodPlan plan = straight_rod({-0.1, 0, 0}, {0.1, 0, 0}, 16, radius);
    RodStepper rod(plan, {.tolerance = 1e-12});
    RodObstacle body{.shape = ball(0.01), .velocity = {0.1, -0.7, 0.2}, .inverse_mass = 1 / 0.03};
    body.world_from_body.translation() = Vec3(0.02, 0.0135, 0.001);
    body.inverse_inertia = Mat3::Identity() / (0.4 * 0.03 * 1e-4);
    RodContacts world({{.rod = &rod, .radius = radius}}, {body},
                      {.law = {.friction = 0.4, .restitution = 0.5}, .gravity = Vec3::Zero()});
    const Vec3 p = 0.03 * body.velocity;
    for (int k = 0; k < int(0.005 * rate); ++k) world.step(1 / rate);
    CHECK(world.report().contacts > 0);
    CHECK(momentum_of(rod).norm() > 0.1 * p.norm());
    CHECK((momentum_of(rod) + 0.03 * world.bodies()[0].velocity - p).norm() < 1e-12 * p.norm());
    CHECK(world.bodies()[0].spin.norm() > 1);
}

TEST_CASE("a ball that taps a rod which is held touches it for as long as Hertz says") {
    // Aluminium ball of 6 mm on a wire of 3 mm: K = (4/3) E* √r with the mean of their curvatures, as `motion/contact`
    // has it.
    const double radius = 0.003, size = 0.006;
    RodSupports held;
    for (long i = 0; i < 5; ++i) held.points.push_back(i);
    const RodPlan plan = straight_rod({-0.02, 0, 0}, {0.02, 0, 0}, 5, radius, {.supports = held});
    const double m = 4.0 / 3 * pi * cube(size) * aluminium.density;
    const HertzContact hertz{.inverse_mass = 1 / m,
                             .curvature = 1 / size + 1 / (2 * radius),
                             .modulus = contact_modulus(aluminium, aluminium)};
    for (const double speed : {0.01, 0.1, 1.0}) {
        const double tau = hertz_time(hertz, speed), step = tau / 50;
        RodStepper rod(plan, {});
        RodObstacle tapping{.shape = ball(size), .velocity = {0, -speed, 0}, .inverse_mass = 1 / m};
        tapping.world_from_body.translation() = Vec3(0.003, radius + size, 0);
        RodContacts world({{.rod = &rod, .radius = radius}}, {tapping},
                          {.law = {.friction = 0, .restitution = 1, .stiffness = hertz_law(hertz)},
                           .gravity = Vec3::Zero(),
                           .rest_speed = 1e-3});
        int steps = 0;
        double strongest = 0;
        for (int k = 0; k < 100; ++k) {
            world.step(step);
            steps += !world.contacts().empty();
            for (const RodContact& contact : world.contacts())
                strongest = std::max(strongest, contact.impulse.norm() / step);
        }
        CHECK(std::abs(steps - 0.5 - 50) <= 1);  // the last is cut: 2 % each
        CHECK(strongest * tau / (2 * m * speed) == Approx(1.839547).epsilon(0.01));
        CHECK(world.bodies()[0].velocity.y() == Approx(speed).epsilon(1e-6));
    }
}

TEST_CASE("a rod that falls across another at 60 m/s does not pass through it") {
    const double radius = 0.001, rate = 44100;  // 1.4 mm a step
    RodSupports held;
    held.edges = {0, 31};
    const RodPlan wire = straight_rod({-0.1, 0, 0}, {0.1, 0, 0}, 33, radius, {.supports = held});
    for (const double speed : {1.0, 10.0, 60.0}) {
        const RodPlan plan = straight_rod({0.003, 0.02, -0.05}, {0.005, 0.021, 0.06}, 17, radius);
        RodStepper fixed(wire, {}), falling(plan, {});
        throw_rod(falling, {0, -speed, 0});
        RodContacts world({{.rod = &fixed, .radius = radius}, {.rod = &falling, .radius = radius}}, {},
                          {.law = {.friction = 0.2}});
        for (int k = 0; k < int(0.04 / speed * rate); ++k) world.step(1 / rate);
        CHECK(world.report().contacts > 0);
        // Where they cross, seen from above, it is still above.
        int crossings = 0;
        for (long i = 0; i + 1 < plan.points; ++i) {
            for (long j = 0; j + 1 < wire.points; ++j) {
                const Vec3 p = falling.state().place.col(i).head<3>(),
                           e = falling.state().place.col(i + 1).head<3>() - p;
                const Vec3 q = fixed.state().place.col(j).head<3>(), f = fixed.state().place.col(j + 1).head<3>() - q;
                Eigen::Matrix2d plan_view;
                plan_view << e.x(), -f.x(), e.z(), -f.z();
                const Eigen::Vector2d at = plan_view.inverse() * Eigen::Vector2d(q.x() - p.x(), q.z() - p.z());
                if (at.minCoeff() < 0 || at.maxCoeff() > 1) continue;
                ++crossings;
                CHECK((p + at[0] * e).y() > (q + at[1] * f).y() + 1.9 * radius);
            }
        }
        CHECK(crossings == 1);
    }
}

TEST_CASE("a ring that hangs in another ring stays in it") {
    const double radius = 0.002, size = 0.02, rate = 44100;
    RodSupports held;
    held.points = {8};  // on top
    const RodPlan upper = ring({0, 0, 0}, Vec3::UnitX(), Vec3::UnitY(), size, 32, radius, {.supports = held});
    const RodPlan lower = ring({0, -1.5 * size, 0}, Vec3::UnitZ(), Vec3::UnitY(), size, 32, radius);
    RodStepper a(upper, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
    RodStepper b(lower, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
    RodContacts world({{.rod = &a, .radius = radius}, {.rod = &b, .radius = radius}}, {}, {.law = {.friction = 0.3}});
    double lowest = 0;
    for (int k = 0; k < int(0.3 * rate); ++k) {
        world.step(1 / rate);
        lowest = std::min(lowest, centre_of(b).y());
    }
    // At most a length of two rings below what is held, less the wires.
    CHECK(world.report().contacts > 100);
    CHECK(lowest > -2 * size + 2 * radius - 0.0002);
    CHECK(centre_of(b).y() < -1.5 * size);
}

TEST_CASE(
    "a fence of hooked wires that is struck hard stays hooked and gains no energy, rigid or elastic where it meets") {
    const double radius = 0.00145, wide = 0.03, rate = 88200;
    const long wires = 3, bends = 4, per_bend = 16;
    for (const double stiffness : {0.0, 1e9}) {
        std::vector<RodPlan> plans;
        plans.reserve(size_t(wires));
        for (long wire = 0; wire < wires; ++wire) {
            Points bent(bends * per_bend + 1, 3);
            for (long i = 0; i < bent.rows(); ++i) {
                const double phase = pi * (double(i) / double(per_bend) + double(wire % 2));
                bent.row(i) << (wide - 5.4 * radius) * double(wire) + 0.5 * wide * std::sin(phase),
                    0.03 * double(i) / double(per_bend), 1.6 * radius * std::cos(phase);
            }
            RodSupports held;
            held.edges = {0, bent.rows() - 2};
            plans.push_back(rod_plan({.points = bent, .section = round_wire(radius)}, aluminium, {.supports = held}));
        }
        std::vector<RodStepper> rods;
        for (const RodPlan& plan : plans) rods.emplace_back(plan, RodStepperOptions{.damping = {.beta = 1e-7}});
        std::vector<ContactRod> touching;
        for (RodStepper& rod : rods) touching.push_back({.rod = &rod, .radius = radius});
        rods[1].strike({.at = 0.08, .impulse = {0.003, 0, 0.01}, .duration = 5e-4});
        RodContacts world(touching, {}, {.law = {.restitution = 0.5, .stiffness = stiffness}});
        double struck = 0, work_before = 0, largest_gain = 0;
        for (int k = 0; k < 600; ++k) {
            world.step(1 / rate);
            if (k == 60) struck = rods[0].energy() + rods[1].energy() + rods[2].energy();  // the pulse is over
            if (stiffness == 0) largest_gain = std::max(largest_gain, world.report().work - work_before);
            work_before = world.report().work;
        }
        CHECK(struck > 0);
        CHECK(rods[0].energy() + rods[1].energy() + rods[2].energy() < struck);
        CHECK(largest_gain < 1e-6 * struck);
        CHECK(world.report().contacts > 100);
        CHECK(world.report().unsolved == 0);
        // At the middle bend neighbours would pull out of each other by 5.4 radii less what hooks.
        for (long wire = 0; wire + 1 < wires; ++wire) {
            const double right = rods[size_t(wire)].state().place.row(0).maxCoeff();
            const double left = rods[size_t(wire) + 1].state().place.row(0).minCoeff();
            CHECK(right > left + 2 * radius);
        }
    }
}

TEST_CASE("coming to rest, a slow rod loses its nonrigid motion and keeps its momenta") {
    const double radius = 0.003;
    const RodPlan plan = straight_rod({-0.1, 0, 0}, {0.1, 0, 0}, 16, radius);
    RodStepper rod(plan, {});
    RodState state = rod.state();
    for (long i = 0; i < plan.points; ++i) {
        const double x = state.place(0, i) / 0.1;
        state.velocity.col(i).head<3>() = 1e-4 * Vec3(0.1, 1 + x * x + 0.5 * x, 0.2 - x);
    }
    rod.set_state(state);
    const Vec3 p = momentum_of(rod), L = angular_momentum_of(rod);
    const RodContactOptions options{.damped_below = 1e-3, .damping_time = 1e-3};
    for (int k = 0; k < 1000; ++k) rod_contact::damp_slow_motion(rod, options, 1e-5);
    CHECK((momentum_of(rod) - p).norm() < 1e-12 * p.norm());
    CHECK((angular_momentum_of(rod) - L).norm() < 1e-12 * L.norm());
    // In 10 ms of ten time constants, at nine tenths of the rate, as the rod is slow but not still.
    const RodRows left = rod.state().velocity - rod_contact::rigid_velocities(plan, rod.state());
    CHECK(left.topRows<3>().norm() < std::exp(-8.0) * state.velocity.topRows<3>().norm());

    state.velocity *= 20;  // a fast one keeps all
    rod.set_state(state);
    rod_contact::damp_slow_motion(rod, options, 1e-5);
    CHECK(rod.state().velocity == state.velocity);
}

TEST_CASE("columns near an unknown are those of the whole rod, but for what is far") {
    const RodPlan plan = straight_rod({0, 0, 0}, {1, 0, 0}, 200, 0.003);
    RodStepper rod(plan, {});
    rod.step(1.0 / 88200);
    Eigen::MatrixXd one = Eigen::MatrixXd::Zero(plan.mass.size(), 1);
    const long unknown = 4 * 90 + 1;
    one(unknown, 0) = 1;
    const Eigen::MatrixXd whole = rod.solve(one);
    const RodStepper::NearColumn near = rod.near_column(unknown, 40);
    CHECK(near.begin == 4 * 50);
    CHECK(near.rows.size() == 4 * 81);
    const double far = whole.col(0).head(near.begin).cwiseAbs().maxCoeff();
    CHECK((whole.col(0).segment(near.begin, near.rows.size()) - near.rows).cwiseAbs().maxCoeff() <=
          2 * far + 1e-14 * whole.maxCoeff());
}

TEST_CASE("an edge's part of the inverse is that of the whole rod, at both ends of a long one") {
    Points bent(385, 3);
    for (long i = 0; i < bent.rows(); ++i)
        bent.row(i) << 0.015 * std::sin(pi * double(i) / 16), 0.03 * double(i) / 16,
            0.0023 * std::cos(pi * double(i) / 16);
    const RodPlan plan = rod_plan({.points = bent, .section = round_wire(0.00145)}, aluminium);
    RodStepper rod(plan, {});
    rod.step(1.0 / 88200);
    const std::vector<RodStepper::EdgeCompliance> edges = rod.edge_compliances();
    for (const long edge : {0L, 1L, 200L, 383L}) {
        Eigen::MatrixXd one = Eigen::MatrixXd::Zero(plan.mass.size(), 1);
        one(4 * edge + 1, 0) = 1;
        const Eigen::VectorXd expected = rod.solve(one).col(0).segment<7>(4 * edge);
        CHECK((edges[size_t(edge)].col(1) - expected).norm() < 1e-8 * expected.norm());
    }
}

TEST_CASE("a wound spring of hundreds of contacts stands on its end, in bounded work, and does not grow") {
    // Of turns that lie on each other: twice as many contacts as what is solved for at once.
    const double radius = 0.0005, size = 0.02, rate = 88200;
    const long per_turn = 32, turns = 4;
    Points helix(turns * per_turn + 1, 3);
    for (long i = 0; i < helix.rows(); ++i) {
        const double angle = 2 * pi * double(i) / double(per_turn);
        helix.row(i) << size * std::cos(angle), radius + 1.9999 * radius * angle / (2 * pi), size * std::sin(angle);
    }
    const RodPlan plan = rod_plan({.points = helix, .section = round_wire(radius)}, aluminium);
    RodStepper rod(plan, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
    const RodContactOptions options{.law = {.friction = 0.3}};
    RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, options);
    const double energy = rod.energy(), height = helix(helix.rows() - 1, 1);
    for (int k = 0; k < 60; ++k) world.step(1 / rate);
    CHECK(world.report().contacts > 60 * 80);
    CHECK(world.report().sweeps <= 60 * 5 * options.max_sweeps);
    CHECK(world.report().halved == 0);
    CHECK(rod.energy() <= energy + 1e-6 * mass_of(rod) * gravity * height);
    CHECK(std::abs(rod.state().place(1, helix.rows() - 1) - height) < 0.5 * radius);
    CHECK(rod.state().place.row(1).minCoeff() > 0.9 * radius);
}

namespace {

// Turns on the ground, so far from each other.
RodPlan closed_spring(long turns, long per_turn, double radius, double size, double gap) {
    Points helix(turns * per_turn + 1, 3);
    for (long i = 0; i < helix.rows(); ++i) {
        const double angle = 2 * pi * double(i) / double(per_turn);
        helix.row(i) << size * std::cos(angle), radius + (2 * radius + gap) * angle / (2 * pi), size * std::sin(angle);
    }
    return rod_plan({.points = helix, .section = round_wire(radius)}, aluminium, {.mass = RodMass::AlongEdges});
}

}  // namespace

TEST_CASE("a closed spring that comes to stand on its end: all its elastic contacts are solved for, and energy falls") {
    const double radius = 0.0005, size = 0.02, rate = 44100;
    const RodPlan plan = closed_spring(8, 20, radius, size, 1e-6);
    RodStepper rod(plan, {.damping = {.beta = 1e-6}, .gravity = {0, -gravity, 0}});
    const RodContactOptions options{.law = {.friction = 0.3, .restitution = 0.5, .stiffness = 1e8}};
    RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, options);
    const double start = rod.energy();
    double most_energy = 0;
    for (int k = 0; k < 600; ++k) {
        world.step(1 / rate);
        most_energy = std::max(most_energy, rod.energy());
    }
    CHECK(world.report().contacts > 600 * 20);
    CHECK(world.report().unsolved == 0);
    CHECK(most_energy <= start * (1 + 1e-9));
    CHECK(rod.state().place.row(1).minCoeff() > 0.99 * radius);
    // Every turn still bears the others: the top is where it was, but for what it bounces.
    CHECK(std::abs(rod.state().place(1, plan.points - 1) - plan.rest.place(1, plan.points - 1)) < 0.5 * radius);
}

TEST_CASE("many elastic contacts: the same bytes for any number of threads") {
    const double radius = 0.0005;
    const RodPlan plan = closed_spring(16, 20, radius, 0.02, -1e-7);
    Eigen::MatrixXd first;
    for (const int threads : {1, 2, 3, 5, 16}) {
        set_thread_count(threads);
        RodStepper rod(plan, {.gravity = {0, -gravity, 0}});
        RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law = {.stiffness = 1e8}});
        for (int k = 0; k < 25; ++k) world.step(1.0 / 44100);
        CHECK(world.contacts().size() > 256);  // more than one thread takes
        if (threads == 1) first = rod.state().place;
        CHECK(rod.state().place == first);
    }
    set_thread_count(0);
}

TEST_CASE("steps that a rod takes by halves are halved for all, and counted") {
    // Soft rubber in zero gravity, whose end is flung so fast that its own step finds no balance.
    const double radius = 0.002;
    const Material rubber{.name = "rubber", .density = 1100, .young = 1e6, .poisson = 0.49};
    const RodPlan plan = rod_plan(
        {.points = straight_points({0, 0.0021, 0}, {0.1, 0.0021, 0}, 12), .section = round_wire(radius)}, rubber);
    RodStepper rod(plan, {});
    RodState state = rod.state();
    state.velocity.col(11).head<3>() = Vec3(-60, -20, 0);
    rod.set_state(state);
    RodContacts world({{.rod = &rod, .radius = radius}}, {RodObstacle{}}, {.law = {.friction = 0.5}});
    for (int k = 0; k < 40; ++k) world.step(1.0 / 2000);
    CHECK(world.report().halved > 0);
    CHECK(world.report().steps == 40 + world.report().halved);
    CHECK(rod.state().place.allFinite());
    CHECK(rod.state().time == Approx(40.0 / 2000).epsilon(1e-12));
}

TEST_CASE("the same bytes for any number of threads") {
    const double radius = 0.003, rate = 44100;
    std::vector<Eigen::MatrixXd> ends;
    for (const int threads : {1, 2}) {
        set_thread_count(threads);
        const RodPlan one = straight_rod({-0.1, 0.02, 0.02}, {0.1, 0.024, 0}, 17, radius);
        const RodPlan two = straight_rod({0.03, 0.03, -0.1}, {0.01, 0.035, 0.1}, 21, radius);
        RodStepper a(one, {.gravity = {0, -gravity, 0}}), b(two, {.gravity = {0, -gravity, 0}});
        RodContacts world({{.rod = &a, .radius = radius}, {.rod = &b, .radius = radius}}, {RodObstacle{}});
        for (int k = 0; k < int(0.1 * rate); ++k) world.step(1 / rate);
        CHECK(world.report().contacts > 0);
        ends.push_back(b.state().place);
    }
    set_thread_count(0);
    CHECK(ends[0] == ends[1]);
}

}  // namespace rods_test
