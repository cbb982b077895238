#include "shell_meshes.hpp"

#include <clangor/validation/gamma.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

namespace shell_hardening_test {

using namespace clangor;
using clangor::test::Grid;
using clangor::test::of_thickness;
using clangor::test::unit_square;
using clangor::validation::gamma_of_mesh;

TEST_CASE("free square plate: hardening of its first mode tends to von Kármán's plate, membrane relaxed") {
    // Γ = 0.154790 for ν = 0.3: an Airy solution from below and an in-plane one from above agree to 2e-4. Without
    // motion in the plane it would be 2.77.
    const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};
    constexpr double h = 0.002;
    const auto on_cells = [&](int n) {
        const ThinShell shell = of_thickness(unit_square(n, Grid::Alternating), h);
        const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e4, .max_count = 1});
        return gamma_of_mesh(shell, steel, modes.shapes.col(0), modes.omega[0]);
    };
    const double coarse = on_cells(8), fine = on_cells(16);
    CHECK(coarse == clangor::test::Approx(0.154790).epsilon(0.03));
    CHECK(fine == clangor::test::Approx(0.154790).epsilon(0.01));
    CHECK(std::abs(coarse - 0.154790) > 3 * std::abs(fine - 0.154790));  // second order: a quarter
}

}  // namespace shell_hardening_test
