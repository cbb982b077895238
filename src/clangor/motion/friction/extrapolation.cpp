// Sweeps that converge slowly, extrapolated as [Walker2011] do: docs/theory/rod-contact.md, section 2.
#include <clangor/motion/friction/friction.hpp>

#include <Eigen/Cholesky>

#include <algorithm>

namespace clangor::friction {

std::optional<Eigen::VectorXd> Extrapolation::next(const Eigen::VectorXd& x, const Eigen::VectorXd& g) {
    const Eigen::VectorXd step = g - x;
    if (last_step_.size() == 0) {
        step_changes_.resize(x.size(), depth_);
        g_changes_.resize(x.size(), depth_);
        gram_.resize(depth_, depth_);
    } else {
        const int column = count_++ % depth_;
        step_changes_.col(column) = step - last_step_;
        g_changes_.col(column) = g - last_g_;
        const int known = std::min(count_, depth_);
        gram_.col(column).head(known) = step_changes_.leftCols(known).transpose() * step_changes_.col(column);
        gram_.row(column).head(known) = gram_.col(column).head(known).transpose();
    }
    last_step_ = step;
    last_g_ = g;
    const int known = std::min(count_, depth_);
    if (known < 2) return std::nullopt;

    // The normal equations, a little shifted: the changes become parallel as the iteration converges.
    Eigen::MatrixXd gram = gram_.topLeftCorner(known, known);
    gram.diagonal().array() += 1e-12 * gram.trace();
    const Eigen::VectorXd mix = gram.ldlt().solve(step_changes_.leftCols(known).transpose() * step);
    if (!mix.allFinite()) return std::nullopt;
    return Eigen::VectorXd(g - g_changes_.leftCols(known) * mix);
}

void Extrapolation::forget() {
    count_ = 0;
    last_step_.resize(0);
}

}  // namespace clangor::friction
