#include <clangor/vibration/modal/modal.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

namespace constraints_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

constexpr double spring = 4e8;  // [N/m]
constexpr double bead = 0.01;   // [kg]

// n equal beads on a line, joined by n−1 equal springs.
StiffnessMass chain(int n) {
    std::vector<Eigen::Triplet<double>> K, M;
    for (int i = 0; i < n; ++i) {
        M.emplace_back(i, i, bead);
        K.emplace_back(i, i, 0.0);
        if (i + 1 == n) continue;
        K.emplace_back(i, i, spring);
        K.emplace_back(i + 1, i + 1, spring);
        K.emplace_back(i, i + 1, -spring);
        K.emplace_back(i + 1, i, -spring);
    }
    StiffnessMass body;
    body.stiffness.resize(n, n);
    body.stiffness.setFromTriplets(K.begin(), K.end());
    body.mass.resize(n, n);
    body.mass.setFromTriplets(M.begin(), M.end());
    body.rigid = Eigen::MatrixXd::Ones(n, 1);
    return body;
}

const double omega_0 = std::sqrt(spring / bead);
const ModeOptions first_five = {.min_hz = 1, .max_hz = 1e6, .max_count = 5};

}  // namespace

TEST_CASE("a chain that is held at one end has the standing waves of a clamped–free chain, dense and sparse") {
    for (const int n : {50, 1500}) {
        const ConstrainedBody held = constrained(chain(n), {{{0}, {1.0}}});
        CHECK(held.body.mass.cols() == n - 1);
        CHECK(held.body.rigid.cols() == 0);
        const Modes modes = vibration_modes(held.body, first_five);
        // ω_k = 2ω₀ sin((2k−1)π/(2(2N+1))), N = n − 1 beads that move.
        REQUIRE(modes.omega.size() == 5);
        for (int k = 1; k <= 5; ++k)
            CHECK(modes.omega[k - 1] ==
                  Approx(2 * omega_0 * std::sin((2 * k - 1) * pi / (2.0 * (2 * n - 1)))).epsilon(1e-9));
    }
}

TEST_CASE("a mean that is held keeps the modes in which it vanishes anyway, and the motion without strain goes") {
    // Odd modes of the free chain have no mean at all; even ones none of their own either: Σu = 0 for all but the rigid
    // one, by orthogonality. So holding the mean of all beads removes that and nothing else.
    const int n = 40;
    const StiffnessMass free = chain(n);
    LinearConstraint mean;
    for (int i = 0; i < n; ++i) mean.rows.push_back(i), mean.weights.push_back(1.0 / n);
    const ConstrainedBody held = constrained(free, {mean});
    const Modes modes = vibration_modes(held.body, first_five), all = vibration_modes(free, first_five);
    REQUIRE(modes.omega.size() == 5);
    for (int k = 0; k < 5; ++k) CHECK(modes.omega[k] == Approx(all.omega[k]).epsilon(1e-9));
    const Eigen::MatrixXd u = held.expansion * modes.shapes;
    CHECK(u.colwise().sum().cwiseAbs().maxCoeff() < 1e-9 * u.cwiseAbs().maxCoeff());
}

TEST_CASE("constraints that share unknowns or repeat each other are all obeyed") {
    const int n = 30;
    const std::vector<LinearConstraint> constraints = {
        {{3, 4, 5}, {1, 2, 1}}, {{4}, {1}}, {{5, 6, 7}, {1, 1, 1}}, {{3, 4, 5}, {2, 4, 2}}};
    const ConstrainedBody held = constrained(chain(n), constraints);
    CHECK(held.body.mass.cols() == n - 3);  // the last one says what the first does
    CHECK(held.body.rigid.cols() == 0);
    const Eigen::VectorXd u = held.expansion * Eigen::VectorXd::Random(n - 3);
    for (const LinearConstraint& constraint : constraints) {
        double sum = 0;
        for (size_t i = 0; i < constraint.rows.size(); ++i) sum += constraint.weights[i] * u[constraint.rows[i]];
        CHECK(std::abs(sum) < 1e-12);
    }
}

TEST_CASE("a constraint that a motion without strain obeys leaves it") {
    const ConstrainedBody held = constrained(chain(30), {{{3, 9}, {1, -1}}});
    REQUIRE(held.body.rigid.cols() == 1);
    CHECK((held.body.stiffness * held.body.rigid).norm() < 1e-12 * spring);
}

}  // namespace constraints_test
