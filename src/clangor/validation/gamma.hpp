// Leading hardening Γ of modes: of the whole mesh, and of a reduced shell. Internal to validation.
#pragma once

#include <clangor/vibration/subspace/subspace.hpp>

#include <Eigen/SparseLU>

namespace clangor::validation {

inline double largest_displacement(const Eigen::VectorXd& u) {
    double largest = 0;
    for (long i = 0; i < u.size() / 6; ++i) largest = std::max(largest, u.segment<3>(3 * i).norm());
    return largest;
}

/// g₂ and g₃ of g(X + εu) = g₁ε + g₂ε² + g₃ε³, from g at ±s and ±2s: even and odd parts leave out fourth and fifth
/// orders.
struct CubicForce {
    Eigen::VectorXd g2, g3;
};

template <class Force>
CubicForce cubic_force(const Force& g, double s) {
    const Eigen::VectorXd even1 = (g(s) + g(-s)) / 2, even2 = (g(2 * s) + g(-2 * s)) / 2;
    const Eigen::VectorXd odd1 = (g(s) - g(-s)) / 2, odd2 = (g(2 * s) - g(-2 * s)) / 2;
    return {(16 * even1 - even2) / (12 * s * s), (odd2 - 2 * odd1) / (6 * s * s * s)};
}

/// Γ of ẅ + ω²(w + Γ(w/h)²w) = 0, w the largest displacement of a mode, with all other motion following at second
/// order: with g(X + εu) = g₁ε + g₂ε² + g₃ε³,
/// ¾ω²Γ = ¾ uᵀg₃ − (g₂ᵀK⁺g₂ + ½ g₂ᵀ(K − 4ω²M)⁻¹g₂), times (h/max|u|)². Forces of a held mesh count as far as it can
/// follow them.
inline double gamma_of_mesh(const ThinShell& shell, const Material& material, const Eigen::VectorXd& u, double omega,
                            const ConstrainedBody* held = nullptr) {
    const StiffnessMass body = held ? held->body : assemble(shell, material);
    const ElasticShell elastic(shell, material);
    const double h = shell.thickness[0], largest = largest_displacement(u), s = 0.2 * h / largest;
    const ShellPose rest = rest_pose(shell);
    const auto g = [&](double e) { return elastic.gradient(moved(rest, e * u)); };
    const auto [g2, g3] = cubic_force(g, s);
    const Eigen::VectorXd force = held ? Eigen::VectorXd(held->expansion.transpose() * g2) : g2;
    const auto compliance = [&](double sigma) {
        const SparseMatrix shifted = body.stiffness - sigma * body.mass;
        const Eigen::SparseLU<SparseMatrix> factor(shifted);
        return force.dot(factor.solve(force));
    };
    // K⁺: rigid motions do not meet g₂; far below the first mode a shift stands for none.
    const double relaxed = compliance(-1e-4 * omega * omega) + 0.5 * compliance(4 * omega * omega);
    return (0.75 * u.dot(g3) - relaxed) / (0.75 * omega * omega) * square(h / largest);
}

/// Of mode p where the others of a reduced shell follow.
inline double gamma_of_modes(const Eigen::VectorXd& omega, long p, const Eigen::VectorXd& g2, double g3, double h,
                             double largest) {
    const double omega_sq = square(omega[p]);
    const Eigen::ArrayXd others = omega.array().square();
    const double relaxed = (g2.array().square() * (1 / others + 0.5 / (others - 4 * omega_sq))).sum();
    return (0.75 * g3 - relaxed) / (0.75 * omega_sq) * square(h / largest);
}

/// The same of mode p of a plan, whose largest displacement is `largest`, by its exact derivatives.
inline double gamma_of_plan(const ShellPlan& plan, long p, double h, double largest) {
    const Eigen::MatrixXd D = plan.edges.cast<double>(), W = plan.squares.cast<double>();
    const Eigen::MatrixXd Lt = plan.coupling.cast<double>();
    const Eigen::VectorXd v = D.col(p), c = W * v.cwiseAbs2();
    const auto back = [&](const Eigen::VectorXd& y) -> Eigen::VectorXd {
        return D.transpose() * (2 * v.cwiseProduct(W.transpose() * y));
    };
    return gamma_of_modes(plan.omega, p, Lt.transpose() * c + back(Lt.col(p)), back(c)[p], h, largest);
}

/// The same of a shell in its linear modes alone.
inline double gamma_of_plan(const SubspacePlan& plan, long p, double h, double largest) {
    const auto g = [&](double e) { return nonlinear_force(plan, e * Eigen::VectorXd::Unit(plan.modes(), p)).gradient; };
    const auto [g2, g3] = cubic_force(g, 0.2 * h / largest);
    return gamma_of_modes(plan.omega, p, g2, g3[p], h, largest);
}

}  // namespace clangor::validation
