#include <clangor/radiation/transfer/extrapolate.hpp>

#include <Eigen/Cholesky>

#include <algorithm>

namespace clangor::modal_transfer {
namespace {

// Of what is recorded, relatively: smaller changes say nothing.
constexpr double rounding = 2e-4;

}  // namespace

Eigen::MatrixXcd limit_of(std::span<const Eigen::MatrixXcd> estimates) {
    const long changes = std::ssize(estimates) - 1, modes = estimates[0].cols();
    Eigen::MatrixXcd limit = Eigen::MatrixXcd::Zero(estimates[0].rows(), modes);
    for (long j = 0; j < modes; ++j) {
        if (estimates.back().col(j).isZero(0)) continue;
        Eigen::MatrixXcd D(limit.rows(), changes);
        for (long i = 0; i < changes; ++i) D.col(i) = estimates[i + 1].col(j) - estimates[i].col(j);
        Eigen::MatrixXcd normal = D.adjoint() * D;
        normal.diagonal().array() += square(rounding) * estimates.back().col(j).squaredNorm();
        Eigen::VectorXcd weights = normal.ldlt().solve(Eigen::VectorXcd::Ones(changes));
        weights /= weights.sum();
        for (long i = 0; i < changes; ++i) limit.col(j) += weights[i] * estimates[i].col(j);
    }
    return limit;
}

}  // namespace clangor::modal_transfer
