// Where a shell with stress frozen into its wall buckles, and to where       docs/theory/nonlinear-shell.md, Eq. 21, 22
#include <clangor/vibration/nonlinear/nonlinear.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

// E in x = Λ^½ q, in which all modes are equally stiff, and in double: rest states are where large forces cancel.
class Landscape {
public:
    explicit Landscape(const ShellPlan& plan)
        : coupling_(plan.coupling.cast<double>() * plan.omega.cwiseInverse().asDiagonal()),
          edges_(plan.edges.cast<double>() * plan.omega.cwiseInverse().asDiagonal()),
          squares_(plan.squares.cast<double>()),
          frozen_(VectorXd::Zero(squares_.rows())) {
        if (plan.prestress != 0) frozen_[0] = plan.prestress;
    }

    VectorXd stretch(const VectorXd& x) const { return squares_ * (edges_ * x).cwiseAbs2(); }
    VectorXd coupled(const VectorXd& x) const { return coupling_ * x; }

    double energy(const VectorXd& x) const {
        const VectorXd c = stretch(x);
        return 0.5 * x.squaredNorm() + (coupled(x) - frozen_).dot(c) + 0.5 * c.squaredNorm();
    }

    VectorXd gradient(const VectorXd& x) const {
        const VectorXd v = edges_ * x, c = squares_ * v.cwiseAbs2();
        const VectorXd back = squares_.transpose() * (coupled(x) - frozen_ + c);
        return x + coupling_.transpose() * c + edges_.transpose() * (2 * v.cwiseProduct(back));
    }

    // Eq. 21.
    MatrixXd hessian(const VectorXd& x) const {
        const VectorXd v = edges_ * x, y = coupled(x) - frozen_ + squares_ * v.cwiseAbs2();
        const MatrixXd J = 2 * squares_ * v.asDiagonal() * edges_, crossed = coupling_.transpose() * J;
        return MatrixXd::Identity(x.size(), x.size()) + crossed + crossed.transpose() + J.transpose() * J +
               turned(2 * squares_.transpose() * y);
    }

    // ∂²(c_1) times p: what of the stiffness the frozen stress takes.
    MatrixXd softening() const { return turned(2 * squares_.transpose() * frozen_); }

private:
    MatrixXd turned(const VectorXd& weights) const { return edges_.transpose() * weights.asDiagonal() * edges_; }

    MatrixXd coupling_, edges_, squares_;
    VectorXd frozen_;
};

// The lowest point along a direction in which E falls at first: E = a₂t² + a₃t³ + a₄t⁴.
VectorXd lowest_along(const Landscape& land, const VectorXd& direction, double curvature) {
    const VectorXd c = land.stretch(direction);
    const double a2 = curvature / 2, a3 = land.coupled(direction).dot(c), a4 = c.squaredNorm() / 2;
    return (std::sqrt(9 * a3 * a3 - 32 * a2 * a4) - 3 * a3) / (8 * a4) * direction;
}

struct Curvatures {
    VectorXd values;
    MatrixXd directions;
};

Curvatures curvatures(const Landscape& land, const VectorXd& x) {
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(land.hessian(x));
    return {eigen.eigenvalues(), eigen.eigenvectors()};
}

// Newton's method that goes down along every curvature, whatever its sign, and leaves saddles along their first.
VectorXd descended(const Landscape& land, VectorXd x) {
    for (int i = 0; i < 200; ++i) {
        const Curvatures at = curvatures(land, x);
        const VectorXd slopes = at.directions.transpose() * land.gradient(x);
        VectorXd step = -at.directions * slopes.cwiseQuotient(at.values.cwiseAbs().cwiseMax(1e-6));
        const bool is_settled = step.norm() < 1e-12 * x.norm();
        if (is_settled && at.values[0] >= 0) break;
        if (is_settled) step = 0.01 * x.norm() * at.directions.col(0);
        step *= std::min(1.0, 0.5 * x.norm() / step.norm());
        // So near to the minimum energies differ by their rounding, and steps are Newton's own.
        const double E = land.energy(x), rounding = 1e-13 * x.squaredNorm();
        while (step.norm() > 1e-6 * x.norm() && land.energy(x + step) > E + rounding) step /= 2;
        x += step;
    }
    return x;
}

}  // namespace

double critical_prestress(const ShellPlan& plan) {
    if (plan.prestress == 0) return std::numeric_limits<double>::infinity();
    const Eigen::SelfAdjointEigenSolver<MatrixXd> eigen(Landscape(plan).softening(), Eigen::EigenvaluesOnly);
    const double most = eigen.eigenvalues().maxCoeff();
    return most > 0 ? 1 / most : std::numeric_limits<double>::infinity();
}

VectorXd rest_state(const ShellPlan& plan, int side) {
    CLANGOR_ASSERT(problems_of(plan).empty() && (side == 1 || side == -1), "a plan that can be moved, and one side");
    const Landscape land(plan);
    const Curvatures at_zero = curvatures(land, VectorXd::Zero(plan.modes()));
    if (at_zero.values[0] >= 0) return VectorXd::Zero(plan.modes());
    const VectorXd direction = at_zero.directions.col(0);
    const VectorXd moved = plan.probes.cast<double>() * direction.cwiseQuotient(plan.omega);
    long liveliest = 0;
    if (moved.size() > 0) moved.cwiseAbs().maxCoeff(&liveliest);
    const double sign = moved.size() > 0 && moved[liveliest] < 0 ? -side : side;
    return descended(land, lowest_along(land, sign * direction, at_zero.values[0])).cwiseQuotient(plan.omega);
}

MatrixXd stiffness_at(const ShellPlan& plan, const VectorXd& q) {
    const MatrixXd scaled = Landscape(plan).hessian(plan.omega.cwiseProduct(q));
    return plan.omega.asDiagonal() * scaled * plan.omega.asDiagonal();
}

}  // namespace clangor
