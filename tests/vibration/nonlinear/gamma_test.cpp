#include "gamma.hpp"
#include "../shell/shell_meshes.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

namespace nonlinear_gamma_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::gamma_of_mesh;
using clangor::test::gamma_of_plan;
using clangor::test::Grid;
using clangor::test::largest_displacement;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};
constexpr double h = 0.002;

struct Reduced {
    ThinShell shell;
    Modes modes;
    ShellPlan plan;

    Reduced(const Surface& middle, int count)
        : shell(of_thickness(middle, h)),
          modes(vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = count})),
          plan(shell_plan(shell, steel, modes)) {}

    Eigen::VectorXd shape(long p) const { return modes.shapes.col(plan.kept[size_t(p)]); }
    double gamma(long p) const { return gamma_of_plan(plan, p, h, largest_displacement(shape(p))); }
    double mesh_gamma(long p) const { return gamma_of_mesh(shell, steel, shape(p), plan.omega[p]); }
};

// Of 1 m radius, with rise² such that κ = 4(rise/h)².
Surface shallow_cap(int rings, double kappa) {
    const double radius = 1 / (h * std::sqrt(kappa));
    return clangor::test::spherical_cap(rings, radius, 1 / radius);
}

}  // namespace

// Continuum values are those of von Kármán's plates and Marguerre's caps, ν = 0.3, in-plane motion free: an Airy
// solution bounds them from below, one in displacements from above, equal to seven digits.

TEST_CASE("free square plate: the first three modes harden as the whole mesh does, and as von Kármán's plate") {
    const Reduced plate(clangor::test::unit_square(16, Grid::Alternating), 30);
    const double continuum[3] = {0.154790, 0.518272, 0.186135};
    for (int p = 0; p < 3; ++p) {
        CAPTURE(p);
        CHECK(plate.gamma(p) == Approx(plate.mesh_gamma(p)).epsilon(0.02));
        CHECK(plate.gamma(p) == Approx(continuum[p]).epsilon(0.03));
    }
}

TEST_CASE("free square plate, irregular triangles: stretch that turning corners make counts as well") {
    // Without it Γ is 16 % off on these cells.
    const Reduced plate(clangor::test::unit_square(8, Grid::Irregular), 20);
    for (int p = 0; p < 3; ++p) {
        CAPTURE(p);
        CHECK(plate.gamma(p) == Approx(plate.mesh_gamma(p)).epsilon(0.02));
    }
}

TEST_CASE("free disc: modes (2,0) and (0,1) harden as the whole mesh does, and as von Kármán's plate") {
    const Reduced disc(clangor::test::disc(8), 30);
    for (int p = 0; p < 3; ++p) {
        CAPTURE(p);
        CHECK(disc.gamma(p) == Approx(disc.mesh_gamma(p)).epsilon(0.02));
        CHECK(disc.gamma(p) == Approx(p < 2 ? 0.422477 : 0.890978).epsilon(0.03));
    }
}

TEST_CASE("shallow cap, κ = 10: its mode (0,1) softens as the whole mesh does, and as Marguerre's cap") {
    const Reduced cap(shallow_cap(12, 10), 30);
    // λ² = ωa²√(ρh/D) of (0,1) is 13.7933; (3,0) comes before it, twice.
    const double D = steel.young * cube(h) / (12 * (1 - square(steel.poisson)));
    CHECK(cap.plan.omega[4] == Approx(13.7933492 * std::sqrt(D / (steel.density * h))).epsilon(0.01));
    CHECK(cap.gamma(4) == Approx(cap.mesh_gamma(4)).epsilon(0.02));
    CHECK(cap.gamma(4) == Approx(-0.717139).epsilon(0.03));
    // (2,0), whose quadratic and cubic terms all but cancel: 5.6 at rest in its plane.
    for (int p = 0; p < 2; ++p) CHECK(std::abs(cap.gamma(p) - 0.0506325) < 0.002);
}

TEST_CASE("shallow cap: hardening turns into softening at κ = 1.863") {
    // Γ of (0,1) is 0.8910, 0.3211 and −0.5393 for κ = 0, 1 and 5.
    const auto of_rotation = [](const Reduced& cap) {
        // The mode whose centre moves.
        long p = 0;
        while (std::abs(cap.shape(p)[2]) < 0.5 * largest_displacement(cap.shape(p))) ++p;
        return cap.gamma(p);
    };
    CHECK(of_rotation(Reduced(shallow_cap(10, 1), 20)) == Approx(0.321070).epsilon(0.03));
    CHECK(of_rotation(Reduced(shallow_cap(10, 5), 20)) == Approx(-0.5393).epsilon(0.03));
}

TEST_CASE("cylinder: bending without stretch neither hardens nor softens") {
    // 2.57 where in-plane motion cannot follow. Exact triangles of this mesh have −5e-5.
    const ThinShell shell = of_thickness(clangor::test::cylinder(40, 8, 0.1, 0.1, Grid::Alternating), 0.001);
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e5, .max_count = 30});
    const ShellPlan plan = shell_plan(shell, steel, modes);
    for (int p = 0; p < 2; ++p)
        CHECK(std::abs(gamma_of_plan(plan, p, 0.001, largest_displacement(modes.shapes.col(plan.kept[size_t(p)])))) <
              2e-4);
}

}  // namespace nonlinear_gamma_test
