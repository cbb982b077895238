#include "shell_meshes.hpp"

#include <doctest/doctest.h>
#include <Eigen/SparseLU>
#include <approx.hpp>

namespace shell_hardening_test {

using namespace clangor;
using clangor::test::Grid;
using clangor::test::of_thickness;
using clangor::test::unit_square;

namespace {

// Γ of ẅ + ω²(w + Γ(w/h)²w) = 0, w the largest displacement, with all other motion relaxed at second order:
// g(X + εu) = g₁ε + g₂ε² + g₃ε³, and
// ¾ω²Γ = ¾ uᵀg₃ − (g₂ᵀK⁺g₂ + ½ g₂ᵀ(K − 4ω²M)⁻¹g₂), times (h/max|u|)².
double hardening(const ThinShell& shell, const Material& material, double h) {
    const StiffnessMass body = assemble(shell, material);
    const ElasticShell elastic(shell, material);
    const Modes modes = vibration_modes(body, {.min_hz = 1, .max_hz = 1e4, .max_count = 1});
    const Eigen::VectorXd u = modes.shapes.col(0);
    const double omega_sq = square(modes.omega[0]);
    const long n = shell.middle.vertices.rows();
    double largest = 0;
    for (long i = 0; i < n; ++i) largest = std::max(largest, u.segment<3>(3 * i).norm());
    const double s = 0.2 * h / largest;
    const ShellPose rest = rest_pose(shell);
    const auto g = [&](double e) { return elastic.gradient(moved(rest, e * u)); };
    // Even and odd parts at s and 2s leave out fourth and fifth orders.
    const Eigen::VectorXd even1 = (g(s) + g(-s)) / 2, even2 = (g(2 * s) + g(-2 * s)) / 2;
    const Eigen::VectorXd odd1 = (g(s) - g(-s)) / 2, odd2 = (g(2 * s) - g(-2 * s)) / 2;
    const Eigen::VectorXd g2 = (16 * even1 - even2) / (12 * s * s);
    const Eigen::VectorXd g3 = (odd2 - 2 * odd1) / (6 * s * s * s);
    const auto compliance = [&](double sigma) {
        const SparseMatrix shifted = body.stiffness - sigma * body.mass;
        const Eigen::SparseLU<SparseMatrix> factor(shifted);
        return g2.dot(factor.solve(g2));
    };
    // K⁺: rigid motions do not meet g₂; far below the first mode a shift stands for none.
    const double relaxed = compliance(-1e-4 * omega_sq) + 0.5 * compliance(4 * omega_sq);
    return (0.75 * u.dot(g3) - relaxed) / (0.75 * omega_sq) * square(h / largest);
}

}  // namespace

TEST_CASE("free square plate: hardening of its first mode tends to von Kármán's plate, membrane relaxed") {
    // Γ = 0.154790 for ν = 0.3: an Airy solution from below and an in-plane one from above agree to 2e-4. Without
    // motion in the plane it would be 2.77.
    const Material steel{"steel", 7800, 200e9, 0.3, {}, ""};
    constexpr double h = 0.002;
    const auto on_cells = [&](int n) {
        return hardening(of_thickness(unit_square(n, Grid::Alternating), h), steel, h);
    };
    const double coarse = on_cells(8), fine = on_cells(16);
    CHECK(coarse == clangor::test::Approx(0.154790).epsilon(0.03));
    CHECK(fine == clangor::test::Approx(0.154790).epsilon(0.01));
    CHECK(std::abs(coarse - 0.154790) > 3 * std::abs(fine - 0.154790));  // second order: a quarter
}

}  // namespace shell_hardening_test
