#include "../shell/shell_meshes.hpp"
#include "gamma.hpp"

#include <clangor/validation/whole_shell.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

namespace nonlinear_large_motion_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::largest_displacement;
using clangor::test::of_thickness;
using clangor::validation::WholeShell;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

// When samples fall through zero for the first time, in samples.
double first_zero(const Eigen::VectorXd& y) {
    for (long s = 1; s < y.size(); ++s)
        if (y[s] <= 0) return double(s - 1) + y[s - 1] / (y[s - 1] - y[s]);
    return std::nan("");
}

// f/f_lin of mode 1 released from rest, by the first quarter of its period: plates swing alike both ways.
double reduced_ratio(const ShellPlan& plan, double amplitude) {
    const double rate = std::max(4000 * plan.omega[0] / (2 * pi), 1.01 * plan.omega.maxCoeff() / pi);
    ShellStepper stepper(plan, {.sample_rate_hz = rate, .xi = Eigen::VectorXd::Zero(plan.modes())});
    stepper.set_state(amplitude * Eigen::VectorXd::Unit(plan.modes(), 0), Eigen::VectorXd::Zero(plan.modes()));
    const double period_samples = rate * 2 * pi / plan.omega[0];
    return 0.25 * period_samples / first_zero(stepper.advance(long(period_samples)).row(0));
}

}  // namespace

TEST_CASE("square plate: the pitch of mode 1 at one and two thicknesses is that of the whole shell, moved in time") {
    const double h = 0.002;
    const ThinShell shell = of_thickness(clangor::test::unit_square(8, Grid::Alternating), h);
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = 20});
    const ShellPlan plan = shell_plan(shell, steel, modes);
    const WallStretch wall(shell, steel);
    const Compliance compliance(assemble(shell, steel), 1e-4 * square(modes.omega[0]));
    const Eigen::VectorXd u = modes.shapes.col(0);
    const Eigen::VectorXd f = wall.forces(wall.quadratic(u)).col(0);
    // What follows outside the modes, at the start: −(K⁺ − UΛ⁻¹Uᵀ)Sᵀn.
    const Eigen::VectorXd in_modes = (modes.shapes.transpose() * f).array() / modes.omega.array().square();
    const Eigen::VectorXd z = modes.shapes * in_modes - compliance(f).col(0);
    for (const double times : {1.0, 2.0}) {
        CAPTURE(times);
        const double amplitude = times * h / largest_displacement(u);
        constexpr int steps = 160;  // a linear period: trapezoidal steps lower pitch by (ωk)²/12, 1.3e-4
        WholeShell whole(shell, steel, 2 * pi / modes.omega[0] / steps);
        whole.start(amplitude * u + square(amplitude) * z);
        const Eigen::VectorXd weight = whole.body().mass * u;
        Eigen::VectorXd y(steps / 4 + 1);
        for (long s = 0; s < y.size(); ++s) {
            y[s] = weight.dot(whole.x());
            whole.step();
        }
        const double whole_ratio = 0.25 * steps / first_zero(y), reduced = reduced_ratio(plan, amplitude);
        CHECK(reduced == Approx(whole_ratio).epsilon(0.005));
        // Without in-plane motion it would be 1.7 and 2.8.
        CHECK(reduced == Approx(times < 1.5 ? 1.056 : 1.205).epsilon(0.01));
    }
}

TEST_CASE("square plate on finer cells: the backbone of mode 1 is that of von Kármán's plate") {
    const double h = 0.002;
    const ThinShell shell = of_thickness(clangor::test::unit_square(16, Grid::Alternating), h);
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = 30});
    const ShellPlan plan = shell_plan(shell, steel, modes);
    const double unit = h / largest_displacement(modes.shapes.col(0));
    // Harmonic balance of many modes, converged to 6e-7: ω/ω_lin with turning points of so many thicknesses. Here the
    // plate is let go from the linear mode's shape, other modes at rest, which they are not on the backbone.
    struct Point {
        double turning, ratio, tolerance;
    };
    for (const auto& [turning, ratio, tolerance] :
         {Point{0.50138777, 1.01439877, 0.002}, Point{1.01087448, 1.05629468, 0.002},
          Point{1.53658743, 1.12214457, 0.005}, Point{2.07705246, 1.2070545, 0.01}})
        CHECK(reduced_ratio(plan, turning * unit) == Approx(ratio).epsilon(tolerance));
}

TEST_CASE("cylinder: at four thicknesses its first mode is less than 0.1 % off its linear pitch") {
    const double h = 0.001;
    const ThinShell shell = of_thickness(clangor::test::cylinder(40, 8, 0.1, 0.1, Grid::Alternating), h);
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = 30});
    const ShellPlan plan = shell_plan(shell, steel, modes);
    const double amplitude = 4 * h / largest_displacement(modes.shapes.col(0));
    const double rate = 48e3;
    ShellStepper stepper(plan, {.sample_rate_hz = rate, .xi = Eigen::VectorXd::Zero(plan.modes())});
    stepper.set_state(amplitude * Eigen::VectorXd::Unit(plan.modes(), 0), Eigen::VectorXd::Zero(plan.modes()));
    const Eigen::VectorXd y = stepper.advance(long(rate)).row(0);
    double first = 0, last = 0;
    int periods = -1;
    for (long s = 1; s < y.size(); ++s)
        if (y[s - 1] < 0 && y[s] >= 0) {
            last = double(s - 1) + y[s - 1] / (y[s - 1] - y[s]);
            if (++periods == 0) first = last;
        }
    REQUIRE(periods > 30);
    CHECK(periods * rate / (last - first) == Approx(plan.omega[0] / (2 * pi)).epsilon(1e-3));
}

}  // namespace nonlinear_large_motion_test
