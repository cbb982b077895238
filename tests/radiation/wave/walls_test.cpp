// What becomes of the surface on the grid: volumes, thin walls, sheets, leaks.
#include <radiation/wave/sphere_sound.hpp>

#include <clangor/radiation/wave/air_cells.hpp>
#include <clangor/radiation/wave/grid_plan.hpp>
#include <clangor/radiation/wave/lattice_lines.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace walls_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

const Air air;
const double c = air.speed_of_sound;

Surface turned(Surface surface, double angle) {
    const Mat3 R = Eigen::AngleAxisd(angle, Vec3(1, 2, 0.5).normalized()).toRotationMatrix();
    surface.vertices = surface.vertices * R.transpose();
    return surface;
}

// An open disc in the xy plane.
Surface disc(double radius) {
    constexpr int rings = 6, sectors = 48;
    Surface surface{Points(1 + rings * sectors, 3), Triangles(sectors * (2 * rings - 1), 3)};
    surface.vertices.row(0).setZero();
    auto at = [](int ring, int k) { return ring == 0 ? 0 : 1 + (ring - 1) * sectors + k % sectors; };
    long face = 0;
    for (int ring = 1; ring <= rings; ++ring)
        for (int k = 0; k < sectors; ++k) {
            const double phi = 2 * pi * k / sectors, r = radius * ring / rings;
            surface.vertices.row(at(ring, k)) << r * std::cos(phi), r * std::sin(phi), 0;
            surface.faces.row(face++) << at(ring - 1, k), at(ring, k), at(ring, k + 1);
            if (ring > 1) surface.faces.row(face++) << at(ring - 1, k), at(ring, k + 1), at(ring - 1, k + 1);
        }
    return surface;
}

// Two concentric spheres, the inner one facing inward: a closed shell with a cavity.
Surface hollow_sphere(double outer, double inner, int levels) {
    const Surface out = icosphere(outer, levels), in = icosphere(inner, levels);
    Surface shell{Points(2 * out.vertices.rows(), 3), Triangles(2 * out.faces.rows(), 3)};
    shell.vertices << out.vertices, in.vertices;
    shell.faces.topRows(out.faces.rows()) = out.faces;
    shell.faces.bottomRows(in.faces.rows()) =
        in.faces.rowwise().reverse().array() + static_cast<int>(out.vertices.rows());
    return shell;
}

// The part of p at radius r that goes with cos θ about `axis`, from Gauss–Legendre rings (exact for orders up to 6).
struct DipoleProbe {
    Points points;
    Eigen::VectorXf weights;
};
DipoleProbe dipole_probe(double r, const Vec3& axis) {
    constexpr int around = 8;
    const std::array<double, 4> cosine = {-0.8611363115940526, -0.3399810435848563, 0.3399810435848563,
                                          0.8611363115940526};
    const std::array<double, 4> weight = {0.3478548451374538, 0.6521451548625461, 0.6521451548625461,
                                          0.3478548451374538};
    const Vec3 u = axis.unitOrthogonal(), v = axis.cross(u);
    DipoleProbe probe{Points(4 * around, 3), Eigen::VectorXf(4 * around)};
    for (int i = 0; i < 4; ++i)
        for (int k = 0; k < around; ++k) {
            const double phi = 2 * pi * (k + 0.5) / around, sine = std::sqrt(1 - square(cosine[i]));
            const Vec3 direction = cosine[i] * axis + sine * (std::cos(phi) * u + std::sin(phi) * v);
            probe.points.row(i * around + k) = r * direction;
            probe.weights[i * around + k] = static_cast<float>(1.5 * weight[i] * cosine[i] / around);
        }
    return probe;
}

// Peak of the dipole part over ρ0 D/4π [Ȧ/(cr) + A/r²] with D = 8a³/3, for a body that accelerates along `axis`.
double disc_dipole(const Surface& surface, double a, const Vec3& axis, double cell) {
    const double h = 10 * a / c, r = 2.5 * a;  // slow: 0.2/h of frequency is ka = 0.13
    const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
    const DipoleProbe probe = dipole_probe(r, axis);
    const WaveSolver solver(surface, probe.points, air, {.cell_size = cell});
    const Points along = axis.transpose().replicate(surface.vertices.rows(), 1);
    const WaveRecord record = solver.run({{{{along, pulse}}}}, {.start_time = -2 * h, .max_duration = 3 * h});
    double expected = 0;
    for (double t = -2 * h; t < h; t += h / 200) {
        const double slope = (pulse(t + 1e-4 * h) - pulse(t - 1e-4 * h)) / (2e-4 * h);
        expected =
            std::max(expected, air.density * (8 * cube(a) / 3) / (4 * pi) * (slope / (c * r) + pulse(t) / square(r)));
    }
    return double((record.pressure[0] * probe.weights).maxCoeff()) / expected;
}

}  // namespace

TEST_CASE("every line of a lattice enters and leaves a closed body equally often, also through edges and vertices") {
    // A box whose corners and edges lie exactly on lattice lines, and a sphere with vertices on the axes.
    for (const Surface& surface : {surface_of(Box{.size = {0.2, 0.4, 0.6}}), icosphere(0.3, 3)})
        for (int axis = 0; axis < 3; ++axis) {
            const wave::Lattice lattice{axis, -0.5, -0.5, 0.05, 0.05, 21, 21};
            int balance = 0, line = -1;
            long crossings = 0;
            for (const wave::Crossing& crossing :
                 wave::crossings(surface, std::vector<char>(surface.faces.rows(), 1), lattice)) {
                if (crossing.line != line) REQUIRE(balance == 0);
                line = crossing.line;
                balance += crossing.entering ? 1 : -1;
                REQUIRE(balance >= 0);
                ++crossings;
            }
            CHECK(balance == 0);
            CHECK(crossings > 50);
        }
}

TEST_CASE("cut cells hold the body's volume") {
    // Lines of the best axis integrate a smooth surface to (1/7)²/24 of a cell layer.
    for (const double angle : {0.0, 0.7}) {
        const Surface box = turned(surface_of(Box{.size = {0.05, 0.04, 0.03}}), angle);
        const WaveSolver solver(box, Points(0, 3), air, {.cell_size = 0.0033});
        CHECK(solver.report().solid_volume == Approx(0.05 * 0.04 * 0.03).epsilon(0.005));
        CHECK(solver.report().lost_area == 0);
    }
    const Surface ball = icosphere(0.01, 5);
    CHECK(WaveSolver(ball, Points(0, 3), air, {.cell_size = 0.002}).report().solid_volume ==
          Approx(4 * pi / 3 * 1e-6).epsilon(1e-3));
}

TEST_CASE("a closed shell thinner than a cell is sealed") {
    const double a = 0.02, cell = a / 8;
    Points points(2, 3);
    points << 0, 0.4 * a, 0, 1.5 * a, 0, 0;
    for (const double wall : {0.05, 0.3, 0.6, 1.0, 1.4}) {  // in cells: from paper to just resolved
        CAPTURE(wall);
        const Surface shell = hollow_sphere(a, a - wall * cell, 4);
        const WaveSolver solver(shell, points, air, {.cell_size = cell});
        // The flood of air from outside must not have come in: the cavity is the inner sphere less the cells that its
        // wall cuts away or adds, a third of a cell layer at most.
        const double cavity = double(solver.report().cavity_cells) * cube(cell);
        CHECK(cavity == Approx(4 * pi / 3 * cube(a - wall * cell)).epsilon(0.35));
        const double h = 2 * a / c;
        const WaveRecord record =
            solver.run({{{{rigid_motions(shell, Vec3::Zero())[0], [h](double t) { return mitchell_pulse(t, h); }}}}},
                       {.start_time = -2 * h, .max_duration = 6 * h});
        CHECK(record.pressure[0].col(0).cwiseAbs().maxCoeff() == 0.0f);
        CHECK(record.pressure[0].col(1).maxCoeff() > 0.0f);
    }
}

TEST_CASE("a thin shell sounds outside like the solid ball") {
    // The cut cells outside see the same surface; the wall is half a cell thick.
    const double a = 0.02, cell = a / 8, h = 1.5 * a / c;
    const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
    Points points(3, 3);
    points << 2 * a, 0, 0, a, a, a, -0.5 * a, 1.6 * a, 0.2 * a;
    const Surface ball = icosphere(a, 4), shell = hollow_sphere(a, a - 0.5 * cell, 4);
    std::vector<Eigen::MatrixXf> sounds;
    for (const Surface& body : {ball, shell})
        sounds.push_back(
            WaveSolver(body, points, air, {.cell_size = cell})
                .run({{{{rigid_motions(body, Vec3::Zero())[0], pulse}}}}, {.start_time = -2 * h, .max_duration = 6 * h})
                .pressure[0]);
    CHECK((sounds[0] - sounds[1]).norm() < 0.02f * sounds[0].norm());
}

TEST_CASE("an open disc is a dipole of 8a³/3, in any direction") {
    // The edge of a sheet is known to a part of a cell: the radius to 1.5 % at ten cells, its cube to 5 %, and half at
    // twenty.
    const double a = 0.02;
    for (const double angle : {0.0, 0.3, 0.8}) {
        CAPTURE(angle);
        const Vec3 axis = Eigen::AngleAxisd(angle, Vec3(1, 2, 0.5).normalized()) * Vec3::UnitZ();
        CHECK(disc_dipole(turned(disc(a), angle), a, axis, a / 10) == Approx(1).epsilon(0.07));
    }
    CHECK(disc_dipole(turned(disc(a), 0.3), a, Eigen::AngleAxisd(0.3, Vec3(1, 2, 0.5).normalized()) * Vec3::UnitZ(),
                      a / 16) == Approx(1).epsilon(0.04));
}

TEST_CASE("a sheet pushes one side and pulls the other by the same amount") {
    const double a = 0.02, h = 3 * a / c;
    Points points(4, 3);
    points << 0, 0, 0.7 * a, 0, 0, -0.7 * a, 0.3 * a, 0.2 * a, 1.1 * a, 0.3 * a, 0.2 * a, -1.1 * a;
    const Surface sheet = disc(a);
    const WaveSolver solver(sheet, points, air, {.cell_size = a / 10});
    const WaveRecord record =
        solver.run({{{{rigid_motions(sheet, Vec3::Zero())[2], [h](double t) { return mitchell_pulse(t, h); }}}}},
                   {.start_time = -2 * h, .max_duration = 5 * h});
    const Eigen::MatrixXf& p = record.pressure[0];
    CHECK(p.col(0).maxCoeff() > 0.0f);
    for (const int i : {0, 2}) CHECK((p.col(i) + p.col(i + 1)).norm() < 1e-3f * p.col(i).norm());
}

}  // namespace walls_test
