#include "held_shells.hpp"

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>
#include <approx.hpp>

namespace nonlinear_snap_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Edges;
using clangor::test::Grid;
using clangor::test::HeldShell;
using clangor::test::of_thickness;
using clangor::test::supported_square;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};
constexpr double rate = 44100;

// At one and a half times its critical prestress.
ShellPlan buckled(ShellPlan plan) {
    plan.prestress *= 1.5 * critical_prestress(plan);
    return plan;
}

// A square of 0.3 m and 1 mm that is held in its plane and has grown.
const ShellPlan& plate() {
    static const ShellPlan plan = [] {
        const Surface unit = clangor::test::unit_square(12, Grid::Alternating);
        const HeldShell held({0.3 * unit.vertices, unit.faces}, 0.001, steel, supported_square(unit, Edges::Fixed), 30);
        const Eigen::VectorXd growth = Eigen::VectorXd::Ones(unit.faces.rows());
        return buckled(shell_plan(held.shell, steel, held.modes, held.held, {.growth = growth}));
    }();
    return plan;
}

ShellPlan free_plan(const Surface& middle, double thickness) {
    const ThinShell shell = of_thickness(middle, thickness);
    const Modes modes = vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_count = 30});
    return buckled(shell_plan(shell, steel, modes, {.growth = middle_growth(middle)}));
}

// A disc of 0.15 m and half a millimetre, and a cap that rises by two thicknesses, whose middles have grown.
const ShellPlan& disc() {
    static const ShellPlan plan = [] {
        Surface middle = clangor::test::disc(8);
        middle.vertices *= 0.15;
        return free_plan(middle, 0.0005);
    }();
    return plan;
}

const ShellPlan& cap() {
    static const ShellPlan plan =
        free_plan(clangor::test::spherical_cap(8, 0.15 * 0.15 / (4 * 0.0005), 4 * 0.0005 / 0.15), 0.0005);
    return plan;
}

Eigen::VectorXd zero(const ShellPlan& plan) { return Eigen::VectorXd::Zero(plan.modes()); }

double energy(const ShellPlan& plan, const Eigen::VectorXd& q) {
    return 0.5 * plan.omega.cwiseProduct(q).squaredNorm() + nonlinear_force(plan, q).potential;
}

}  // namespace

TEST_CASE("a shell that is left at a rest state stays there to rounding, damped or not, and when damping changes") {
    for (const ShellPlan* plan : {&plate(), &disc(), &cap()})
        for (const int side : {1, -1})
            for (const double xi : {0.0, 0.01}) {
                const Eigen::VectorXd q = rest_state(*plan, side);
                ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = zero(*plan).array() + xi});
                stepper.set_state(q, zero(*plan));
                CHECK((stepper.advance(long(rate)).colwise() - q).cwiseAbs().maxCoeff() < 1e-10 * q.norm());
                stepper.set_damping(zero(*plan).array() + 0.02);
                CHECK((stepper.advance(long(rate / 4)).colwise() - q).cwiseAbs().maxCoeff() < 1e-10 * q.norm());
                CHECK(energy(*plan, q) < 0);
            }
}

TEST_CASE("small motion about a rest state rings at the roots of the stiffness there, however small it is") {
    for (const ShellPlan* plan : {&plate(), &disc(), &cap()}) {
        const Eigen::VectorXd q = rest_state(*plan, 1);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(stiffness_at(*plan, q));
        REQUIRE(eigen.eigenvalues()[0] > 0);
        const Eigen::VectorXd omega = eigen.eigenvalues().cwiseSqrt();
        for (const double size : {1e-4, 1e-6}) {
            CAPTURE(size);
            const double fine = 4 * rate;
            ShellStepper stepper(*plan, {.sample_rate_hz = fine, .xi = zero(*plan)});
            const Eigen::VectorXd qdot = size * q.norm() * plan->omega[0] * Eigen::VectorXd::Ones(plan->modes());
            stepper.set_state(q, qdot);
            const Eigen::MatrixXd motion = stepper.advance(long(fine / 10)).colwise() - q;
            Eigen::MatrixXd expected(motion.rows(), motion.cols());
            const Eigen::ArrayXd start = (eigen.eigenvectors().transpose() * qdot).cwiseQuotient(omega);
            for (long s = 0; s < expected.cols(); ++s)
                expected.col(s) = eigen.eigenvectors() * (start * (omega.array() * (double(s) / fine)).sin()).matrix();
            // Steps are exact for Λ, and of second order for what the stiffness there is more: 2.4e-3 at 44.1 kHz, a
            // sixteenth of it here.
            CHECK((motion - expected).norm() < 3e-4 * expected.norm());
        }
    }
}

TEST_CASE("without damping, energy stays to 1e-10 over a second of snapping from one side to the other") {
    for (const ShellPlan* plan : {&plate(), &disc(), &cap()}) {
        const Eigen::VectorXd q = rest_state(*plan, 1);
        ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = zero(*plan)});
        const double kinetic = -10 * energy(*plan, rest_state(*plan, -1));
        stepper.set_state(q, -q * std::sqrt(2 * kinetic) / q.norm());
        const double before = stepper.energy(), scale = 0.5 * square(plan->prestress);
        CHECK(before == Approx(kinetic + energy(*plan, q)).epsilon(1e-3));
        const Eigen::RowVectorXd along = q.transpose() * stepper.advance(long(rate));
        CHECK(along.minCoeff() < -q.squaredNorm());
        int turns = 0;
        for (long s = 1; s < along.size(); ++s) turns += (along[s - 1] < 0) != (along[s] < 0);
        CHECK(turns > 4);
        CHECK(std::abs(stepper.energy() - before) < 1e-10 * scale);
    }
}

TEST_CASE("flat plates: a push below the barrier never snaps; one above it does, and the shell stays on that side") {
    for (const ShellPlan* plan : {&plate(), &disc()})
        for (const int side : {1, -1}) {
            const Eigen::VectorXd q = rest_state(*plan, side), other = rest_state(*plan, -side);
            const double barrier = -energy(*plan, q);  // the pass is at q = 0
            const auto pushed = [&](double share, double xi, long samples) -> Eigen::VectorXd {
                ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = zero(*plan).array() + xi});
                stepper.set_state(q, zero(*plan));
                Eigen::MatrixXd forces = Eigen::MatrixXd::Zero(plan->modes(), samples);
                forces.col(0) = -q * std::sqrt(2 * share * barrier) / q.norm() * rate;
                const Eigen::MatrixXd path = stepper.advance(forces);
                if (xi > 0) return path.rightCols(1);
                const Eigen::RowVectorXd along = q.transpose() * path;
                return Eigen::Vector2d(along.minCoeff(), along.maxCoeff()) / q.squaredNorm();
            };
            CHECK(pushed(0.95, 0, long(rate))[0] > 0);
            CHECK(pushed(1.05, 0, long(rate))[0] < -1);
            // Damped, it comes to rest there.
            CHECK((pushed(0.95, 0.05, 2 * long(rate)) - q).norm() < 1e-9 * q.norm());
            CHECK((pushed(1.5, 0.05, 2 * long(rate)) - other).norm() < 1e-9 * q.norm());
        }
}

TEST_CASE("steps of half the length follow a snap four times as well") {
    for (const ShellPlan* plan : {&plate(), &disc()}) {
        const Eigen::VectorXd q = rest_state(*plan, 1);
        Eigen::VectorXd qdot = -q / q.norm();
        qdot.head(8).array() += 0.1;
        qdot *= std::sqrt(-6 * energy(*plan, q)) / qdot.norm();
        const long samples = 2000;
        const auto motion = [&](int times) -> Eigen::MatrixXd {
            ShellStepper stepper(*plan, {.sample_rate_hz = rate * times, .xi = zero(*plan)});
            stepper.set_state(q, qdot);
            return stepper.advance(samples * times)(Eigen::all, Eigen::seqN(0, samples, times));
        };
        const Eigen::MatrixXd fine = motion(16);
        CHECK((q.transpose() * fine).minCoeff() < -q.squaredNorm());
        const double whole = (motion(1) - fine).norm(), half = (motion(2) - fine).norm();
        CHECK(half == Approx(whole / 4).epsilon(0.1));
        CHECK(whole < 1e-4 * fine.norm());
    }
}

TEST_CASE("a hit of many barriers stays finite, loses energy by damping alone, and ends at one of the rest states") {
    for (const ShellPlan* plan : {&plate(), &disc()})
        for (const double barriers : {100.0, 1e6}) {
            CAPTURE(barriers);
            const Eigen::VectorXd q = rest_state(*plan, 1), other = rest_state(*plan, -1);
            ShellStepper stepper(*plan, {.sample_rate_hz = rate, .xi = zero(*plan).array() + 0.05});
            Eigen::VectorXd qdot = -q / q.norm();
            qdot.head(8).array() += 0.2;
            stepper.set_state(q, qdot * std::sqrt(-2 * barriers * energy(*plan, q)) / qdot.norm());
            double before = stepper.energy();
            Eigen::MatrixXd path;
            for (int block = 0; block < 150; ++block) {
                path = stepper.advance(1024);
                CHECK(path.allFinite());
                // A change of rate may cost or give a little.
                CHECK(stepper.energy() < before + 1e-3 * (std::abs(before) - energy(*plan, q)));
                before = stepper.energy();
            }
            const Eigen::VectorXd end = path.rightCols(1);
            CHECK(std::min((end - q).norm(), (end - other).norm()) < 1e-4 * q.norm());
        }
}

}  // namespace nonlinear_snap_test
