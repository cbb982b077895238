#include "gamma.hpp"
#include "held_shells.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

namespace nonlinear_held_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Edges;
using clangor::test::gamma_of_mesh;
using clangor::test::gamma_of_plan;
using clangor::test::Grid;
using clangor::test::held_rim;
using clangor::test::HeldShell;
using clangor::test::largest_displacement;
using clangor::test::of_thickness;
using clangor::test::supported_square;

namespace {

constexpr double nu = 0.3, h = 0.002;
const Material steel{"steel", 7800, 200e9, nu, {}, ""};

struct Reduced : HeldShell {
    ShellPlan plan;

    Reduced(const Surface& middle, const std::vector<LinearConstraint>& constraints, int count)
        : HeldShell(middle, h, steel, constraints, count), plan(shell_plan(shell, steel, modes, held)) {}

    Eigen::VectorXd shape(long p) const { return modes.shapes.col(plan.kept[size_t(p)]); }
    double gamma(long p) const { return gamma_of_plan(plan, p, h, largest_displacement(shape(p))); }
    double mesh_gamma(long p) const { return gamma_of_mesh(shell, steel, shape(p), plan.omega[p], &held); }
};

Reduced square(Edges edges) {
    const Surface middle = clangor::test::unit_square(16, Grid::Alternating);
    return Reduced(middle, supported_square(middle, edges), 30);
}

// Γ of the first mode of a disc of radius 1, clamped and held in its plane: w = J0(kr) − J0(k)/I0(k) I0(kr),
// k = 3.19622. With N' = (rN_r)' = N_θ the wall's compatibility is r(N_r + N_θ)' = −½Eh w'², so that
// (r²N_r)' = r(A − ½Eh ∫w'²/r), A such that N_θ = νN_r at the rim; and Γ is ∫N_r w'² r / (ω² ρh ∫w² r) of
// N_r = h² max(w)²/… for w of one thickness.
double clamped_disc_gamma() {
    const double k = 3.19622061658, share = std::cyl_bessel_j(0, k) / std::cyl_bessel_i(0, k);
    constexpr int steps = 4000;
    Eigen::ArrayXd r(steps + 1), w(steps + 1), slope(steps + 1);
    for (int i = 0; i <= steps; ++i) {
        r[i] = double(i) / steps;
        w[i] = std::cyl_bessel_j(0, k * r[i]) - share * std::cyl_bessel_i(0, k * r[i]);
        slope[i] = -k * std::cyl_bessel_j(1, k * r[i]) - k * share * std::cyl_bessel_i(1, k * r[i]);
    }
    slope *= 1 / w[0], w *= 1 / w[0];
    const auto integral = [&](const Eigen::ArrayXd& f) {
        Eigen::ArrayXd sum(steps + 1);
        sum[0] = 0;
        for (int i = 1; i <= steps; ++i) sum[i] = sum[i - 1] + (f[i - 1] + f[i]) / (2 * steps);
        return sum;
    };
    // In units of Eh: N_r = ½A − S(r)/r², S' = ½r∫w'²/r.
    Eigen::ArrayXd over_r = slope.square() / r;
    over_r[0] = 0;
    const Eigen::ArrayXd strain = 0.5 * integral(over_r), moment = integral(r * strain);
    // N_θ − νN_r = (A − strain − N_r) − νN_r = 0 at r = 1, since N_r + N_θ = A − strain.
    const double A = (strain[steps] - (1 + nu) * moment[steps]) / (1 - (1 + nu) / 2);
    Eigen::ArrayXd N = A / 2 - moment / r.square();
    N[0] = A / 2;
    const double stretched = integral(N * slope.square() * r)[steps], moved = integral(w.square() * r)[steps];
    // ω²ρh = Dk⁴ = Eh³k⁴/(12(1 − ν²)).
    return stretched / moved * 12 * (1 - nu * nu) / (k * k * k * k);
}

}  // namespace

TEST_CASE("supported square plate: Γ of its first mode is the closed form for edges held normally, straight, fixed") {
    // w = sin sin. What stretches at half the wavelength gives ⅜(1 − ν²); edges that are held, ¾(1 + ν) besides:
    // ¾(3/2 + ν − ν²/2) = 1.31625. Held along themselves as well: 1.32295, an Airy solution in 4 modes.
    const double straight = 0.375 * (1 - nu * nu), normal = 0.75 * (1.5 + nu - nu * nu / 2);
    REQUIRE(normal == Approx(straight + 0.75 * (1 + nu)));
    struct Case {
        Edges edges;
        double gamma;
    };
    for (const auto& [edges, gamma] :
         {Case{Edges::Straight, straight}, Case{Edges::Normal, normal}, Case{Edges::Fixed, 1.32294806}}) {
        CAPTURE(int(edges));
        const Reduced plate = square(edges);
        CHECK(plate.gamma(0) == Approx(plate.mesh_gamma(0)).epsilon(0.02));
        CHECK(plate.gamma(0) == Approx(gamma).epsilon(0.03));
    }
}

TEST_CASE("supported square plate, edges free in its plane: it hardens as its mesh does, and least") {
    const Reduced plate = square(Edges::Free);
    CHECK(plate.held.body.rigid.cols() == 3);
    CHECK(plate.gamma(0) == Approx(plate.mesh_gamma(0)).epsilon(0.02));
    // Edges that may warp as well give way to more.
    CHECK(plate.gamma(0) < 0.375 * (1 - nu * nu));
}

TEST_CASE("clamped disc: Γ of its first mode is that of von Kármán's plate") {
    const Surface middle = clangor::test::disc(10);
    const Reduced disc(middle, held_rim(middle, true), 30);
    CHECK(disc.gamma(0) == Approx(disc.mesh_gamma(0)).epsilon(0.02));
    CHECK(disc.gamma(0) == Approx(clamped_disc_gamma()).epsilon(0.03));
}

}  // namespace nonlinear_held_test
