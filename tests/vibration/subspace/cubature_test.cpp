#include "../shell/shell_meshes.hpp"

#include <clangor/vibration/subspace/nonnegative.hpp>
#include <clangor/vibration/subspace/subspace.hpp>
#include <clangor/vibration/subspace/triangle_cubature.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <Eigen/Cholesky>

#include <cstring>

namespace subspace_cubature_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::Grid;
using clangor::test::of_thickness;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};

ThinShell plate() { return of_thickness(clangor::test::unit_square(12, Grid::Alternating), 0.002); }

Modes modes_of(const ThinShell& shell, int count) {
    return vibration_modes(assemble(shell, steel), {.min_hz = 1, .max_hz = 1e6, .max_count = count});
}

Eigen::MatrixXd noise_matrix(long rows, long columns, double mean) {
    clangor::test::Noise noise;
    return Eigen::MatrixXd::NullaryExpr(rows, columns, [&] { return mean + noise(); });
}

}  // namespace

TEST_CASE("least squares without negative weights are the best of all subsets that have none") {
    for (const double mean : {0.0, 0.3}) {
        const Eigen::MatrixXd A = noise_matrix(12, 7, mean);
        const Eigen::VectorXd b = noise_matrix(12, 9, 0.1).col(8);
        const Eigen::MatrixXd G = A.transpose() * A;
        const Eigen::VectorXd c = A.transpose() * b;
        double least = b.squaredNorm();
        for (int subset = 1; subset < 1 << 7; ++subset) {
            std::vector<int> with;
            for (int j = 0; j < 7; ++j)
                if (subset >> j & 1) with.push_back(j);
            const Eigen::VectorXd w = Eigen::MatrixXd(G(with, with)).llt().solve(Eigen::VectorXd(c(with)));
            if (w.minCoeff() >= 0) least = std::min(least, (A(Eigen::all, with) * w - b).squaredNorm());
        }
        for (const Eigen::VectorXd& start :
             {Eigen::VectorXd(), Eigen::VectorXd::Ones(7).eval(), Eigen::VectorXd::LinSpaced(7, -1, 1).eval()}) {
            const Eigen::VectorXd w = nonnegative_least_squares(G, c, start);
            CHECK(w.minCoeff() >= 0);
            CHECK((A * w - b).squaredNorm() == Approx(least).epsilon(1e-9));
        }
    }
}

TEST_CASE("weights that are all positive are those of plain least squares; columns that only point away get none") {
    const Eigen::MatrixXd A = noise_matrix(40, 25, 0.0);
    const Eigen::VectorXd truth = Eigen::VectorXd::LinSpaced(25, 0.1, 2);
    const Eigen::MatrixXd G = A.transpose() * A;
    CHECK((nonnegative_least_squares(G, G * truth) - truth).norm() < 1e-9 * truth.norm());
    CHECK(nonnegative_least_squares(G, -(G.cwiseAbs() * truth)).norm() == 0);
    // Two columns alike share what one would have.
    Eigen::MatrixXd B(40, 2);
    B << A.col(0), A.col(0);
    CHECK(nonnegative_least_squares(B.transpose() * B, B.transpose() * A.col(0)).sum() == Approx(1).epsilon(1e-6));
}

TEST_CASE("plate in 20 modes: more triangles leave less error, about what the method is known for") {
    const ThinShell shell = plate();
    const Modes modes = modes_of(shell, 20);
    // An independent implementation on other triangles found 40, 11 and 3.8 % of all of the force with 10, 40 and 80.
    struct Case {
        int triangles;
        double error;
    };
    double before = 1;
    for (const auto& [triangles, error] : {Case{10, 0.40}, Case{40, 0.11}, Case{80, 0.038}}) {
        const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = triangles, .whole = true});
        CAPTURE(triangles);
        CAPTURE(plan.misfit);
        CAPTURE(plan.misfit_of_whole);
        CHECK(std::ssize(plan.triangles) == triangles);
        CHECK(plan.weights.minCoeff() > 0);
        CHECK(plan.misfit_of_whole < before);
        CHECK(plan.misfit_of_whole < 1.5 * error);
        before = plan.misfit_of_whole;
        if (triangles == 80) CHECK(plan.weights.sum() == Approx(plan.area).epsilon(0.1));
    }
}

TEST_CASE("the error that is stated is that of motions it never saw") {
    const ThinShell shell = of_thickness(clangor::test::spherical_cap(6, 0.3, 0.6), 0.001);
    const Modes modes = modes_of(shell, 12);
    const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = 40});
    const std::vector<ShellTriangle> triangles = shell_triangles(shell, steel);
    const SubspaceModes basis{triangles, modes.shapes, modes.omega};
    const Eigen::MatrixXd q = random_motions(basis, shell.thickness[0], 60, 99);
    const Eigen::MatrixXd exact = forces_beyond_linear(basis, q);
    double sum = 0;
    for (long t = 0; t < q.cols(); ++t)
        sum += (nonlinear_force(plan, q.col(t)).gradient - exact.col(t)).squaredNorm() / exact.col(t).squaredNorm();
    // Of 32 and of 60 motions.
    CHECK(plan.misfit == Approx(std::sqrt(sum / 60)).epsilon(0.25));
    CHECK(plan.misfit > 0.005);
}

TEST_CASE("a tolerance is enough triangles, and no more") {
    const ThinShell shell = plate();
    const Modes modes = modes_of(shell, 10);
    const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = 200, .tolerance = 0.2, .poses = 30});
    CHECK(std::ssize(plan.triangles) < 60);
    CHECK(plan.misfit < 0.4);
    CHECK(problems_of(plan).empty());
}

TEST_CASE("the same bytes for any number of threads") {
    const ThinShell shell = plate();
    const Modes modes = modes_of(shell, 10);
    const auto with = [&](int threads) {
        set_thread_count(threads);
        const SubspacePlan plan = subspace_plan(shell, steel, modes, {.triangles = 25, .poses = 20, .candidates = 50});
        set_thread_count(0);
        return plan;
    };
    const SubspacePlan one = with(1);
    for (const int threads : {2, 3}) {
        const SubspacePlan plan = with(threads);
        CHECK(plan.triangles == one.triangles);
        CHECK(plan.weights == one.weights);
        CHECK(plan.misfit == one.misfit);
        REQUIRE(plan.rows.size() == one.rows.size());
        CHECK(!std::memcmp(plan.rows.data(), one.rows.data(), sizeof(float) * size_t(one.rows.size())));
    }
}

TEST_CASE("modes of another shell are refused, and plans whose sizes disagree are named") {
    const ThinShell other = of_thickness(clangor::test::unit_square(2, Grid::Alternating), 0.002);
    CHECK_THROWS_WITH_AS(subspace_plan(other, steel, modes_of(plate(), 5)),
                         "modes with 1014 rows are not those of a shell of 9 vertices, which have 54", Error);
    SubspacePlan plan = subspace_plan(other, steel, modes_of(other, 4), {.triangles = 100});
    CHECK(problems_of(plan).empty());
    plan.weights.conservativeResize(2);
    CHECK(problems_of(plan) == std::vector<std::string>{"8 triangles need 15 rows, a weight and two forms each"});
}

}  // namespace subspace_cubature_test
