#include <clangor/vibration/rod/rod.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>
#include <threads.hpp>

#include <algorithm>
#include <complex>

namespace rod_motion_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

RodShape wire(double length, long points, double radius = 0.002) {
    return {.points = straight_points({0, 0, 0}, {length, 0, 0}, points), .section = round_wire(radius)};
}

// When a packet of that frequency goes by: the time at which a Gaussian of four periods finds most of it.
double arrival(const std::vector<double>& heard, double dt, double hz) {
    const double sigma = 2 / hz, omega = 2 * pi * hz;
    const auto strength = [&](double time) {
        std::complex<double> sum = 0;
        const long from = std::max(0L, long((time - 4 * sigma) / dt)),
                   to = std::min(std::ssize(heard) - 1, long((time + 4 * sigma) / dt));
        for (long k = from; k <= to; ++k) {
            const double t = double(k) * dt - time;
            sum += heard[size_t(k)] * std::polar(std::exp(-0.5 * square(t / sigma)), -omega * t);
        }
        return std::abs(sum);
    };
    double best = 0, time = 0;
    for (double t = 0; t < double(heard.size()) * dt; t += 0.05 / hz)
        if (const double s = strength(t); s > best) best = s, time = t;
    return time;
}

}  // namespace

TEST_CASE("a guy wire that is struck: high frequencies come first, as the dispersion relation has it") {
    // Steel stretched by 0.5 %: ω² = (Tk² + EIk⁴)/μ. 16 m of it: what its ends throw back comes long after.
    const Material cable{"cable", 7850, 205e9, 0.3, {}, ""};
    const double a = 0.00635, L = 16, stretched = 20.1 / 20, dt = 1.0 / 176400;
    const long n = 1601;
    const RodPlan plan =
        rod_plan(wire(L, n, a), cable, {.supports = {.points = {0, n - 1}}, .mass = RodMass::AlongEdges});
    RodStepper rod(plan, {});
    RodRows place = plan.rest.place;
    place.row(0) *= stretched;
    rod.set_state(moved(plan, plan.rest, place));
    rod.balance();
    rod.strike({.at = 6, .impulse = {0, 0.01, 0}, .duration = 5e-5});
    const long heard_at = 9 * (n - 1) / 16;
    std::vector<double> heard;
    for (int k = 0; k < 3000; ++k) {
        rod.step(dt);
        heard.push_back(rod.state().heard(1, heard_at));
    }
    const double A = pi * a * a, I = A * a * a / 4, T = 205e9 * A * (stretched - 1), mu = 7850 * A / stretched;
    const double EI = 205e9 * I * stretched;  // curvature is per length at rest
    for (const double hz : {500., 1000., 2000., 4000., 8000.}) {
        const double omega = 2 * pi * hz;
        const double k_sq = (-T + std::sqrt(T * T + 4 * EI * mu * omega * omega)) / (2 * EI);
        const double k = std::sqrt(k_sq), group = (T * k + 2 * EI * k * k_sq) / (mu * omega);
        CAPTURE(hz);
        CHECK(arrival(heard, dt, hz) - 2.5e-5 == Approx(3 * stretched / group).epsilon(0.03));
    }
}

TEST_CASE("the end of a rod that is driven takes the rod with it") {
    const RodPlan plan = rod_plan(wire(0.2, 21), steel, {.supports = {.edges = {0}}});
    RodStepper rod(plan, {.damping = {.alpha = 0, .beta = 1e-5}});
    const double v = 0.1, dt = 1.0 / 44100;
    for (const long point : {0L, 1L}) rod.drive(point, 1, v);
    for (int k = 0; k < 8820; ++k) rod.step(dt);
    CHECK(rod.state().place(1, 0) == Approx(v * 0.2).epsilon(1e-9));
    CHECK(rod.state().place(1, 20) == Approx(v * 0.2).epsilon(0.05));  // it still swings a little
    CHECK(rod.state().velocity(1, 1) == v);
    for (const long point : {0L, 1L}) rod.drive(point, 1, 0);
    rod.step(dt);
    CHECK(rod.state().heard(1, 0) == Approx(-v / dt).epsilon(1e-9));  // what stops at once is heard
}

TEST_CASE("a free rod falls as a stone") {
    const RodPlan plan = rod_plan(wire(0.2, 21), steel);
    RodStepper rod(plan, {.gravity = {0, -9.81, 0}});
    for (int k = 0; k < 4410; ++k) rod.step(1.0 / 44100);
    for (long i = 0; i < 21; ++i) CHECK(rod.state().place(1, i) == Approx(-0.5 * 9.81 * 0.01).epsilon(1e-9));
}

TEST_CASE("impulses: what is pushed has its momentum, and jumps of velocity are heard once") {
    const RodPlan plan = rod_plan(wire(0.3, 31), steel);
    RodStepper rod(plan, {});
    const double dt = 1.0 / 44100;
    rod.step(dt);
    RodRows impulse = RodRows::Zero(4, 31);
    impulse(1, 7) = 3e-3;
    impulse(2, 20) = -1e-3;
    const RodState before = rod.state();
    rod.push(impulse);
    const RodRows jump = rod.state().velocity - before.velocity;
    CHECK((jump.topRows<3>() * plan.mass.row(0).transpose() - Vec3(0, 3e-3, -1e-3)).norm() < 1e-12);
    CHECK(((rod.state().heard - before.heard) * dt - jump).cwiseAbs().maxCoeff() < 1e-12 * jump.cwiseAbs().maxCoeff());
    CHECK((rod.state().acceleration - before.acceleration).cwiseAbs().maxCoeff() == 0);
    // A⁻¹ is symmetric: what a push here does there, a push there does here.
    RodRows there = RodRows::Zero(4, 31);
    there(1, 20) = 1;
    RodRows here = RodRows::Zero(4, 31);
    here(1, 7) = 1;
    Eigen::MatrixXd columns(124, 2);
    columns << here.reshaped(), there.reshaped();
    const Eigen::MatrixXd solved = rod.solve(columns);
    CHECK(solved(4 * 20 + 1, 0) == Approx(solved(4 * 7 + 1, 1)).epsilon(1e-9));
    CHECK(rod.compliances()[7](1, 1) == Approx(solved(4 * 7 + 1, 0)).epsilon(1e-9));
    // The jerk over all steps adds up to the change of acceleration, the pushed one among them.
    rod.step(dt);
    CHECK((rod.state().heard_before - before.heard - jump / dt).cwiseAbs().maxCoeff() <
          1e-12 * jump.cwiseAbs().maxCoeff() / dt);
}

TEST_CASE("the compliance of each point is what a push there does there: open, closed, held, with shear") {
    RodShape ring = wire(0.3, 15);
    ring.closed = true;
    for (long i = 0; i < 15; ++i)
        ring.points.row(i) << 0.05 * std::cos(2 * pi * double(i) / 15), 0.05 * std::sin(2 * pi * double(i) / 15), 0;
    for (const RodPlan& plan : {rod_plan(wire(0.3, 12), steel, {.supports = {.points = {11}, .edges = {0}}}),
                                rod_plan(wire(0.3, 12), steel, {.shear = true}), rod_plan(ring, steel),
                                rod_plan(ring, steel, {.shear = true})}) {
        RodStepper rod(plan, {});
        rod.step(1.0 / 44100);
        const Eigen::MatrixXd inverse = rod.solve(Eigen::MatrixXd::Identity(plan.mass.size(), plan.mass.size()));
        const std::vector<Mat3> compliances = rod.compliances();
        const double size = inverse.topLeftCorner(3, 3).norm() + inverse.cwiseAbs().maxCoeff() * 1e-6;
        for (long i = 0; i < plan.points; ++i) {
            const Mat3 block = inverse.block<3, 3>(i * plan.per_point, i * plan.per_point);
            CHECK((compliances[size_t(i)] - block).norm() <= 1e-9 * std::max(block.norm(), size));
        }
    }
}

TEST_CASE("a step that is taken back and made of two halves lands where two halves land") {
    const RodPlan plan = rod_plan(wire(0.3, 31), steel);
    const auto struck = [&] {
        RodStepper rod(plan, {});
        rod.strike({.at = 0.1, .impulse = {0, 0.1, 0}, .duration = 2e-4});
        for (int k = 0; k < 50; ++k) rod.step(1.0 / 44100);
        return rod;
    };
    RodStepper once = struck(), again = struck();
    const RodState kept = again.state();
    again.step(1.0 / 44100);
    again.set_state(kept);
    for (RodStepper* rod : {&once, &again})
        for (int half = 0; half < 2; ++half) rod->step(0.5 / 44100);
    const double moved_by = (once.state().place - kept.place).cwiseAbs().maxCoeff();
    CHECK((once.state().place - again.state().place).cwiseAbs().maxCoeff() < 1e-7 * moved_by);
}

TEST_CASE("steps that are too long for a violent motion are halved, said and counted; what is impossible is named") {
    const RodPlan plan = rod_plan(wire(0.3, 31, 0.0005), steel);
    RodStepper rod(plan, {});
    RodRows kick = RodRows::Zero(4, 31);
    kick(1, 15) = 400;  // a wire of half a millimetre, hit at 400 m/s at one point
    rod.add_velocity(kick);
    for (int k = 0; k < 20; ++k) rod.step(1.0 / 22050);
    CHECK(rod.report().halved > 0);
    CHECK(rod.state().place.allFinite());

    RodStepper torn(plan, {.most_halvings = 3});
    torn.forces()(1, 15) = 1e9;
    const RodState before = torn.state();
    CHECK_THROWS_WITH_AS(torn.step(1e-3), doctest::Contains("finds no balance at"), Error);
    CHECK(torn.state().place == before.place);
    CHECK(torn.state().time == before.time);
}

TEST_CASE("many rods side by side: the same bytes for any number of threads") {
    std::vector<RodPlan> plans;
    for (int i = 0; i < 6; ++i) plans.push_back(rod_plan(wire(0.2 + 0.02 * i, 20 + i), steel));
    const auto run = [&](int threads) {
        const clangor::testing::Threads with(threads);
        std::vector<RodStepper> rods;
        for (const RodPlan& plan : plans) {
            rods.emplace_back(plan, RodStepperOptions{});
            rods.back().strike({.at = 0.05, .impulse = {0, 0.01, 0}, .duration = 2e-4});
        }
        for (int k = 0; k < 100; ++k) step_rods(rods, 1.0 / 44100);
        std::vector<RodRows> places;
        for (const RodStepper& rod : rods) places.push_back(rod.state().place);
        return places;
    };
    CHECK(run(1) == run(4));
}

TEST_CASE("what cannot be a rod is named") {
    const auto complaint = [&](const RodShape& shape, const Material& material = steel, const RodSupports& held = {}) {
        try {
            rod_plan(shape, material, {.supports = held});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const RodShape good = wire(0.3, 10);
    CHECK(complaint(good) == "");
    RodShape bad = good;
    bad.points.row(4) = bad.points.row(3);
    CHECK(complaint(bad) == "points 3 and 4 of the rod are at one place; leave one of them out");
    bad = good;
    bad.points.row(9) = bad.points.row(7);
    CHECK(complaint(bad).find("folds back by 180° at point 8") != std::string::npos);
    bad = good;
    bad.points(2, 1) = std::nan("");
    CHECK(complaint(bad) == "the rod's points must be finite");
    bad = good;
    bad.section.torsion = 0;
    CHECK(complaint(bad) == "the section's torsion must be positive, but is 0");
    bad = good;
    bad.points = good.points.topRows(2);
    CHECK(complaint(bad) == "an open rod needs 3 points at least, but has 2");
    bad = good;
    bad.section = round_wire(0.1);
    bad.points.row(9) += Eigen::RowVector3d(0, 0.06, 0);
    CHECK(complaint(bad).find("tighter than its own section") != std::string::npos);
    bad = good;
    bad.twist = Eigen::VectorXd::Zero(10);
    CHECK(complaint(bad) == "twist is given for 10 edges of 9");
    Material absurd = steel;
    absurd.poisson = 0.7;
    CHECK(complaint(good, absurd).find("poisson") != std::string::npos);
    CHECK(complaint(good, steel, {.points = {10}}) == "point 10 is held, but the rod has 10");
    CHECK(complaint(good, steel, {.edges = {9}}) == "edge 9 is held, but the rod has 9");
    const RodPlan plan = rod_plan(good, steel);
    RodStepper rod(plan, {});
    CHECK_THROWS_WITH_AS(rod.strike({.at = 0.4, .impulse = {0, 1, 0}, .duration = 1e-3}),
                         "a rod of 0.3 m cannot be struck at 0.4 m", Error);
}

}  // namespace rod_motion_test
