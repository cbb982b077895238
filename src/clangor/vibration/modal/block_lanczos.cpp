#include <clangor/vibration/modal/block_lanczos.hpp>

#include <Eigen/Eigenvalues>

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

namespace clangor {
namespace {

// A ← A C in place, for the leading columns of A
void multiply_in_place(Eigen::MatrixXd& a, long columns, const Eigen::MatrixXd& C) {
    for_chunks(a.rows(), [&](long, long first, long count) {
        const Eigen::MatrixXd product = a.block(first, 0, count, columns) * C;
        a.block(first, 0, count, C.cols()) = product;
    });
}

// A ← A C for blocks
void multiply_in_place(RowBlock& a, const Eigen::MatrixXd& C) {
    for_chunks(a.rows(), [&](long, long first, long count) {
        const RowBlock product = a.middleRows(first, count) * C;
        a.middleRows(first, count) = product;
    });
}

// WᵀMW
Eigen::MatrixXd gram(const RowBlock& W, const RowBlock& MW) {
    std::vector<Eigen::MatrixXd> parts(chunks_of(W.rows()));
    for_chunks(W.rows(), [&](long c, long first, long count) {
        parts[c].noalias() = W.middleRows(first, count).transpose() * MW.middleRows(first, count);
    });
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(W.cols(), W.cols());
    for (const Eigen::MatrixXd& part : parts) sum += part;
    return sum;
}

// One pass of W = Q S with QᵀMQ = I, from the eigenvectors of WᵀMW; MW becomes MQ. Directions that vanish against the
// largest are replaced by random ones, with a zero row in S.
Eigen::MatrixXd normalize(const SparseMatrix& M, RowBlock& W, RowBlock& MW, std::mt19937_64& random) {
    const Eigen::MatrixXd G = gram(W, MW);
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eig(G);
    const long p = W.cols();
    const double largest = eig.eigenvalues()[p - 1];
    Eigen::VectorXd scale(p), inverse(p);
    for (long i = 0; i < p; ++i) {
        const double g = eig.eigenvalues()[i];
        const bool vanishes = !(g > 1e-26 * largest) || !(g > 0);
        scale[i] = vanishes ? 0 : std::sqrt(g);
        inverse[i] = vanishes ? 0 : 1 / std::sqrt(g);
    }
    const Eigen::MatrixXd C = eig.eigenvectors() * inverse.asDiagonal();
    multiply_in_place(W, C);
    for (long i = 0; i < p; ++i)
        if (scale[i] == 0)
            for (long r = 0; r < W.rows(); ++r) W(r, i) = double(random() >> 11) * 0x1p-53 - 0.5;
    MW = multiply(M, W);
    return scale.asDiagonal() * eig.eigenvectors().transpose();
}

// W = V H + Q S with Q M-orthonormal and M-orthogonal to `locked` and to the first columns of V. W becomes Q.
struct Orthogonalization {
    Eigen::MatrixXd H, S;
    RowBlock MQ = {};
};

// Only columns from `recent` on have large components of W (the three-term recurrence): the first pass sees to those,
// the later ones, which take away rounding errors, to all.
Orthogonalization orthogonalize(RowBlock& W, const SparseMatrix& M, const Eigen::MatrixXd& locked,
                                const Eigen::MatrixXd& V, long m, long recent, std::mt19937_64& random) {
    const long p = W.cols();
    Orthogonalization result{Eigen::MatrixXd::Zero(m, p), Eigen::MatrixXd::Identity(p, p), multiply(M, W)};
    RowBlock& MW = result.MQ;
    // "Twice is enough", unless the block was so close to dependent that the second pass still changed lengths.
    for (int pass = 0; pass < 4; ++pass) {
        if (locked.cols() > 0) subtract_product(W, locked, inner_products(locked, MW));
        if (m > 0) {
            const long from = pass == 0 ? recent : 0;
            const Eigen::MatrixXd H = inner_products(V.middleCols(from, m - from), MW);
            subtract_product(W, V.middleCols(from, m - from), H);
            result.H.bottomRows(m - from) += H * result.S;
        }
        MW = multiply(M, W);
        const Eigen::MatrixXd S = normalize(M, W, MW, random);
        result.S = S * result.S;
        const Eigen::VectorXd lengths = S.rowwise().norm();
        if (pass > 0 && lengths.minCoeff() > 0.99 && lengths.maxCoeff() < 1.01) break;
    }
    return result;
}

// The Ritz values of T in the order in which they are wanted: the nearest to the shift on each side first.
struct Selection {
    std::vector<long> right, left;                 // indices, nearest first
    long converged_right = 0, converged_left = 0;  // leading ones that have converged
};

Selection select(const Eigen::VectorXd& theta, const Eigen::VectorXd& error, double tolerance) {
    Selection s;
    for (long i = theta.size() - 1; i >= 0; --i)
        if (theta[i] > 0) s.right.push_back(i);
    for (long i = 0; i < theta.size(); ++i)
        if (theta[i] < 0) s.left.push_back(i);
    const auto leading = [&](const std::vector<long>& side) {
        const auto stop = std::find_if(side.begin(), side.end(), [&](long i) { return !(error[i] <= tolerance); });
        return long(stop - side.begin());
    };
    s.converged_right = leading(s.right);
    s.converged_left = leading(s.left);
    return s;
}

// What is kept at a restart: the wanted ones and half as many again of the next best, so that they go on converging.
std::vector<long> kept_at_restart(const Selection& s, const Eigen::VectorXd& theta, const LanczosOptions& wanted,
                                  long keep) {
    std::vector<long> kept(s.right.begin(), s.right.begin() + std::min<long>(wanted.right, long(s.right.size())));
    kept.insert(kept.end(), s.left.begin(), s.left.begin() + std::min<long>(wanted.left, long(s.left.size())));
    std::vector<long> others;
    if (wanted.right < long(s.right.size())) others.insert(others.end(), s.right.begin() + wanted.right, s.right.end());
    if (wanted.left < long(s.left.size())) others.insert(others.end(), s.left.begin() + wanted.left, s.left.end());
    std::stable_sort(others.begin(), others.end(),
                     [&](long a, long b) { return std::abs(theta[a]) > std::abs(theta[b]); });
    for (size_t i = 0; i < others.size() && long(kept.size()) < keep; ++i) kept.push_back(others[i]);
    return kept;
}

Eigen::MatrixXd columns(const Eigen::MatrixXd& Y, const std::vector<long>& which) {
    Eigen::MatrixXd result(Y.rows(), long(which.size()));
    for (size_t i = 0; i < which.size(); ++i) result.col(long(i)) = Y.col(which[i]);
    return result;
}

}  // namespace

namespace {

// Rows [first, first + count) of M X for X of P columns: with P known, a row of sums stays in registers.
template <int P>
void multiply_rows(const SparseMatrix& M, const RowBlock& X, long first, long count, RowBlock& Y) {
    using Row = Eigen::Array<double, 1, P>;
    for (long j = first; j < first + count; ++j) {  // column j is row j
        Row sum = Row::Zero(1, X.cols());
        for (SparseMatrix::InnerIterator it(M, int(j)); it; ++it)
            sum += it.value() * Eigen::Map<const Row>(X.row(it.row()).data(), 1, X.cols());
        Y.row(j) = sum.matrix();
    }
}

}  // namespace

RowBlock multiply(const SparseMatrix& M, const RowBlock& X) {
    RowBlock Y(X.rows(), X.cols());
    for_chunks(X.rows(), [&](long, long first, long count) {
        if (X.cols() == 16)
            multiply_rows<16>(M, X, first, count, Y);
        else
            multiply_rows<Eigen::Dynamic>(M, X, first, count, Y);
    });
    return Y;
}

Eigen::MatrixXd orthonormalized(const Eigen::MatrixXd& W, const SparseMatrix& M) {
    if (W.cols() == 0) return W;
    std::mt19937_64 random(1);
    RowBlock Q = W;
    orthogonalize(Q, M, Eigen::MatrixXd(), Eigen::MatrixXd(), 0, 0, random);
    return Q;
}

RitzPairs block_lanczos(const ShiftedFactor& factor, const SparseMatrix& M, const Eigen::MatrixXd& locked,
                        const LanczosOptions& options, const Progress& progress) {
    const long n = M.cols(), p = options.block;
    const long wanted = options.left + options.right;
    const long capacity = std::max(2 * wanted, wanted + 6 * p) + 2 * p;
    CLANGOR_ASSERT(capacity <= n - locked.cols(), "small bodies are solved densely");
    Eigen::MatrixXd V(n, capacity);
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(capacity, capacity);
    std::mt19937_64 random(20);

    RitzPairs result;
    RowBlock W(n, p);
    for (long i = 0; i < n; ++i)
        for (long j = 0; j < p; ++j) W(i, j) = double(random() >> 11) * 0x1p-53 - 0.5;
    RowBlock MW = orthogonalize(W, M, locked, V, 0, 0, random).MQ;
    long m = 0, restarted_at = 0;  // columns of V, and how many of them the last restart left
    long next_look = wanted + p;
    for (int restart = 0; restart <= options.max_restarts;) {
        V.middleCols(m, p) = W;
        m += p;
        W = std::move(MW);
        factor.solve(W);
        result.solves += p;
        const long recent = m - p > restarted_at ? m - 2 * p : 0;
        Orthogonalization step = orthogonalize(W, M, locked, V, m, recent, random);
        MW = std::move(step.MQ);
        T.block(0, m - p, m, p) = step.H;
        T.block(m - p, 0, p, m) = step.H.transpose();
        const bool full = m + p > capacity;
        if (!full && m < next_look) continue;
        next_look = m + std::max(p, wanted / 6);  // looking costs O(m³)

        const Eigen::MatrixXd projected = 0.5 * (T.topLeftCorner(m, m) + T.topLeftCorner(m, m).transpose());
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eig(projected);
        const Eigen::VectorXd& theta = eig.eigenvalues();
        const Eigen::MatrixXd coupling = step.S * eig.eigenvectors().bottomRows(p);
        const Eigen::VectorXd error = coupling.colwise().norm().transpose().array() / theta.array().abs();
        const Selection selection = select(theta, error, options.tolerance);
        const long done =
            std::min(selection.converged_right, options.right) + std::min(selection.converged_left, options.left);
        progress("modes", double(done) / double(std::max(1L, wanted)));
        if (done == wanted) {
            std::vector<long> chosen(selection.right.begin(), selection.right.begin() + selection.converged_right);
            chosen.insert(chosen.end(), selection.left.begin(),
                          selection.left.begin() + std::min(selection.converged_left, options.left));
            std::sort(chosen.begin(), chosen.end(), [&](long a, long b) { return 1 / theta[a] < 1 / theta[b]; });
            // One step of inverse iteration comes free with the last block: u = OP(V y)/θ = V y + W S y_last/θ. It
            // keeps the residual in K, M from being amplified by the highest frequencies of the mesh.
            const Eigen::VectorXd chosen_theta = columns(theta.transpose(), chosen).row(0).transpose();
            multiply_in_place(V, m, columns(eig.eigenvectors(), chosen));
            V.conservativeResize(Eigen::NoChange, long(chosen.size()));
            const Eigen::MatrixXd correction = columns(coupling, chosen) * chosen_theta.cwiseInverse().asDiagonal();
            for_chunks(n, [&](long, long first, long count) {
                V.middleRows(first, count).noalias() += W.middleRows(first, count) * correction;
            });
            result.lambda = factor.sigma() + chosen_theta.array().inverse();
            result.vectors = std::move(V);
            result.left = (chosen_theta.array() < 0).count();
            result.converged = true;
            return result;
        }
        if (!full) continue;
        // Thick restart: the kept Ritz vectors, coupled to the next block through `coupling`, replace the basis. T's
        // new rows and columns come from the next step's H, which is computed against all of V.
        const long keep = std::min(capacity - 2 * p, wanted + (capacity - wanted) / 2);
        const std::vector<long> kept = kept_at_restart(selection, theta, options, keep);
        multiply_in_place(V, m, columns(eig.eigenvectors(), kept));
        m = restarted_at = long(kept.size());
        T.setZero();
        for (long i = 0; i < m; ++i) T(i, i) = theta[kept[i]];
        ++restart;
    }
    return result;
}

}  // namespace clangor
