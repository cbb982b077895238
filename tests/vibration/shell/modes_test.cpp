#include "shell_meshes.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <array>
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

namespace {

Material with_poisson(double poisson) { return {"steel", 7800, 200e9, poisson, {}, ""}; }

using TenModes = std::array<double, 10>;

// Errors of the first ten frequencies, relative to those given [Hz].
Eigen::VectorXd errors_of(const ThinShell& shell, const Material& material, const TenModes& hz) {
    const Modes modes =
        vibration_modes(assemble(shell, material), {.min_hz = hz[0] / 2, .max_hz = 4 * hz[9], .max_count = 10});
    REQUIRE(modes.omega.size() == 10);
    return modes.omega.array() / (2 * pi) / Eigen::Map<const Eigen::ArrayXd>(hz.data(), 10) - 1;
}

// ω = λ √(D/ρh) / a², with a = 1 m.
TenModes plate_hz(const TenModes& lambda, double thickness, const Material& material) {
    TenModes hz = lambda;
    const double D = material.young * cube(thickness) / (12 * (1 - square(material.poisson)));
    for (double& f : hz) f *= std::sqrt(D / (material.density * thickness)) / (2 * pi);
    return hz;
}

// λ = ωa²√(ρh/D) of free square plates of side a: Kirchhoff's energy over 24×24 Legendre polynomials, converged to
// 5e-8. For ν = 0.3 as in [Leissa1969].
struct Plate {
    double poisson;
    TenModes lambda;
};
const std::array<Plate, 3> square_plates{
    {{0,
      {15.822631, 22.373285, 22.373285, 38.694305, 38.694305, 61.672823, 61.672823, 70.427569, 77.224814, 77.562511}},
     {0.3,
      {13.468197, 19.596137, 24.270201, 34.800891, 34.800891, 61.093234, 61.093234, 63.686133, 69.265405, 77.171700}},
     {0.45,
      {12.024071, 17.764670, 24.844553, 31.929163, 31.929163, 59.097696, 60.086846, 60.086846, 63.551340, 75.819235}}}};

// λ = ωR²√(ρh/D) of free circular plates: roots of the determinant of J_n and I_n for M_r = V_r = 0. Those of n > 0 are
// double.
const std::array<Plate, 3> circular_plates{{{0,
                                             {6.1530406, 6.1530406, 8.2439258, 13.9561216, 13.9561216, 20.0597381,
                                              20.0597381, 24.1243254, 24.1243254, 35.4417421}},
                                            {0.3,
                                             {5.3583298, 5.3583298, 9.0031374, 12.4389882, 12.4389882, 20.4745501,
                                              20.4745501, 21.8351627, 21.8351627, 33.4949316}},
                                            {0.45,
                                             {4.8380597, 4.8380597, 9.3168882, 11.3625342, 11.3625342, 20.1083392,
                                              20.1083392, 20.6623842, 20.6623842, 31.0342033}}}};

double order(double coarse, double fine) { return std::log2(coarse / fine); }

}  // namespace

TEST_CASE("free square plate: ten modes within 1 % of Kirchhoff's for any Poisson's ratio and mesh") {
    constexpr double thickness = 0.002;  // kh = 0.02: rotary inertia takes 1e-5 off
    for (const Plate& plate : square_plates)
        for (const Grid grid : {Grid::OneDiagonal, Grid::Alternating, Grid::Irregular}) {
            CAPTURE(plate.poisson);
            CAPTURE(int(grid));
            const Material material = with_poisson(plate.poisson);
            const Eigen::VectorXd errors =
                errors_of(of_thickness(unit_square(plate.poisson > 0.4 ? 12 : 8, grid), thickness), material,
                          plate_hz(plate.lambda, thickness, material));
            INFO("square nu=", plate.poisson, " grid ", int(grid), ": largest error ", errors.cwiseAbs().maxCoeff());
            CHECK(errors.cwiseAbs().maxCoeff() < 0.01);
        }
}

TEST_CASE("free circular plate: ten modes within 1 % of the Bessel roots, for any Poisson's ratio") {
    constexpr double thickness = 0.004;
    for (const Plate& plate : circular_plates) {
        CAPTURE(plate.poisson);
        const Material material = with_poisson(plate.poisson);
        const Eigen::VectorXd errors =
            errors_of(of_thickness(disc(8), thickness), material, plate_hz(plate.lambda, thickness, material));
        INFO("disc nu=", plate.poisson, ": largest error ", errors.cwiseAbs().maxCoeff());
        CHECK(errors.cwiseAbs().maxCoeff() < 0.01);
    }
}

TEST_CASE("free square plate: frequencies converge with the square of the edges, on lattices and on irregular meshes") {
    const Material material = with_poisson(0.3);
    // A square of 1 cm of foil, 1 µm thick: twist along the edges, which Kirchhoff leaves out, takes 4e-5 off.
    constexpr double side = 0.01, thickness = 1e-6;
    TenModes hz = plate_hz(square_plates[1].lambda, thickness, material);
    for (double& f : hz) f /= square(side);
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

// Three-dimensional elasticity: displacements as Legendre polynomials along the meridian and across the wall, a Fourier
// order around. Converged to 2e-6 (cylinder), 1e-5 (hemisphere) and 1e-5 (cap of 60°). All are double.
const TenModes cylinder_hz{64.9777,  64.9777,  117.4131, 117.4131, 183.7721,
                           183.7721, 292.6470, 292.6470, 352.3228, 352.3228};
const TenModes hemisphere_hz{204.211,  204.211,  553.824,  553.824, 1032.243,
                             1032.243, 1619.254, 1619.254, 2300.65, 2300.65};
const TenModes cap_hz{158.835, 158.835, 405.080, 405.080, 741.521, 741.521, 1158.49, 1158.49, 1647.88, 1647.88};

TEST_CASE("free cylinder of steel: ten modes within 1 % of three-dimensional elasticity") {
    const Material material = with_poisson(0.3);
    for (const Grid grid : {Grid::OneDiagonal, Grid::Alternating, Grid::Irregular}) {
        CAPTURE(int(grid));
        const ThinShell shell = of_thickness(cylinder(64, 12, 0.1, 0.1, grid), 0.001);
        const Eigen::VectorXd errors = errors_of(shell, material, cylinder_hz);
        INFO("cylinder grid ", int(grid), ": errors ", errors.transpose());
        CHECK(errors.cwiseAbs().maxCoeff() < 0.01);
    }
}

TEST_CASE("free hemisphere and spherical cap of steel: ten modes within 1 % of three-dimensional elasticity") {
    const Material material = with_poisson(0.3);
    const Eigen::VectorXd hemisphere =
        errors_of(of_thickness(spherical_cap(20, 0.1, pi / 2), 0.002), material, hemisphere_hz);
    INFO("hemisphere: errors ", hemisphere.transpose());
    CHECK(hemisphere.cwiseAbs().maxCoeff() < 0.01);
    const Eigen::VectorXd cap = errors_of(of_thickness(spherical_cap(16, 0.1, pi / 3), 0.001), material, cap_hz);
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
