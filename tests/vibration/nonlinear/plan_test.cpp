#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/nonlinear/nonlinear.hpp>
#include <clangor/vibration/nonlinear/stress_modes.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <cstring>

namespace nonlinear_plan_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

ThinShell plate() { return of_thickness(clangor::test::unit_square(8, Grid::Irregular), 0.002); }
ThinShell cap() { return of_thickness(clangor::test::spherical_cap(7, 0.3, 0.6), 0.001); }

Modes modes_of(const ThinShell& shell, int count) {
    return vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e6, .max_count = count});
}

// Everything that the reduced model is made from, kept.
struct Whole {
    ThinShell shell;
    Modes modes;
    WallStretch wall;
    BendingModes bending;
    Compliance compliance;

    Whole(const ThinShell& of, int count)
        : shell(of),
          modes(modes_of(of, count)),
          wall(of, steel),
          bending{wall, modes.shapes, modes.omega, of.thickness[0]},
          compliance(assemble(of, steel), 1e-4 * square(modes.omega[0])) {}

    // The motion outside the modes that stretches least: z = −(K⁺ − UΛ⁻¹Uᵀ)Sᵀn.
    Eigen::VectorXd follow(const Eigen::VectorXd& q) const {
        const Eigen::MatrixXd f = wall.forces(wall.quadratic(modes.shapes * q));
        const Eigen::MatrixXd in_modes =
            (modes.shapes.transpose() * f).array().colwise() / modes.omega.array().square();
        return modes.shapes * in_modes - compliance(f);
    }

    // V to fourth order, by sums over all triangles: (SUq)·n + ½ n·(n + Sz). The first part may be negative.
    struct Potential {
        double coupled = 0, stretched = 0;
        double sum() const { return coupled + stretched; }
    };
    Potential potential(const Eigen::VectorXd& q) const {
        const Eigen::MatrixXd n = wall.quadratic(modes.shapes * q);
        const Eigen::MatrixXd linear = wall.stresses(0 * n, modes.shapes * q), left = wall.stresses(n, follow(q));
        return {n.cwiseProduct(linear).sum(), 0.5 * n.cwiseProduct(left).sum()};
    }
};

double energy(const ShellPlan& plan, const Eigen::VectorXd& q) {
    return 0.5 * (plan.omega.cwiseProduct(q)).squaredNorm() + nonlinear_force(plan, q).potential;
}

}  // namespace

TEST_CASE("quadratic strains are those of the shell's energy: its third derivative") {
    // W = ½(Bu + n)·M(Bu + n) + …: of a displacement that does not bend, ∂³W is 3·Bu·M·n. In-plane motion of a plate.
    const ThinShell shell = plate();
    const WallStretch wall(shell, steel);
    const ElasticShell elastic(shell, steel);
    const long n = shell.middle.vertices.rows();
    Eigen::VectorXd u = Eigen::VectorXd::Zero(6 * n);
    for (long i = 0; i < n; ++i) {
        const Eigen::RowVector3d x = shell.middle.vertices.row(i);
        u[3 * i] = std::sin(2 * x[0] + x[1]), u[3 * i + 1] = x[0] * x[1] - 0.3 * x[1];
        u[3 * n + 3 * i + 2] = 0.4 * std::cos(x[0] - 2 * x[1]);
    }
    const auto W = [&](double e) { return elastic.energy(moved(rest_pose(shell), e * u)).membrane; };
    const double e = 0.01;
    // The odd part is e³W₃ + e⁵W₅; both steps leave out the second.
    const auto odd = [&](double s) { return (W(s) - W(-s)) / (2 * cube(s)); };
    const double third = (4 * odd(e) - odd(2 * e)) / 3;
    const Eigen::MatrixXd quadratic = wall.quadratic(u);
    CHECK(third == Approx(quadratic.cwiseProduct(wall.stresses(0 * quadratic, u)).sum()).epsilon(1e-5));
}

TEST_CASE("forces of a strained wall are what its stresses do against linear strains") {
    // Reciprocity: f(n)·u = n·stress(u).
    const ThinShell shell = cap();
    const WallStretch wall(shell, steel);
    const Modes modes = modes_of(shell, 8);
    const Eigen::VectorXd u = modes.shapes.rowwise().sum(), v = modes.shapes * Eigen::VectorXd::LinSpaced(8, 1, -0.5);
    const Eigen::MatrixXd n = wall.quadratic(v);
    CHECK(wall.forces(n).col(0).dot(u) == Approx(n.cwiseProduct(wall.stresses(0 * n, u)).sum()).epsilon(1e-9));
}

TEST_CASE("compliance of a free body is the sum over its elastic modes, Σ uuᵀ/ω²") {
    const ThinShell shell = of_thickness(clangor::test::unit_square(3, Grid::Irregular), 0.01);
    const StiffnessMass body = assemble(shell, steel);
    const Modes all = vibration_modes(body, {.min_hz = 1, .max_hz = 1e9});
    REQUIRE(all.omega.size() == 6 * 16 - 6);
    const Eigen::MatrixXd forces = body.mass * all.shapes * Eigen::MatrixXd::Random(all.omega.size(), 3);
    const Eigen::MatrixXd expected =
        all.shapes * ((all.shapes.transpose() * forces).array().colwise() / all.omega.array().square()).matrix();
    const Eigen::MatrixXd u = Compliance(body, 1e-8 * square(all.omega[0]))(forces);
    CHECK((u - expected).norm() < 1e-6 * expected.norm());
}

TEST_CASE("with all stresses and all edges, the plan's energy is the sum over all triangles") {
    // 5 modes have 15 products q_i q_j, so that 15 stresses say all; curved and flat.
    for (const ThinShell& shell : {plate(), cap()}) {
        const Whole whole(shell, 5);
        const ShellPlan plan = shell_plan(shell, steel, whole.modes, {.stresses = 15, .edges = 1000});
        REQUIRE(plan.modes() == 5);
        const Eigen::MatrixXd poses = random_poses(whole.bending, 5, 7);
        double error = 0, typical = 0;
        for (long i = 0; i < poses.cols(); ++i) {
            const Whole::Potential exact = whole.potential(poses.col(i));
            error = std::max(error, std::abs(nonlinear_force(plan, poses.col(i)).potential - exact.sum()));
            typical = std::max(typical, std::abs(exact.coupled) + exact.stretched);
        }
        // Edges are taken until 1e-4 of each is left; the bed on which the wall relaxes makes 1e-4.
        CHECK(error < 1e-3 * typical);
    }
}

TEST_CASE("growth freezes in a self-stress, whose work on all triangles is what the plan has less of energy") {
    for (const ThinShell& shell : {plate(), cap()}) {
        const Whole whole(shell, 5);
        const Eigen::VectorXd growth = 1e-5 * middle_growth(shell.middle);
        const ShellPlan plan = shell_plan(shell, steel, whole.modes, {.stresses = 16, .edges = 1000, .growth = growth});
        // The strains of growth, less what the whole shell gives way to: −Q(s − SK⁺Sᵀs) is the stress.
        Eigen::VectorXd grown = Eigen::VectorXd::Zero(whole.wall.strains());
        for (long f = 0; f < growth.size(); ++f) grown[6 * f] = grown[6 * f + 1] = growth[f];
        const Eigen::MatrixXd frozen = whole.wall.stresses(grown, -whole.compliance(whole.wall.forces(grown)));
        CHECK((whole.modes.shapes.transpose() * whole.wall.forces(grown)).norm() > 0);
        CHECK(plan.prestress == Approx(std::sqrt(grown.dot(frozen.col(0)))).epsilon(1e-9));
        CHECK(plan.coupling.row(0).isZero(0));
        const Eigen::MatrixXd poses = random_poses(whole.bending, 5, 7);
        double error = 0, typical = 0;
        for (long i = 0; i < poses.cols(); ++i) {
            const Eigen::MatrixXd n = whole.wall.quadratic(whole.modes.shapes * poses.col(i));
            const double work = n.cwiseProduct(frozen).sum(), exact = whole.potential(poses.col(i)).sum() - work;
            error = std::max(error, std::abs(nonlinear_force(plan, poses.col(i)).potential - exact));
            typical = std::max(typical, std::abs(work));
        }
        CHECK(error < 1e-3 * typical);
    }
}

TEST_CASE("with stress frozen in, energy is never below −½p², and the force is its gradient") {
    for (const ThinShell& shell : {plate(), cap()}) {
        const Whole whole(shell, 20);
        // Few stresses and edges: both hold whatever is left out.
        ShellPlan plan =
            shell_plan(shell, steel, whole.modes, {.stresses = 6, .edges = 30, .growth = middle_growth(shell.middle)});
        plan.prestress *= 3 * critical_prestress(plan);
        const double deepest = -0.5 * square(plan.prestress);
        const Eigen::VectorXd rest = rest_state(plan, 1);
        CHECK(energy(plan, rest) < 0);
        CHECK(energy(plan, rest) >= deepest * (1 + 1e-6));
        for (const double size : {0.1, 1.0, 10.0}) {
            const Eigen::MatrixXd poses = size * random_poses(whole.bending, 3, 5);
            for (long i = 0; i < poses.cols(); ++i) {
                const Eigen::VectorXd q = rest + poses.col(i), direction = poses.col((i + 1) % 3);
                CHECK(energy(plan, q) >= deepest);
                const auto V = [&](double e) { return nonlinear_force(plan, q + e * direction).potential; };
                const double slope = (8 * (V(0.5) - V(-0.5)) - (V(1) - V(-1))) / 6;
                const ShellForce at = nonlinear_force(plan, q);
                CHECK(std::abs(at.gradient.dot(direction) - slope) < 1e-4 * at.gradient.norm() * direction.norm());
            }
        }
    }
}

TEST_CASE("growth that fits together, or is that of another shell, and plans whose prestress is none are refused") {
    const ThinShell shell = plate();
    const Modes modes = modes_of(shell, 5);
    const long faces = shell.middle.faces.rows();
    CHECK_THROWS_WITH_AS(shell_plan(shell, steel, modes, {.growth = Eigen::VectorXd::Constant(faces, 0.1)}),
                         "this growth freezes no stress into the wall: it fits together without any; let the middle "
                         "grow more than the rim, or hold the rim",
                         Error);
    CHECK_THROWS_WITH_AS(shell_plan(shell, steel, modes, {.growth = Eigen::VectorXd::Ones(3)}),
                         "growth of 3 triangles is not that of a shell of 128", Error);
    ShellPlan plan = shell_plan(shell, steel, modes, {.growth = middle_growth(shell.middle)});
    CHECK(problems_of(plan).empty());
    plan.coupling(0, 0) = 1;
    CHECK(problems_of(plan) == std::vector<std::string>{"a prestress needs a first stress that modes do not make"});
    plan.prestress = 0;
    CHECK(problems_of(plan).empty());
    plan.prestress = std::nan("");
    CHECK(problems_of(plan).size() == 1);
    // Plans without growth are those that they were.
    CHECK(shell_plan(shell, steel, modes).prestress == 0);
    CHECK(std::isinf(critical_prestress(shell_plan(shell, steel, modes))));
}

TEST_CASE("plate bent by its thickness: the plan's energy is that of the whole shell, its wall relaxed") {
    const Whole whole(of_thickness(clangor::test::unit_square(8, Grid::Alternating), 0.002), 20);
    const ShellPlan usual = shell_plan(whole.shell, steel, whole.modes);
    const ShellPlan large = shell_plan(whole.shell, steel, whole.modes, {.stresses = 60, .edges = 240});
    const ElasticShell elastic(whole.shell, steel);
    const Eigen::MatrixXd poses = random_poses(whole.bending, 6, 3);
    for (long i = 0; i < poses.cols(); ++i) {
        const Eigen::VectorXd q = poses.col(i);
        const ShellPose pose = moved(rest_pose(whole.shell), whole.modes.shapes * q + whole.follow(q));
        const double V = elastic.energy(pose).total() - 0.5 * whole.modes.omega.cwiseProduct(q).squaredNorm();
        CHECK(whole.potential(q).sum() == Approx(V).epsilon(0.01));
        CHECK(nonlinear_force(large, q).potential == Approx(V).epsilon(0.01));
        // Six edges and one stress per mode leave 6 % of c out.
        CHECK(nonlinear_force(usual, q).potential == Approx(V).epsilon(0.1));
    }
}

TEST_CASE("the force is the gradient of the energy, which is never negative") {
    for (const ThinShell& shell : {plate(), cap()}) {
        const Whole whole(shell, 20);
        // Few stresses and edges: both hold whatever is left out.
        const ShellPlan plan = shell_plan(shell, steel, whole.modes, {.stresses = 6, .edges = 30});
        for (const double size : {0.1, 1.0, 10.0}) {
            const Eigen::MatrixXd poses = size * random_poses(whole.bending, 3, 5);
            for (long i = 0; i < poses.cols(); ++i) {
                const Eigen::VectorXd q = poses.col(i), direction = poses.col((i + 1) % 3);
                CHECK(energy(plan, q) >= 0);
                const ShellForce at = nonlinear_force(plan, q);
                // V is a polynomial of fourth degree: this difference is exact but for the rounding of floats.
                const auto V = [&](double e) { return nonlinear_force(plan, q + e * direction).potential; };
                const double slope = (8 * (V(0.5) - V(-0.5)) - (V(1) - V(-1))) / 6;
                const double scale = at.gradient.norm() * direction.norm();
                CHECK(std::abs(at.gradient.dot(direction) - slope) < 1e-4 * scale);
            }
        }
    }
}

TEST_CASE("L counts no more than there is: Λ − LLᵀ is not negative, and zero coupling remains on plates") {
    const ShellPlan flat = shell_plan(plate(), steel, modes_of(plate(), 15)),
                    curved = shell_plan(cap(), steel, modes_of(cap(), 15));
    const auto stretched = [](const ShellPlan& plan) {
        const Eigen::MatrixXd scaled = plan.coupling.cast<double>() * plan.omega.cwiseInverse().asDiagonal();
        return scaled.jacobiSvd().singularValues()[0];
    };
    CHECK(stretched(flat) < 1e-5);
    CHECK(stretched(curved) < 1);
    CHECK(stretched(curved) > 0.05);
}

TEST_CASE("modes that stay in the wall are left to ring by themselves") {
    // A plate of 1 m and 2 cm has in-plane modes from about 2.3 kHz on.
    const ThinShell thick = of_thickness(clangor::test::unit_square(8, Grid::OneDiagonal), 0.02);
    const Modes modes = modes_of(thick, 50);
    const ShellPlan plan = shell_plan(thick, steel, modes);
    CHECK(plan.modes() < modes.omega.size());
    const long n = thick.middle.vertices.rows();
    size_t kept = 0;
    for (int i = 0; i < int(modes.omega.size()); ++i) {
        double out = 0;
        for (long v = 0; v < n; ++v) out += square(modes.shapes(3 * v + 2, i));
        const bool bends = out > 0.5 * modes.shapes.col(i).head(3 * n).squaredNorm();
        CHECK(bends == (kept < plan.kept.size() && plan.kept[kept] == i));
        if (bends) ++kept;
    }
    CHECK(problems_of(plan).empty());
}

TEST_CASE("the same bytes for any number of threads") {
    const ThinShell shell = cap();
    const Modes modes = modes_of(shell, 24);
    const auto with = [&](int threads) {
        set_thread_count(threads);
        const ShellPlan plan = shell_plan(shell, steel, modes, {.growth = middle_growth(shell.middle)});
        set_thread_count(0);
        return plan;
    };
    const auto same = [](const FloatRows& a, const FloatRows& b) {
        return a.rows() == b.rows() && a.cols() == b.cols() &&
               !std::memcmp(a.data(), b.data(), sizeof(float) * size_t(a.size()));
    };
    const ShellPlan one = with(1);
    for (const int threads : {2, 3, 5}) {
        const ShellPlan plan = with(threads);
        CHECK(same(plan.coupling, one.coupling));
        CHECK(same(plan.edges, one.edges));
        CHECK(same(plan.squares, one.squares));
        CHECK(same(plan.probes, one.probes));
        CHECK(plan.prestress == one.prestress);
        CHECK(rest_state(plan, 1) == rest_state(one, 1));
    }
}

TEST_CASE("modes of another shell are refused") {
    CHECK_THROWS_WITH_AS(shell_plan(cap(), steel, modes_of(plate(), 5)),
                         "modes with 486 rows are not those of a shell of 169 vertices, which have 1014", Error);
}

}  // namespace nonlinear_plan_test
