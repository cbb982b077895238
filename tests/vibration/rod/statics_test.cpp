#include <clangor/vibration/rod/rod.hpp>

#include <Eigen/Eigenvalues>

#include <doctest/doctest.h>
#include <approx.hpp>

namespace rod_statics_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};

Eigen::VectorXd free_eigenvalues(const RodPlan& plan, const RodState& state) {
    const ConstrainedBody body = small_motion(plan, state);
    return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(body.body.stiffness), Eigen::EigenvaluesOnly)
        .eigenvalues();
}

// Where something that falls passes zero.
template <class Function>
double root_of(const Function& f, double low, double high) {
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        (f(middle) > 0 ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

TEST_CASE("a cantilever bends under its own weight by ρAgL⁴/8EI") {
    const double L = 0.3, a = 0.002;
    const long n = 61;
    const double spacing = L / (double(n) - 1.5);
    const RodShape shape{.points = straight_points({-spacing / 2, 0, 0}, {L, 0, 0}, n), .section = round_wire(a)};
    for (const bool shear : {false, true}) {
        const RodPlan plan = rod_plan(shape, steel, {.supports = {.edges = {0}}, .shear = shear});
        RodStepper rod(plan, {.gravity = {0, -9.81, 0}});
        rod.settle();
        const double exact = 7850 * 9.81 * square(square(L)) / (8 * 200e9 * square(a) / 4);
        CHECK(-rod.state().place(1, n - 1) == Approx(exact).epsilon(0.005));
        // Coordinates are rounded: ε|x|EA/l on a point's mass is 6e-5 m/s².
        CHECK(rod.state().acceleration.topRows<3>().cwiseAbs().maxCoeff() < 1e-3);
        for (int k = 0; k < 100; ++k) rod.step(1.0 / 44100);  // and stays
        CHECK(-rod.state().place(1, n - 1) == Approx(exact).epsilon(0.005));
        CHECK(rod.state().velocity.cwiseAbs().maxCoeff() < 1e-7);
    }
}

TEST_CASE("a slack rope hangs as a catenary") {
    // Of 1.2 m between hooks 1 m apart: 2c sinh(d/2c) = S, sag c (cosh(d/2c) − 1).
    const double S = 1.2, d = 1, a = 0.0002;
    const double c = root_of([&](double x) { return 2 * x * std::sinh(d / (2 * x)) - S; }, 0.1, 10);
    const long n = 121;
    const Material rope{"rope", 1000, 3e7, 0.3, {}, ""};  // stretches by 0.04 %
    const RodShape shape{.points = straight_points({0, 0, 0}, {S, 0, 0}, n), .section = round_wire(a)};
    const RodPlan plan = rod_plan(shape, rope, {.supports = {.points = {0, n - 1}}});
    RodStepper rod(plan, {.gravity = {0, -9.81, 0}});
    // The second hook comes nearer.
    RodState state = plan.rest;
    for (long i = 0; i < n; ++i) {
        const double s = double(i) / double(n - 1);
        state.place(0, i) = d * s;
        state.place(1, i) = -std::sqrt(S * S - d * d) * std::min(s, 1 - s);
    }
    rod.set_state(moved(plan, plan.rest, state.place));
    rod.settle();
    const double sag = -rod.state().place(1, n / 2);
    CHECK(sag == Approx(c * (std::cosh(d / (2 * c)) - 1)).epsilon(0.01));
    const double slope = rod.state().tangents(2, 1) / rod.state().tangents(2, 0);
    CHECK(-slope == Approx(std::sinh((d / 2 - rod.state().place.row(0).segment(2, 2).mean()) / c)).epsilon(0.02));
}

TEST_CASE("a rod that is pulled stretches by F/EA, on springs as well") {
    const double a = 0.001, F = 100, EA = 200e9 * pi * a * a;
    const RodShape shape{.points = straight_points({0, 0, 0}, {1, 0, 0}, 21), .section = round_wire(a)};
    const RodPlan plan =
        rod_plan(shape, steel, {.supports = {.springs = {{.point = 0, .stiffness = {1e5, 1e5, 1e5}, .damping = 1}}}});
    RodStepper rod(plan, {});
    rod.forces()(0, 20) = F;
    rod.settle();
    CHECK(rod.state().place(0, 0) == Approx(F / 1e5).epsilon(1e-6));
    CHECK(rod.state().place(0, 20) - rod.state().place(0, 0) - 1 == Approx(F / EA).epsilon(1e-6));
}

TEST_CASE(
    "a rod that nothing pushes rests where it was made, straight or curved, held or free, near the origin or not") {
    for (const bool curved : {false, true})
        for (const double away : {0.0, 10.0})
            for (const bool held : {false, true}) {
                CAPTURE(curved);
                CAPTURE(away);
                CAPTURE(held);
                RodShape shape{.points = straight_points({away, 0.3, 0}, {away + 1, 0.7, 0.2}, 101),
                               .section = round_wire(0.001)};
                if (curved)
                    for (long i = 0; i < 101; ++i)
                        shape.points.row(i) << away + 0.05 * std::cos(0.1 * double(i)),
                            0.05 * std::sin(0.1 * double(i)), 5e-4 * double(i);
                RodPlanOptions options;
                if (held) options.supports.edges = {0};
                const RodPlan plan = rod_plan(shape, steel, options);
                RodStepper rod(plan, {});
                rod.settle();
                // Rounded coordinates bend a wire by what its own softness makes of them.
                CHECK((rod.state().place - plan.rest.place).cwiseAbs().maxCoeff() < 1e-8);
            }
}

TEST_CASE("a rod that nothing holds finds no rest under its weight") {
    const RodPlan plan =
        rod_plan({.points = straight_points({0, 0, 0}, {1, 0, 0}, 11), .section = round_wire(0.01)}, steel);
    RodStepper rod(plan, {.gravity = {0, -9.81, 0}});
    CHECK_THROWS_WITH_AS(rod.settle(), doctest::Contains("nothing holds it"), Error);
}

TEST_CASE("a straight rod between clamps, twisted: it leaves its line at the torque 8.987 EI/L of Greenhill") {
    const double L = 1, a = 0.002;
    const long n = 82;
    const double spacing = L / double(n - 2);
    const RodShape shape{.points = straight_points({-spacing / 2, 0, 0}, {L + spacing / 2, 0, 0}, n),
                         .section = round_wire(a)};
    const RodPlan plan = rod_plan(shape, steel, {.supports = {.edges = {0, n - 2}}});
    const auto lowest = [&](double torque_by_EI) {  // φ = ML/GJ, and EI/GJ = 1 + ν
        const double turned = torque_by_EI * 1.3;
        RodState state = plan.rest;
        for (int step = 1; step <= 8; ++step) {
            RodRows place = state.place;
            for (long j = 0; j < plan.edges; ++j) place(3, j) = turned * step / 8 * double(j) / double(plan.edges - 1);
            state = moved(plan, state, place);
        }
        return free_eigenvalues(plan, state)[0];
    };
    CHECK(root_of(lowest, 6, 12) == Approx(8.9868).epsilon(0.01));
}

TEST_CASE("a closed ring of straight, twisted wire: it leaves its plane at 2π√3 EI/GJ turns of Michell and Zajac") {
    const double R = 0.1, a = 0.0005;
    const long n = 60;
    Points points(n, 3);
    for (long i = 0; i < n; ++i)
        points.row(i) << R * std::cos(2 * pi * double(i) / double(n)), R * std::sin(2 * pi * double(i) / double(n)), 0;
    RodPlan plan = rod_plan({.points = points, .closed = true, .section = round_wire(a)}, steel);
    plan.rest_1.setZero();  // of wire that was straight before it was closed
    plan.rest_2.setZero();
    const auto unstable = [&](double turned) {  // how many motions lose energy
        RodPlan twisted = plan;
        twisted.rest_turn.head(n).setConstant(-turned / double(n));
        RodStepper rod(twisted, {});
        const Eigen::VectorXd lambda = free_eigenvalues(twisted, rod.state());
        const double stiff = 200e9 * pi * square(square(a)) / 4 / cube(R);  // EI/R³
        return double((lambda.array() < -1e-6 * stiff).count());
    };
    const double critical = root_of([&](double turned) { return unstable(turned) > 0 ? -1.0 : 1.0; }, 5, 25);
    CHECK(critical == Approx(2 * pi * std::sqrt(3.0) * 1.3).epsilon(0.02));
}

}  // namespace rod_statics_test
