#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/subspace/subspace.hpp>
#include <clangor/vibration/subspace/triangle_force.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <Eigen/Geometry>

namespace subspace_force_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

ThinShell plate() { return of_thickness(clangor::test::unit_square(8, Grid::Irregular), 0.002); }
ThinShell cap() { return of_thickness(clangor::test::spherical_cap(6, 0.3, 0.6), 0.001); }

Modes modes_of(const ThinShell& shell, int count) {
    return vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e6, .max_count = count});
}

// Every triangle by its area.
SubspacePlan every_triangle(const ThinShell& shell, const Modes& modes) {
    return subspace_plan(shell, steel, modes, {.triangles = 100000});
}

// Motions of so many thicknesses in the lowest modes.
Eigen::VectorXd motion(const ThinShell& shell, const Modes& modes, double thicknesses) {
    clangor::test::Noise noise;
    Eigen::VectorXd q(modes.omega.size());
    for (long i = 0; i < q.size(); ++i) q[i] = noise() / modes.omega[i];
    const Eigen::VectorXd u = (modes.shapes * q).head(3 * shell.middle.vertices.rows());
    return q * thicknesses * shell.thickness[0] /
           std::sqrt(u.reshaped(3, u.size() / 3).colwise().squaredNorm().maxCoeff());
}

// Uᵀ of the shell's own gradient, by rotation vectors: torques turn with Jᵀ,
// J = 1 + (1 − cos θ)/θ² [θ]× + (θ − sin θ)/θ³ [θ]×².
Eigen::VectorXd whole_force(const ThinShell& shell, const Modes& modes, const Eigen::VectorXd& q) {
    const Eigen::VectorXd u = modes.shapes * q;
    Eigen::VectorXd g = ElasticShell(shell, steel).gradient(moved(rest_pose(shell), u));
    const long n = shell.middle.vertices.rows();
    for (long i = n; i < 2 * n; ++i) {
        const Vec3 turn = u.segment<3>(3 * i), torque = g.segment<3>(3 * i);
        const double x = turn.norm();
        if (x < 1e-4) {
            g.segment<3>(3 * i) += -0.5 * turn.cross(torque);
            continue;
        }
        g.segment<3>(3 * i) += -(1 - std::cos(x)) / square(x) * turn.cross(torque) +
                               (x - std::sin(x)) / cube(x) * turn.cross(turn.cross(torque));
    }
    return modes.shapes.transpose() * g;
}

}  // namespace

TEST_CASE("the force of a triangle is the gradient of its energy, however far its corners turn") {
    clangor::test::Noise noise;
    Form6 A, B;
    for (double& value : A.reshaped()) value = noise();
    for (double& value : B.reshaped()) value = noise();
    const Form6 membrane = A * A.transpose(), bending = B * B.transpose();
    for (const double size : {0.02, 0.5, 3.0}) {
        Vec15 y, direction;
        for (double& value : y) value = size * noise();
        for (double& value : direction) value = noise();
        const TriangleForce at = beyond_linear(membrane, bending, y);
        const auto V = [&](double e) { return beyond_linear(membrane, bending, y + e * direction).potential; };
        const double e = 1e-3 * std::sqrt(size);
        const double slope = (8 * (V(e) - V(-e)) - (V(2 * e) - V(-2 * e))) / (12 * e);
        CHECK(at.gradient.dot(direction) == Approx(slope).epsilon(1e-8));
    }
}

TEST_CASE("with every triangle, force and energy are those of the whole shell, moved in its modes") {
    for (const ThinShell& shell : {plate(), cap()}) {
        const Modes modes = modes_of(shell, 15);
        const SubspacePlan plan = every_triangle(shell, modes);
        CHECK(plan.weights.sum() == Approx(plan.area).epsilon(1e-12));
        const ElasticShell elastic(shell, steel);
        for (const double thicknesses : {0.3, 1.0, 10.0}) {
            CAPTURE(thicknesses);
            const Eigen::VectorXd q = motion(shell, modes, thicknesses);
            const Eigen::VectorXd linear = modes.omega.cwiseAbs2().cwiseProduct(q);
            const Eigen::VectorXd beyond = whole_force(shell, modes, q) - linear;
            const ShellForce force = nonlinear_force(plan, q);
            // Floats: 1e-7 of each term. What modes leave of ω² is 1e-7 of the linear force.
            CHECK((force.gradient - beyond).norm() < 1e-5 * beyond.norm() + 1e-7 * linear.norm());
            const double W = elastic.energy(moved(rest_pose(shell), modes.shapes * q)).total();
            CHECK(std::abs(force.potential + 0.5 * q.dot(linear) - W) < 1e-6 * W);
        }
    }
}

TEST_CASE("the linear limit is Λq exactly: what is beyond falls with the square of motion, on plates with its cube") {
    // Few triangles: it holds whatever the cubature leaves out.
    for (const bool flat : {true, false}) {
        const ThinShell shell = flat ? plate() : cap();
        const Modes modes = modes_of(shell, 12);
        const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = 20, .poses = 20});
        const Eigen::VectorXd q = motion(shell, modes, 1e-3);
        const double small = nonlinear_force(plan, q).gradient.norm(),
                     twice = nonlinear_force(plan, 2 * q).gradient.norm();
        CHECK(twice / small == Approx(flat ? 8 : 4).epsilon(0.01));
        CHECK(small < (flat ? 1e-5 : 1e-2) * modes.omega.cwiseAbs2().cwiseProduct(q).norm());
    }
}

TEST_CASE("the force of a cubature is the gradient of its energy") {
    const ThinShell shell = cap();
    const Modes modes = modes_of(shell, 12);
    const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = 40, .poses = 20});
    for (const double thicknesses : {0.5, 5.0}) {
        const Eigen::VectorXd q = motion(shell, modes, thicknesses), direction = q.reverse();
        const ShellForce at = nonlinear_force(plan, q);
        const double e = 0.02 * q.norm() / direction.norm();
        const auto V = [&](double s) { return nonlinear_force(plan, q + s * direction).potential; };
        const double slope = (8 * (V(e) - V(-e)) - (V(2 * e) - V(-2 * e))) / (12 * e);
        CHECK(std::abs(at.gradient.dot(direction) - slope) < 1e-3 * at.gradient.norm() * direction.norm());
    }
}

}  // namespace subspace_force_test
