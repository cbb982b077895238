#include "shell_meshes.hpp"

#include <clangor/validation/exact_shells.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <vector>

namespace shell_modes_test {

using namespace clangor;
using clangor::test::cylinder;
using clangor::test::disc;
using clangor::test::Grid;
using clangor::test::of_thickness;
using clangor::test::rectangle;
using clangor::test::spherical_cap;
using clangor::test::unit_square;
using clangor::validation::ExactPlate;
using clangor::validation::free_cap_hz;
using clangor::validation::free_cylinder_hz;
using clangor::validation::free_discs;
using clangor::validation::free_hemisphere_hz;
using clangor::validation::free_squares;
using clangor::validation::plate_hz;
using clangor::validation::TenModes;

namespace {

Material with_poisson(double poisson) { return {"steel", 7800, 200e9, poisson, {}, ""}; }

// Errors of the first ten frequencies, relative to those given [Hz].
Eigen::VectorXd errors_of(const ThinShell& shell, const Material& material, const TenModes& hz) {
    const Modes modes =
        vibration_modes(assemble(shell, material), {.min_hz = hz[0] / 2, .max_hz = 4 * hz[9], .max_count = 10});
    REQUIRE(modes.omega.size() == 10);
    return modes.omega.array() / (2 * pi) / Eigen::Map<const Eigen::ArrayXd>(hz.data(), 10) - 1;
}

double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST_CASE("free square plate: ten modes within 1 % of Kirchhoff's for any Poisson's ratio and mesh") {
    constexpr double thickness = 0.002;  // kh = 0.02: rotary inertia takes 1e-5 off
    for (const ExactPlate& plate : free_squares)
        for (const Grid grid : {Grid::OneDiagonal, Grid::Alternating, Grid::Irregular}) {
            CAPTURE(plate.poisson);
            CAPTURE(int(grid));
            const Material material = with_poisson(plate.poisson);
            const Eigen::VectorXd errors =
                errors_of(of_thickness(unit_square(plate.poisson > 0.4 ? 12 : 8, grid), thickness), material,
                          plate_hz(plate.lambda, 1, thickness, material));
            INFO("square nu=", plate.poisson, " grid ", int(grid), ": largest error ", errors.cwiseAbs().maxCoeff());
            CHECK(errors.cwiseAbs().maxCoeff() < 0.01);
        }
}

TEST_CASE("free circular plate: ten modes within 1 % of the Bessel roots, for any Poisson's ratio") {
    constexpr double thickness = 0.004;
    for (const ExactPlate& plate : free_discs) {
        CAPTURE(plate.poisson);
        const Material material = with_poisson(plate.poisson);
        const Eigen::VectorXd errors =
            errors_of(of_thickness(disc(8), thickness), material, plate_hz(plate.lambda, 1, thickness, material));
        INFO("disc nu=", plate.poisson, ": largest error ", errors.cwiseAbs().maxCoeff());
        CHECK(errors.cwiseAbs().maxCoeff() < 0.01);
    }
}

TEST_CASE("free square plate: frequencies converge with the square of the edges, on lattices and on irregular meshes") {
    const Material material = with_poisson(0.3);
    // A square of 1 cm of foil, 1 µm thick: twist along the edges, which Kirchhoff leaves out, takes 4e-5 off.
    constexpr double side = 0.01, thickness = 1e-6;
    const TenModes hz = plate_hz(free_squares[1].lambda, side, thickness, material);
    for (const Grid grid : {Grid::OneDiagonal, Grid::Alternating, Grid::Irregular}) {
        CAPTURE(int(grid));
        std::vector<double> rms;
        for (const int n : {8, 16, 32}) {
            Surface plate = unit_square(n, grid);
            plate.vertices *= side;
            rms.push_back(errors_of(of_thickness(plate, thickness), material, hz).norm() / std::sqrt(10.0));
        }
        INFO("grid ", int(grid), ": rms errors ", rms[0], " ", rms[1], " ", rms[2]);
        CHECK(order(rms[0], rms[2]) / 2 > 1.8);
        CHECK(order(rms[0], rms[2]) / 2 < 2.3);
    }
}

TEST_CASE("free cylinder of steel: ten modes within 1 % of three-dimensional elasticity") {
    const Material material = with_poisson(0.3);
    for (const Grid grid : {Grid::OneDiagonal, Grid::Alternating, Grid::Irregular}) {
        CAPTURE(int(grid));
        const ThinShell shell = of_thickness(cylinder(64, 12, 0.1, 0.1, grid), 0.001);
        const Eigen::VectorXd errors = errors_of(shell, material, free_cylinder_hz);
        INFO("cylinder grid ", int(grid), ": errors ", errors.transpose());
        CHECK(errors.cwiseAbs().maxCoeff() < 0.01);
    }
}

TEST_CASE("free hemisphere and spherical cap of steel: ten modes within 1 % of three-dimensional elasticity") {
    const Material material = with_poisson(0.3);
    const Eigen::VectorXd hemisphere =
        errors_of(of_thickness(spherical_cap(20, 0.1, pi / 2), 0.002), material, free_hemisphere_hz);
    INFO("hemisphere: errors ", hemisphere.transpose());
    CHECK(hemisphere.cwiseAbs().maxCoeff() < 0.01);
    const Eigen::VectorXd cap = errors_of(of_thickness(spherical_cap(16, 0.1, pi / 3), 0.001), material, free_cap_hz);
    INFO("cap: errors ", cap.transpose());
    CHECK(cap.cwiseAbs().maxCoeff() < 0.01);
}

TEST_CASE("free bar as a shell: bending in its plane and stretching agree with three-dimensional elasticity") {
    // 200×20 mm, a wall of 10 mm: modes in the plane, by a Ritz solution converged to 1e-6.
    const std::array<double, 4> hz{2506.99, 6529.94, 11930.48, 12612.99};
    const Surface strip = rectangle(48, 4, 0.2, 0.02);
    const Modes modes =
        vibration_modes(assemble(of_thickness(strip, 0.01), {"steel", 7850, 200e9, 0.3, {}, ""}), {.max_hz = 14e3});
    const long n = strip.vertices.rows();
    std::vector<double> found;
    for (long m = 0; m < modes.omega.size(); ++m) {
        double across = 0;
        for (long i = 0; i < n; ++i) across += square(modes.shapes(3 * i + 2, m));
        if (across < 0.01 * modes.shapes.col(m).head(3 * n).squaredNorm()) found.push_back(modes.omega[m] / (2 * pi));
    }
    REQUIRE(found.size() == hz.size());
    for (size_t m = 0; m < hz.size(); ++m) {
        INFO("bar in its plane: ", found[m] / hz[m] - 1);
        CHECK(found[m] == clangor::test::Approx(hz[m]).epsilon(0.01));
    }
}

}  // namespace shell_modes_test
