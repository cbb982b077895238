#include <clangor/radiation/bem/low_rank.hpp>

#include <Eigen/Eigenvalues>
#include <Eigen/QR>

#include <algorithm>
#include <cmath>
#include <vector>

namespace clangor::bem {
namespace {

using MatrixXcd = Eigen::MatrixXcd;

// The cross that is growing: terms u vᵀ, and the squared norm of their sum.
struct Cross {
    std::vector<Eigen::VectorXcf> u, v;
    double norm_sq = 0;

    void add(Eigen::VectorXcf column, Eigen::VectorXcf row) {
        double mixed = 0;
        for (std::size_t i = 0; i < u.size(); ++i) {
            const std::complex<float> product = u[i].dot(column) * v[i].dot(row);
            mixed += static_cast<double>(product.real());
        }
        norm_sq += 2 * mixed + static_cast<double>(column.squaredNorm()) * static_cast<double>(row.squaredNorm());
        u.push_back(std::move(column));
        v.push_back(std::move(row));
    }
    double last_sq() const {
        return static_cast<double>(u.back().squaredNorm()) * static_cast<double>(v.back().squaredNorm());
    }
};

class CrossApproximation {
public:
    CrossApproximation(const BlockEntries& block, double tolerance)
        : block_(block),
          tolerance_sq_(tolerance * tolerance),
          row_done_(block.rows, false),
          max_rank_(block.rows * block.columns / (block.rows + block.columns)) {}

    // False if the rank grows too large to pay.
    bool run() {
        long row = 0;
        int small = 0;
        while (row >= 0) {
            if (static_cast<long>(cross_.u.size()) >= max_rank_) return false;
            const long next = step(row);
            const bool converged = cross_.u.empty() || cross_.last_sq() <= tolerance_sq_ * cross_.norm_sq;
            small = converged ? small + 1 : 0;
            // Partial pivoting sees one row at a time: a block that falls apart may hide whole parts of it. Before
            // giving up, look at rows that are spread over the block.
            row = small < 2 ? next : unexplained_row();
            if (small >= 2) small = 1;
        }
        return true;
    }
    const Cross& cross() const { return cross_; }

private:
    Eigen::VectorXcf residual_row(long i) const {
        Eigen::VectorXcf r = block_.row(i);
        for (std::size_t t = 0; t < cross_.u.size(); ++t) r -= cross_.u[t][i] * cross_.v[t];
        return r;
    }

    // Adds the cross through this row's largest residual; returns the next row, −1 if all are done.
    long step(long i) {
        row_done_[i] = true;
        Eigen::VectorXcf row = residual_row(i);
        long j = 0;
        const float largest = row.cwiseAbs2().maxCoeff(&j);
        if (!(largest > 0)) return next_undone();
        Eigen::VectorXcf column = block_.column(j);
        for (std::size_t t = 0; t < cross_.u.size(); ++t) column -= cross_.v[t][j] * cross_.u[t];
        row /= std::complex<float>(row[j]);
        long best = -1;
        for (long r = 0; r < column.size(); ++r)
            if (!row_done_[r] && (best < 0 || std::norm(column[r]) > std::norm(column[best]))) best = r;
        cross_.add(std::move(column), std::move(row));
        return best;
    }

    long next_undone() const {
        const auto at = std::find(row_done_.begin(), row_done_.end(), false);
        return at == row_done_.end() ? -1 : at - row_done_.begin();
    }

    // A row that the cross does not explain to the tolerance, among a few that were not looked at; −1 if there is none.
    long unexplained_row() const {
        constexpr long probes = 3;
        for (long p = 0; p < probes; ++p) {
            const long i = (2 * p + 1) * block_.rows / (2 * probes);
            if (row_done_[i]) continue;
            const double rest_sq = static_cast<double>(residual_row(i).squaredNorm());
            if (rest_sq * static_cast<double>(block_.rows) > 4 * tolerance_sq_ * cross_.norm_sq) return i;
        }
        return -1;
    }

    const BlockEntries& block_;
    double tolerance_sq_;
    std::vector<bool> row_done_;
    long max_rank_;
    Cross cross_;
};

Eigen::MatrixXcf side_by_side(const std::vector<Eigen::VectorXcf>& columns, long rows) {
    Eigen::MatrixXcf matrix(rows, static_cast<long>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c) matrix.col(static_cast<long>(c)) = columns[c];
    return matrix;
}

// U Vᵀ = Q_u C Q_vᵀ with C = R_u R_vᵀ small; C ≈ (C W) Wᴴ with the leading right singular vectors W, from CᴴC in double
// precision.
LowRank truncated(const LowRank& in, double tolerance) {
    const long rank = in.U.cols();
    const Eigen::HouseholderQR<Eigen::MatrixXcf> qr_u(in.U), qr_v(in.V);
    const MatrixXcd R_u =
        qr_u.matrixQR().topRows(rank).triangularView<Eigen::Upper>().toDenseMatrix().cast<std::complex<double>>();
    const MatrixXcd R_v =
        qr_v.matrixQR().topRows(rank).triangularView<Eigen::Upper>().toDenseMatrix().cast<std::complex<double>>();
    const MatrixXcd C = R_u * R_v.transpose();
    const Eigen::SelfAdjointEigenSolver<MatrixXcd> gram(C.adjoint() * C);
    const Eigen::VectorXd& sigma_sq = gram.eigenvalues();  // ascending
    const double allowed = tolerance * tolerance * sigma_sq.sum();
    long dropped = 0;
    for (double rest = 0; dropped + 1 < rank && (rest += std::max(0.0, sigma_sq[dropped])) <= allowed;) ++dropped;
    const MatrixXcd W = gram.eigenvectors().rightCols(rank - dropped);
    Eigen::MatrixXcf small_u = Eigen::MatrixXcf::Zero(in.U.rows(), rank - dropped);
    Eigen::MatrixXcf small_v = Eigen::MatrixXcf::Zero(in.V.rows(), rank - dropped);
    small_u.topRows(rank) = (C * W).cast<std::complex<float>>();
    small_v.topRows(rank) = W.conjugate().cast<std::complex<float>>();
    small_u.applyOnTheLeft(qr_u.householderQ());
    small_v.applyOnTheLeft(qr_v.householderQ());
    return {small_u, small_v};
}

}  // namespace

std::optional<LowRank> low_rank(const BlockEntries& block, double tolerance) {
    CrossApproximation approximation(block, tolerance);
    if (!approximation.run()) return std::nullopt;
    const Cross& cross = approximation.cross();
    const LowRank full{side_by_side(cross.u, block.rows), side_by_side(cross.v, block.columns)};
    if (cross.u.empty()) return full;
    return truncated(full, tolerance);
}

}  // namespace clangor::bem
