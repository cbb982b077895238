#include "gamma.hpp"
#include "held_shells.hpp"

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>
#include <approx.hpp>

namespace nonlinear_prestress_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Edges;
using clangor::test::Grid;
using clangor::test::held_rim;
using clangor::test::HeldShell;
using clangor::test::largest_displacement;
using clangor::test::of_thickness;
using clangor::test::supported_square;

namespace {

constexpr double nu = 0.3, h = 0.002;
const Material steel{"steel", 7800, 200e9, nu, {}, ""};

// Held in its plane, its wall grows alike everywhere, by 1.
struct Held : HeldShell {
    ShellPlan plan;

    Held(const Surface& middle, const std::vector<LinearConstraint>& constraints)
        : HeldShell(middle, h, steel, constraints, 30),
          plan(shell_plan(shell, steel, modes, held, {.growth = Eigen::VectorXd::Ones(middle.faces.rows())})) {}
};

Held square_plate(Edges edges) {
    const Surface middle = clangor::test::unit_square(16, Grid::Alternating);
    return Held(middle, supported_square(middle, edges));
}

// A free shell whose middle grows.
struct Free {
    ThinShell shell;
    Modes modes;
    ShellPlan plan;

    Free(const Surface& middle, double thickness, int count)
        : shell(of_thickness(middle, thickness)),
          modes(vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = count})),
          plan(shell_plan(shell, steel, modes, {.growth = middle_growth(middle)})) {}

    Eigen::VectorXd displaced(const Eigen::VectorXd& q) const { return modes.shapes(Eigen::all, plan.kept) * q; }
};

// Growth g makes −N = Ehg/(1 − ν) in a wall that is held: the g of so many D/m².
double growth_of(double compression) { return compression * h * h / (12 * (1 + nu)); }

// The first k at which f changes its sign, from `from` on.
template <class F>
double first_root(const F& f, double from) {
    double low = from, high = from;
    while (f(from) * f(high) > 0) low = high, high += 0.01;
    for (int i = 0; i < 60; ++i) (f(from) * f((low + high) / 2) > 0 ? low : high) = (low + high) / 2;
    return low;
}

// A free disc whose growth is g(1 − ρ²), ρ = r/a, has N_r = −¼Ehg(1 − ρ²). Turned about its axis by φ(ρ) it is in
// balance where φ″ + φ′/ρ − φ/ρ² + μ(1 − ρ²)φ = 0, μ = Ehga²/4D, and φ′ + νφ = 0 at the rim. The μ of the first such
// φ = Σ a_k ρ^(2k+1), ((2k + 1)² − 1) a_k = −μ(a_(k−1) − a_(k−2)).
double dome_mu() {
    return first_root(
        [](double mu) {
            double before = 0, last = 1, sum = 1 + nu;
            for (int k = 1; k < 40; ++k) {
                const double next = -mu * (last - before) / (square(2 * k + 1.0) - 1);
                sum += next * (2 * k + 1 + nu);
                before = last, last = next;
            }
            return sum;
        },
        0);
}

double energy(const ShellPlan& plan, const Eigen::VectorXd& q) {
    return 0.5 * (plan.omega.cwiseProduct(q)).squaredNorm() + nonlinear_force(plan, q).potential;
}

}  // namespace

TEST_CASE("plates that are held in their plane buckle under the closed-form loads") {
    const auto load = [](const Held& plate) { return critical_prestress(plate.plan); };
    // 2π²D/L² on all four sides. The mesh of 16 cells makes it 0.4 % more, of 8 cells 1.9 %.
    CHECK(load(square_plate(Edges::Fixed)) == Approx(growth_of(2 * pi * pi)).epsilon(0.006));
    CHECK(load(square_plate(Edges::Normal)) == Approx(growth_of(2 * pi * pi)).epsilon(0.006));
    // k²D/a²: clamped, J1(k) = 0; supported, kJ0(k) = (1 − ν)J1(k). 10 rings make it 0.9 % more.
    const double clamped = first_root([](double k) { return std::cyl_bessel_j(1, k); }, 1);
    const double supported =
        first_root([](double k) { return k * std::cyl_bessel_j(0, k) - (1 - nu) * std::cyl_bessel_j(1, k); }, 1);
    REQUIRE(clamped * clamped == Approx(14.682).epsilon(1e-4));
    REQUIRE(supported * supported == Approx(4.198).epsilon(1e-4));
    const Surface disc = clangor::test::disc(10);
    CHECK(load(Held(disc, held_rim(disc, true))) == Approx(growth_of(square(clamped))).epsilon(0.015));
    CHECK(load(Held(disc, held_rim(disc, false))) == Approx(growth_of(square(supported))).epsilon(0.015));
}

TEST_CASE("free disc: too long a middle makes a dome under the closed-form growth, too long a rim makes a saddle") {
    Free disc(clangor::test::disc(10), h, 30);
    const double closed = dome_mu() * h * h / (3 * (1 - nu * nu));
    CHECK(critical_prestress(disc.plan) == Approx(closed).epsilon(0.015));
    const auto around = [&](double multiple) -> Eigen::Vector2d {
        ShellPlan plan = disc.plan;
        plan.prestress *= multiple * critical_prestress(plan);
        const Eigen::VectorXd u = disc.displaced(rest_state(plan, 1));
        const Surface& middle = disc.shell.middle;
        // Of w at the rim: Σ w, Σ |w|, Σ w e^(2iθ).
        double sum = 0, all = 0;
        Eigen::Vector2d twice = Eigen::Vector2d::Zero();
        for (long i = 0; i < middle.vertices.rows(); ++i) {
            const double x = middle.vertices(i, 0), y = middle.vertices(i, 1), w = u[3 * i + 2];
            if (x * x + y * y < 0.999) continue;
            sum += w, all += std::abs(w), twice += w * Eigen::Vector2d(x * x - y * y, 2 * x * y);
        }
        return Eigen::Vector2d(std::abs(sum), twice.norm()) / all;
    };
    CHECK(around(1.2)[0] > 0.99);
    disc.plan.prestress *= -1;
    const Eigen::Vector2d saddle = around(1.2);
    CHECK(saddle[0] < 1e-3);
    CHECK(saddle[1] > 0.78);  // ∫cos²2θ/∫|cos 2θ| = π/4
}

TEST_CASE("a supported square beyond its critical load: deflection, pitch and barrier of one mode in closed form") {
    // With ẅ + ω²((1 − t)w + Γw³/h²) = 0 it lies at (w/h)² = (t − 1)/Γ, rings at √(2(t − 1))·ω and lies
    // ¼(t − 1)²/Γ·(ωh)² deep, for unit mass; Γ = ¾(3/2 + ν − ν²/2), on 16 cells 0.8 % less.
    const double gamma = 0.75 * (1.5 + nu - nu * nu / 2), t = 1.05;
    Held plate = square_plate(Edges::Normal);
    plate.plan.prestress *= t * critical_prestress(plate.plan);
    const ShellPlan& plan = plate.plan;
    const Eigen::VectorXd q = rest_state(plan, 1);
    const double unit = h / largest_displacement(plate.modes.shapes.col(plan.kept[0]));  // q_1 of one thickness
    CHECK(square(q[0] / unit) == Approx((t - 1) / gamma).epsilon(0.01));
    CHECK((rest_state(plan, -1) + q).norm() < 1e-6 * q.norm());
    const double lowest = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(stiffness_at(plan, q)).eigenvalues()[0];
    CHECK(lowest == Approx(2 * (t - 1) * square(plan.omega[0])).epsilon(0.002));
    const double depth = 0.25 * square(t - 1) / gamma * square(plan.omega[0] * unit);
    CHECK(-energy(plan, q) == Approx(depth).epsilon(0.01));
    plate.plan.prestress *= 0.99 / t;
    CHECK(rest_state(plate.plan, 1).isZero(0));
}

}  // namespace nonlinear_prestress_test
