#include "shell_meshes.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>
#include <threads.hpp>

#include <Eigen/Eigenvalues>

namespace shell_energy_test {

using namespace clangor;
using clangor::test::cylinder;
using clangor::test::Grid;
using clangor::test::Noise;
using clangor::test::of_thickness;
using clangor::test::spherical_cap;
using clangor::test::unit_square;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

// Crooked: two walls that meet at a crease, walls of varying thickness, irregular triangles.
ThinShell crooked_shell() {
    ThinShell shell{unit_square(4, Grid::Irregular), Eigen::VectorXd(25)};
    Noise noise;
    for (int v = 0; v < 25; ++v) {
        const double x = shell.middle.vertices(v, 0), y = shell.middle.vertices(v, 1);
        shell.middle.vertices.row(v) << x, y, (x > 0.55 ? 0.8 * (x - 0.55) : 0.1 * x * y) + 0.05 * noise();
        shell.thickness[v] = 0.02 * (1 + noise());
    }
    return shell;
}

Eigen::VectorXd random_step(long size, double scale, Noise& noise) {
    Eigen::VectorXd step(size);
    for (long i = 0; i < size; ++i) step[i] = scale * noise();
    return step;
}

// A displacement with its rotations, at each vertex of a flat plate.
template <class Field>
Eigen::VectorXd motion(const Surface& plate, const Field& field) {
    const long n = plate.vertices.rows();
    Eigen::VectorXd u(6 * n);
    for (long i = 0; i < n; ++i) {
        const auto [displacement, rotation] = field(plate.vertices(i, 0), plate.vertices(i, 1));
        u.segment<3>(3 * i) = displacement;
        u.segment<3>(3 * n + 3 * i) = rotation;
    }
    return u;
}

struct VertexMotion {
    Vec3 displacement, rotation;
};

// w = ½(a x² + 2b xy + c y²): the surface turns by (∂w/∂y, −∂w/∂x).
Eigen::VectorXd bent(const Surface& plate, double a, double b, double c) {
    return motion(plate, [=](double x, double y) {
        return VertexMotion{{0, 0, (a * x * x + 2 * b * x * y + c * y * y) / 2}, {b * x + c * y, -(a * x + b * y), 0}};
    });
}

// In the plane, with the strains given and a turn by r.
Eigen::VectorXd stretched(const Surface& plate, double e11, double e22, double e12, double r) {
    return motion(plate, [=](double x, double y) {
        return VertexMotion{{e11 * x + (e12 - r) * y, (e12 + r) * x + e22 * y, 0}, {0, 0, r}};
    });
}

// Largest force or torque at vertices that are not on the edge, against the largest on the edge.
double inner_force(const Surface& plate, const Eigen::VectorXd& force) {
    double inner = 0, outer = 0;
    const long n = plate.vertices.rows();
    for (long i = 0; i < n; ++i) {
        const auto is_in = [](double x) { return x > 1e-9 && x < 1 - 1e-9; };
        const bool inside = is_in(plate.vertices(i, 0)) && is_in(plate.vertices(i, 1));
        double& largest = inside ? inner : outer;
        largest = std::max({largest, force.segment<3>(3 * i).norm(), force.segment<3>(3 * n + 3 * i).norm()});
    }
    return inner / outer;
}

}  // namespace

TEST_CASE("shell: the gradient is the derivative of the energy, in poses far from rest") {
    const ThinShell shell = crooked_shell();
    const ElasticShell elastic(shell, steel);
    Noise noise;
    const long size = 6 * shell.middle.vertices.rows();
    const ShellPose pose = moved(rest_pose(shell), random_step(size, 0.1, noise));
    const Eigen::VectorXd gradient = elastic.gradient(pose);
    for (int trial = 0; trial < 10; ++trial) {
        const Eigen::VectorXd direction = random_step(size, 1, noise);
        // Fourth order: 1e-3 to the fourth, and 1e-16/1e-3 of rounding.
        const auto at = [&](double s) { return elastic.energy(moved(pose, s * direction)).total(); };
        constexpr double s = 1e-3;
        const double slope = (8 * (at(s) - at(-s)) - (at(2 * s) - at(-2 * s))) / (12 * s);
        CHECK(gradient.dot(direction) == clangor::test::Approx(slope).epsilon(1e-6));
    }
}

TEST_CASE("shell: the stiffness is the derivative of the gradient at rest, and every entry of it") {
    const ThinShell shell = crooked_shell();
    const ElasticShell elastic(shell, steel);
    const Eigen::MatrixXd K = assemble(shell, steel).stiffness;
    const ShellPose rest = rest_pose(shell);
    Eigen::MatrixXd differences(K.rows(), K.cols());
    constexpr double s = 1e-5;
    for (long j = 0; j < K.cols(); ++j) {
        const Eigen::VectorXd step = s * Eigen::VectorXd::Unit(K.cols(), j);
        differences.col(j) = (elastic.gradient(moved(rest, step)) - elastic.gradient(moved(rest, -step))) / (2 * s);
    }
    CHECK((K - differences).norm() < 1e-6 * K.norm());
    // Rotations are measured in the units of their own, much smaller, entries.
    const long half = K.rows() / 2;
    const Eigen::MatrixXd rotations = K.bottomRightCorner(half, half);
    CHECK((rotations - differences.bottomRightCorner(half, half)).norm() < 1e-6 * rotations.norm());
    CHECK((K - K.transpose()).norm() == 0);
}

TEST_CASE("shell: rigid motions make no forces, however far they go") {
    const ThinShell shell = crooked_shell();
    const ElasticShell elastic(shell, steel);
    const Mat3 turn = Eigen::AngleAxisd(2.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    ShellPose pose = rest_pose(shell);
    for (long i = 0; i < pose.positions.rows(); ++i) {
        pose.positions.row(i) = (turn * pose.positions.row(i).transpose() + Vec3(3, -1, 2)).transpose();
        pose.rotations[i] = turn;
    }
    // Against the forces of strains of the order of one.
    Noise noise;
    const Eigen::VectorXd strained = elastic.gradient(moved(pose, random_step(6 * pose.positions.rows(), 1, noise)));
    CHECK(elastic.gradient(pose).norm() < 1e-12 * strained.norm());
    CHECK(elastic.energy(pose).total() < 1e-24 * strained.norm());

    const StiffnessMass body = assemble(shell, steel);
    CHECK((body.stiffness * body.rigid).norm() < 1e-12 * body.stiffness.norm());
    const Eigen::VectorXd lambda =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(Eigen::MatrixXd(body.stiffness)).eigenvalues();
    CHECK(lambda[5] < 1e-12 * lambda[lambda.size() - 1]);
    CHECK(lambda[6] > 1e-9 * lambda[lambda.size() - 1]);  // h² of the crooked shell against 1
}

TEST_CASE("shell: energy and forces do not depend on where a rigid motion has taken the pose") {
    const ThinShell shell = crooked_shell();
    const ElasticShell elastic(shell, steel);
    Noise noise;
    const ShellPose pose = moved(rest_pose(shell), random_step(6 * shell.middle.vertices.rows(), 0.05, noise));
    const Mat3 turn = Eigen::AngleAxisd(-1.3, Vec3(0.3, 1, 0.2).normalized()).toRotationMatrix();
    ShellPose turned = pose;
    for (long i = 0; i < pose.positions.rows(); ++i) {
        turned.positions.row(i) = (turn * pose.positions.row(i).transpose()).transpose();
        turned.rotations[i] = turn * pose.rotations[i];
    }
    CHECK(elastic.energy(turned).total() == clangor::test::Approx(elastic.energy(pose).total()).epsilon(1e-12));
    const Eigen::VectorXd here = elastic.gradient(pose), there = elastic.gradient(turned);
    for (long i = 0; i < here.size() / 3; ++i)
        CHECK((turn * here.segment<3>(3 * i) - there.segment<3>(3 * i)).norm() < 1e-12 * here.norm());
    // No force and no torque in all.
    Vec3 force = Vec3::Zero(), torque = Vec3::Zero();
    const long n = pose.positions.rows();
    for (long i = 0; i < n; ++i) {
        force += here.segment<3>(3 * i);
        torque += here.segment<3>(3 * n + 3 * i) + Vec3(pose.positions.row(i)).cross(Vec3(here.segment<3>(3 * i)));
    }
    CHECK(force.norm() < 1e-12 * here.norm());
    CHECK(torque.norm() < 1e-12 * here.norm());
}

TEST_CASE("flat plate: constant strains and curvatures have their exact energy on irregular meshes") {
    constexpr double h = 0.01;
    const Surface plate = unit_square(6, Grid::Irregular);
    const StiffnessMass body = assemble(of_thickness(plate, h), steel);
    const auto energy = [&](const Eigen::VectorXd& u) { return 0.5 * u.dot(body.stiffness * u); };
    const double C = steel.young * h / (1 - 0.09), D = C * h * h / 12;
    // ½C((1 − ν) tr ε² + ν (tr ε)²) on 1 m²; a turn adds nothing.
    const double stretch = C / 2 * (0.7 * (square(1e-3) + square(2e-3) + 2 * square(0.4e-3)) + 0.3 * square(-1e-3));
    CHECK(energy(stretched(plate, 1e-3, -2e-3, 0.4e-3, 5e-3)) == clangor::test::Approx(stretch).epsilon(1e-10));
    const double bend = D / 2 * (0.7 * (square(0.3) + square(0.5)) + 0.3 * square(-0.2));
    CHECK(energy(bent(plate, 0.3, 0, -0.5)) == clangor::test::Approx(bend).epsilon(1e-10));
    // The twist of Saint-Venant's strips: every free edge lacks 0.315 h, half of 0.630.
    const double twist = D / 2 * 0.7 * 2 * square(0.4) * (1 - 4 * 0.63025 / 2 * h);
    CHECK(energy(bent(plate, 0, 0.4, 0)) == clangor::test::Approx(twist).epsilon(1e-10));

    CHECK(inner_force(plate, body.stiffness * stretched(plate, 1e-3, -2e-3, 0.4e-3, 0)) < 1e-10);
}

TEST_CASE("wall that thickens along its length: energy and mass are those of the integral over it") {
    ThinShell shell{unit_square(8, Grid::Irregular), Eigen::VectorXd(81)};
    for (int v = 0; v < 81; ++v) shell.thickness[v] = 0.005 * (1 + shell.middle.vertices(v, 0));
    const StiffnessMass body = assemble(shell, steel);
    const Eigen::VectorXd lift = body.rigid.col(2);
    CHECK(lift.dot(body.mass * lift) == clangor::test::Approx(7800 * 0.005 * 1.5).epsilon(1e-12));
    // ∫(1 + x)³ dx = 15/4; the rule in the middles of sides is exact to the second degree of the third.
    const Eigen::VectorXd u = bent(shell.middle, 1, 0, 0);
    const double D = 200e9 * cube(0.005) / (12 * 0.91);
    CHECK(0.5 * u.dot(body.stiffness * u) == clangor::test::Approx(D / 2 * 15 / 4).epsilon(1e-4));
}

TEST_CASE("sheet rolled into a cylinder: large turns, energy of its curvature alone") {
    constexpr double h = 0.001, radius = 0.4;
    const Surface sheet = unit_square(40, Grid::Irregular);
    ShellPose pose = rest_pose(of_thickness(sheet, h));
    for (long i = 0; i < pose.positions.rows(); ++i) {
        const double angle = sheet.vertices(i, 0) / radius;  // to 2.5 rad
        pose.positions.row(i) << radius * std::sin(angle), sheet.vertices(i, 1), radius * (1 - std::cos(angle));
        pose.rotations[i] = Eigen::AngleAxisd(-angle, Vec3::UnitY()).toRotationMatrix();
    }
    const double D = 200e9 * cube(h) / (12 * 0.91);
    const ShellEnergy energy = ElasticShell(of_thickness(sheet, h), steel).energy(pose);
    // Chords: (edge/radius)²/24 ≈ 3e-4 in the strains of a bend that are 1.
    CHECK(energy.bending == clangor::test::Approx(D / 2 / square(radius)).epsilon(2e-3));
}

TEST_CASE("shell: the same bits with any number of threads") {
    const ThinShell shell = of_thickness(spherical_cap(6, 0.1, 1), 0.002);
    Noise noise;
    const ShellPose pose = moved(rest_pose(shell), random_step(6 * shell.middle.vertices.rows(), 1e-3, noise));
    const auto all = [&] {
        const ElasticShell elastic(shell, steel);
        const StiffnessMass body = assemble(shell, steel);
        Eigen::VectorXd values(1 + pose.positions.rows() * 6 + body.stiffness.nonZeros() + body.mass.nonZeros());
        values << elastic.energy(pose).total(), elastic.gradient(pose),
            Eigen::Map<const Eigen::VectorXd>(body.stiffness.valuePtr(), body.stiffness.nonZeros()),
            Eigen::Map<const Eigen::VectorXd>(body.mass.valuePtr(), body.mass.nonZeros());
        return values;
    };
    const auto with = [&](int count) {
        const clangor::testing::Threads threads(count);
        return all();
    };
    CHECK(with(1) == with(3));
}

}  // namespace shell_energy_test
