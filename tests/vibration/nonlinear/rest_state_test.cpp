#include "gamma.hpp"
#include "held_shells.hpp"

#include <doctest/doctest.h>
#include <Eigen/SparseCholesky>
#include <approx.hpp>

namespace nonlinear_rest_state_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Edges;
using clangor::test::Grid;
using clangor::test::HeldShell;
using clangor::test::largest_displacement;
using clangor::test::supported_square;

namespace {

constexpr double nu = 0.3, h = 0.002;
const Material steel{"steel", 7800, 200e9, nu, {}, ""};

// A whole mesh whose wall has grown alike everywhere: one that is larger at rest by as much, pushed into its supports.
class GrownShell {
public:
    GrownShell(const HeldShell& plate, double growth)
        : held_(plate.held),
          elastic_({{plate.shell.middle.vertices * (1 + growth), plate.shell.middle.faces}, plate.shell.thickness},
                   steel),
          flat_(rest_pose(plate.shell)) {
        linear_.compute(held_.body.stiffness);
    }

    // Newton's method from displacements u, conjugate gradients inside, until forces balance.
    ShellPose at_rest(const Eigen::VectorXd& u) const {
        ShellPose pose = moved(flat_, u);
        Eigen::VectorXd g = forces(pose);
        const double first = g.dot(linear_.solve(g));
        for (int i = 0; i < 30 && g.dot(linear_.solve(g)) > 1e-16 * first; ++i) {
            pose = moved(pose, held_.expansion * newton_step(pose, g));
            g = forces(pose);
        }
        return pose;
    }

    double energy(const ShellPose& pose) const { return elastic_.energy(pose).total(); }
    const ShellPose& flat() const { return flat_; }

private:
    Eigen::VectorXd forces(const ShellPose& pose) const {
        return held_.expansion.transpose() * elastic_.gradient(pose);
    }

    Eigen::VectorXd newton_step(const ShellPose& pose, const Eigen::VectorXd& g) const {
        const auto times = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
            const double e = 1e-6 / p.cwiseAbs().maxCoeff();
            const Eigen::VectorXd step = held_.expansion * (e * p);
            return (forces(moved(pose, step)) - forces(moved(pose, -step))) / (2 * e);
        };
        Eigen::VectorXd x = Eigen::VectorXd::Zero(g.size()), r = -g, z = linear_.solve(r), p = z;
        double rz = r.dot(z);
        const double goal = 1e-6 * rz;
        for (int i = 0; i < 200 && rz > goal; ++i) {
            const Eigen::VectorXd Ap = times(p);
            const double bent = p.dot(Ap);
            if (bent <= 0) break;
            x += rz / bent * p;
            r -= rz / bent * Ap;
            z = linear_.solve(r);
            const double next = r.dot(z);
            p = z + next / rz * p;
            rz = next;
        }
        return x;
    }

    const ConstrainedBody& held_;
    ElasticShell elastic_;
    ShellPose flat_;
    Eigen::SimplicialLDLT<SparseMatrix> linear_;
};

}  // namespace

TEST_CASE("square held in its plane, beyond its critical load: it rests where its whole mesh does, and as deep") {
    const Surface middle = clangor::test::unit_square(12, Grid::Alternating);
    const HeldShell plate(middle, h, steel, supported_square(middle, Edges::Fixed), 30);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(middle.faces.rows());
    ShellPlan plan = shell_plan(plate.shell, steel, plate.modes, plate.held, {.growth = ones});
    const double unit = plan.prestress, critical = critical_prestress(plan);
    const WallStretch wall(plate.shell, steel);
    const Compliance compliance(plate.held.body, 0);
    for (const double t : {1.5, 3.0, 6.0}) {
        CAPTURE(t);
        plan.prestress = t * critical * unit;
        const Eigen::VectorXd q = rest_state(plan, 1);
        const Eigen::VectorXd u = plate.modes.shapes(Eigen::all, plan.kept) * q;
        // Without the in-plane motion that follows the start would be far too stiff.
        const Eigen::MatrixXd f = plate.held.expansion.transpose() * wall.forces(wall.quadratic(u));
        const GrownShell whole(plate, t * critical);
        const ShellPose rest = whole.at_rest(u - plate.held.expansion * compliance(f));
        const Eigen::VectorXd w = (rest.positions - whole.flat().positions).col(2);
        const double depth = whole.energy(whole.flat()) - whole.energy(rest);
        const double reduced = -0.5 * plan.omega.cwiseProduct(q).squaredNorm() - nonlinear_force(plan, q).potential;
        // 0.1 and 0.35 %.
        CHECK(largest_displacement(u) == Approx(w.cwiseAbs().maxCoeff()).epsilon(0.003));
        CHECK(reduced == Approx(depth).epsilon(0.006));
    }
}

}  // namespace nonlinear_rest_state_test
