#include "gamma.hpp"
#include "held_shells.hpp"

#include <clangor/vibration/shell/shell_element.hpp>

#include <doctest/doctest.h>
#include <Eigen/SparseCholesky>
#include <approx.hpp>

#include <functional>

namespace nonlinear_rest_state_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Edges;
using clangor::test::Grid;
using clangor::test::HeldShell;
using clangor::test::largest_displacement;
using clangor::test::of_thickness;
using clangor::test::supported_square;

namespace {

constexpr double h = 0.002;
const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

// Where forces of a whole mesh balance: Newton's method with conjugate gradients inside, conditioned by the stiffness
// and a little mass, which holds free bodies.
class Balance {
public:
    using Energy = std::function<double(const ShellPose&)>;
    using Forces = std::function<Eigen::VectorXd(const ShellPose&)>;

    // Of motions T v; T is empty where the body is free.
    Balance(const StiffnessMass& body, const SparseMatrix& expansion, double bed_omega_sq, Energy energy,
            Forces gradient)
        : expansion_(expansion), energy_(std::move(energy)), gradient_(std::move(gradient)) {
        linear_.compute(SparseMatrix(body.stiffness + bed_omega_sq * body.mass));
    }

    ShellPose from(ShellPose pose) const {
        Eigen::VectorXd g = forces(pose);
        const double first = g.dot(linear_.solve(g));
        for (int i = 0; i < 40 && g.dot(linear_.solve(g)) > 1e-14 * first; ++i) {
            Eigen::VectorXd step = expanded(newton_step(pose, g));
            const double E = energy_(pose);
            for (int halved = 0; halved < 10 && energy_(moved(pose, step)) > E + 1e-10 * std::abs(E); ++halved)
                step /= 2;
            pose = moved(pose, step);
            g = forces(pose);
        }
        return pose;
    }

private:
    Eigen::VectorXd expanded(const Eigen::VectorXd& v) const {
        return expansion_.cols() > 0 ? Eigen::VectorXd(expansion_ * v) : v;
    }
    Eigen::VectorXd forces(const ShellPose& pose) const {
        const Eigen::VectorXd g = gradient_(pose);
        return expansion_.cols() > 0 ? Eigen::VectorXd(expansion_.transpose() * g) : g;
    }

    Eigen::VectorXd newton_step(const ShellPose& pose, const Eigen::VectorXd& g) const {
        const auto times = [&](const Eigen::VectorXd& p) -> Eigen::VectorXd {
            const double e = 1e-6 / p.cwiseAbs().maxCoeff();
            const Eigen::VectorXd step = expanded(e * p);
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

    SparseMatrix expansion_;
    Energy energy_;
    Forces gradient_;
    Eigen::SimplicialLDLT<SparseMatrix> linear_;
};

// What frozen stresses and moments do in any pose, Σ σ·s(x) + Σ b·β(x) (docs/theory/shell.md, Eq. 2 to 5), and its
// gradient.
class FrozenWork {
public:
    // Of growth g that the shell has given way to by motion u.
    FrozenWork(const ThinShell& shell, const WallStretch& wall, const Eigen::VectorXd& growth, const Eigen::VectorXd& u)
        : elements_(shell_elements(shell, steel)), moments_(growth.size()) {
        stresses_ = wall.stresses(growth, -u).col(0);
        const long n = shell.middle.vertices.rows();
        for (size_t f = 0; f < elements_.size(); ++f) {
            const ShellElement& element = elements_[f];
            Eigen::Matrix<double, 6, 1> leans;
            for (int i = 0; i < 3; ++i)
                for (int axis = 0; axis < 2; ++axis) {
                    double lean = u.segment<3>(3 * (n + element.corners[size_t(i)]))
                                      .dot(element.normal.cross(element.axes[size_t(axis)]));
                    for (int j = 0; j < 3; ++j)
                        lean += element.gradients(j, axis) *
                                element.normal.dot(u.segment<3>(3 * element.corners[size_t(j)]));
                    leans[2 * i + axis] = lean;
                }
            moments_.segment<6>(6 * long(f)) = -element.bending * leans;
        }
    }

    double work(const ShellPose& pose) const {
        double sum = 0;
        visit(pose, [&](const ShellElement& element, const Vec6& S, const Vec6& b, const Vec3& f1, const Vec3& f2) {
            sum += S[0] * (f1.squaredNorm() - 1) / 2 + S[1] * (f2.squaredNorm() - 1) / 2 + S[2] * f1.dot(f2);
            for (int i = 0; i < 3; ++i) {
                const Mat3& R = pose.rotations[size_t(element.corners[size_t(i)])];
                sum += S[3 + i] * ((R * element.axes[0]).dot(f2) - (R * element.axes[1]).dot(f1)) / 2;
                sum += (R * element.normal).dot(b[2 * i] * f1 + b[2 * i + 1] * f2);
            }
        });
        return sum;
    }

    Eigen::VectorXd gradient(const ShellPose& pose) const {
        const long n = pose.positions.rows();
        Eigen::VectorXd g = Eigen::VectorXd::Zero(6 * n);
        visit(pose, [&](const ShellElement& element, const Vec6& S, const Vec6& b, const Vec3& f1, const Vec3& f2) {
            Vec3 by_1 = S[0] * f1 + S[2] * f2, by_2 = S[1] * f2 + S[2] * f1;
            for (int i = 0; i < 3; ++i) {
                const long v = element.corners[size_t(i)];
                const Mat3& R = pose.rotations[size_t(v)];
                const Vec3 r1 = R * element.axes[0], r2 = R * element.axes[1], normal = R * element.normal;
                by_1 += b[2 * i] * normal - S[3 + i] / 2 * r2;
                by_2 += b[2 * i + 1] * normal + S[3 + i] / 2 * r1;
                g.segment<3>(3 * (n + v)) +=
                    normal.cross(b[2 * i] * f1 + b[2 * i + 1] * f2) + S[3 + i] / 2 * (r1.cross(f2) - r2.cross(f1));
            }
            for (int i = 0; i < 3; ++i)
                g.segment<3>(3 * element.corners[size_t(i)]) +=
                    element.gradients(i, 0) * by_1 + element.gradients(i, 1) * by_2;
        });
        return g;
    }

private:
    using Vec6 = Eigen::Matrix<double, 6, 1>;

    template <class Body>
    void visit(const ShellPose& pose, const Body& body) const {
        for (size_t f = 0; f < elements_.size(); ++f) {
            std::array<Vec3, 2> images{Vec3::Zero(), Vec3::Zero()};
            for (int i = 0; i < 3; ++i)
                for (int axis = 0; axis < 2; ++axis)
                    images[size_t(axis)] +=
                        elements_[f].gradients(i, axis) * pose.positions.row(elements_[f].corners[size_t(i)]);
            body(elements_[f], stresses_.segment<6>(6 * long(f)), moments_.segment<6>(6 * long(f)), images[0],
                 images[1]);
        }
    }

    std::vector<ShellElement> elements_;
    Eigen::VectorXd stresses_, moments_;
};

double depth_of(const ShellPlan& plan, const Eigen::VectorXd& q) {
    return -0.5 * plan.omega.cwiseProduct(q).squaredNorm() - nonlinear_force(plan, q).potential;
}

}  // namespace

TEST_CASE("square held in its plane, beyond its critical load: it rests where its whole mesh does, and as deep") {
    const Surface middle = clangor::test::unit_square(12, Grid::Alternating);
    const HeldShell plate(middle, h, steel, supported_square(middle, Edges::Fixed), 30);
    const Eigen::VectorXd ones = Eigen::VectorXd::Ones(middle.faces.rows());
    ShellPlan plan = shell_plan(plate.shell, steel, plate.modes, plate.held, {.growth = ones});
    const double unit = plan.prestress, critical = critical_prestress(plan);
    const WallStretch wall(plate.shell, steel);
    const Compliance compliance(plate.held.body, 0);
    const ShellPose flat = rest_pose(plate.shell);
    for (const double t : {1.5, 3.0, 6.0}) {
        CAPTURE(t);
        plan.prestress = t * critical * unit;
        const Eigen::VectorXd q = rest_state(plan, 1);
        const Eigen::VectorXd u = plate.modes.shapes(Eigen::all, plan.kept) * q;
        // Without the in-plane motion that follows the start would be far too stiff.
        const Eigen::MatrixXd f = plate.held.expansion.transpose() * wall.forces(wall.quadratic(u));
        const Eigen::VectorXd z = plate.held.expansion * compliance(f);
        // A wall that has grown is one that is larger at rest, pushed into its supports.
        const ElasticShell grown({{middle.vertices * (1 + t * critical), middle.faces}, plate.shell.thickness}, steel);
        const Balance balance(
            plate.held.body, plate.held.expansion, 0, [&](const ShellPose& pose) { return grown.energy(pose).total(); },
            [&](const ShellPose& pose) { return grown.gradient(pose); });
        const ShellPose rest = balance.from(moved(flat, u - z));
        const double w = (rest.positions - flat.positions).col(2).cwiseAbs().maxCoeff();
        // 0.1 and 0.35 %.
        CHECK(largest_displacement(u) == Approx(w).epsilon(0.003));
        CHECK(depth_of(plan, q) == Approx(grown.energy(flat).total() - grown.energy(rest).total()).epsilon(0.006));
    }
}

TEST_CASE("free discs and shallow caps whose middle has grown rest where their whole meshes do, on both sides") {
    for (const double rise : {0.0, 1.0, 2.0}) {  // thicknesses
        const double angle = 2 * rise * h;       // a cap of radius 1
        const ThinShell shell =
            of_thickness(rise > 0 ? clangor::test::spherical_cap(10, 1 / angle, angle) : clangor::test::disc(10), h);
        const StiffnessMass body = assemble(shell, steel);
        const Modes modes = vibration_modes(body, {.min_hz = 1, .max_hz = 1e5, .max_count = 30});
        const Eigen::VectorXd growth = middle_growth(shell.middle);
        ShellPlan plan = shell_plan(shell, steel, modes, {.growth = growth});
        const double multiple = 1.2 * critical_prestress(plan), bed = 1e-4 * square(modes.omega[0]);
        plan.prestress *= multiple;
        const WallStretch wall(shell, steel);
        const Compliance compliance(body, bed);
        Eigen::VectorXd grown = Eigen::VectorXd::Zero(wall.strains());
        for (long f = 0; f < growth.size(); ++f) grown[6 * f] = grown[6 * f + 1] = multiple * growth[f];
        const FrozenWork frozen(shell, wall, grown, compliance(wall.forces(grown)));
        const ElasticShell elastic(shell, steel);
        const auto energy = [&](const ShellPose& pose) { return elastic.energy(pose).total() - frozen.work(pose); };
        const auto gradient = [&](const ShellPose& pose) -> Eigen::VectorXd {
            return elastic.gradient(pose) - frozen.gradient(pose);
        };
        const Balance balance(body, {}, bed, energy, gradient);
        for (const int side : {1, -1}) {
            CAPTURE(rise);
            CAPTURE(side);
            const Eigen::VectorXd q = rest_state(plan, side);
            const Eigen::VectorXd u = modes.shapes(Eigen::all, plan.kept) * q;
            const Eigen::MatrixXd f = wall.forces(wall.quadratic(u));
            const Eigen::VectorXd in_modes = (modes.shapes.transpose() * f).array() / modes.omega.array().square();
            const ShellPose start = moved(rest_pose(shell), u + modes.shapes * in_modes - compliance(f));
            const ShellPose rest = balance.from(start);
            CHECK(gradient(rest).norm() < 0.02 * gradient(start).norm());  // up to 0.014, by how a machine rounds
            // Near the pass the way down to rest goes as t − 1 and its depth as (t − 1)³, on a disc as (t − 1)²: half a
            // per cent of the critical load makes 2.5 % of one and 7.5 or 5 % of the other.
            const double w = (rest.positions - shell.middle.vertices).rowwise().norm().maxCoeff();
            CHECK(largest_displacement(u) == Approx(w).epsilon(0.025));
            CHECK(depth_of(plan, q) == Approx(-energy(rest)).epsilon(rise > 0 ? 0.08 : 0.05));
        }
    }
}

}  // namespace nonlinear_rest_state_test
