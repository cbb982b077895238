#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/nonlinear/nonlinear.hpp>

#include <doctest/doctest.h>
#include <Eigen/SparseCholesky>
#include <approx.hpp>

namespace nonlinear_large_motion_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

// A whole shell that moves: M ẍ + ∂W(x) = 0 by the trapezoidal rule, each step by Newton's method with conjugate
// gradients inside. x are displacements and rotation vectors.
class WholeShell {
public:
    WholeShell(const ThinShell& shell, double step)
        : body_(assemble(shell, steel)), elastic_(shell, steel), rest_(rest_pose(shell)), k_(step) {
        const SparseMatrix linear = 4 / (k_ * k_) * body_.mass + body_.stiffness;
        linear_.compute(linear);
        mass_.compute(body_.mass);
    }

    void start(const Eigen::VectorXd& x) {
        x_ = x;
        v_ = Eigen::VectorXd::Zero(x.size());
        a_ = -mass_.solve(gradient(x));
    }

    void step() {
        const Eigen::VectorXd x0 = x_, v0 = v_, a0 = a_;
        const auto acceleration = [&](const Eigen::VectorXd& x) -> Eigen::VectorXd {
            return 4 / (k_ * k_) * (x - x0 - k_ * v0) - a0;
        };
        x_ = x0 + k_ * v0 + 0.25 * k_ * k_ * a0;
        for (int i = 0; i < 20; ++i) {
            const Eigen::VectorXd g = gradient(x_), residual = body_.mass * acceleration(x_) + g;
            if (residual.dot(linear_.solve(residual)) < 1e-14 * g.dot(linear_.solve(g))) break;
            x_ -= solved(residual);
        }
        a_ = acceleration(x_);
        v_ = v0 + 0.5 * k_ * (a0 + a_);
    }

    const Eigen::VectorXd& x() const { return x_; }
    const StiffnessMass& body() const { return body_; }

private:
    // Along rotation vectors a, where R = exp([a]×) turns by dθ = (1 + ½[a]× + ⅙[a]×²) da, to second order.
    Eigen::VectorXd gradient(const Eigen::VectorXd& x) const {
        Eigen::VectorXd g = elastic_.gradient(moved(rest_, x));
        const long n = x.size() / 6;
        for (long i = 0; i < n; ++i) {
            const Vec3 a = x.segment<3>(3 * (n + i)), torque = g.segment<3>(3 * (n + i));
            g.segment<3>(3 * (n + i)) += -0.5 * a.cross(torque) + a.cross(a.cross(torque)) / 6;
        }
        return g;
    }

    Eigen::VectorXd solved(const Eigen::VectorXd& residual) const {
        const auto times = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
            const double e = 1e-6 / p.cwiseAbs().maxCoeff();
            return 4 / (k_ * k_) * (body_.mass * p) + (gradient(x_ + e * p) - gradient(x_ - e * p)) / (2 * e);
        };
        Eigen::VectorXd x = Eigen::VectorXd::Zero(residual.size()), r = residual, z = linear_.solve(r), p = z;
        double rz = r.dot(z);
        const double goal = 1e-4 * rz;
        for (int i = 0; i < 200 && rz > goal; ++i) {
            const Eigen::VectorXd Ap = times(p);
            const double alpha = rz / p.dot(Ap);
            x += alpha * p;
            r -= alpha * Ap;
            z = linear_.solve(r);
            const double next = r.dot(z);
            p = z + next / rz * p;
            rz = next;
        }
        return x;
    }

    StiffnessMass body_;
    ElasticShell elastic_;
    ShellPose rest_;
    double k_;
    Eigen::SimplicialLDLT<SparseMatrix> linear_, mass_;
    Eigen::VectorXd x_, v_, a_;
};

// When samples fall through zero for the first time, in samples.
double first_zero(const Eigen::VectorXd& y) {
    for (long s = 1; s < y.size(); ++s)
        if (y[s] <= 0) return double(s - 1) + y[s - 1] / (y[s - 1] - y[s]);
    return std::nan("");
}

double largest_displacement(const Eigen::VectorXd& u) {
    double largest = 0;
    for (long i = 0; i < u.size() / 6; ++i) largest = std::max(largest, u.segment<3>(3 * i).norm());
    return largest;
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
        WholeShell whole(shell, 2 * pi / modes.omega[0] / steps);
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
