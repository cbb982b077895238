// Symmetric matrices whose blocks reach no farther than two blocks from the diagonal, factorised in place. Internal to
// rod.
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/vibration/rod/band_solution.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace clangor::rods {

/// A⁻¹ of a symmetric block of which the lower triangle is given, by Gauss and Jordan without pivots: a[c][r], r ≥ c.
template <int B>
void invert(double (&a)[B][B]) {
    for (int c = 0; c < B; ++c)
        for (int r = 0; r < c; ++r) a[c][r] = a[r][c];
    for (int k = 0; k < B; ++k) {
        const double inverse = 1 / a[k][k];
        double row[B];
        for (int r = 0; r < B; ++r) row[r] = a[k][r] * inverse;
        for (int c = 0; c < B; ++c) {
            const double by = a[c][k];
            for (int r = 0; r < B; ++r) a[c][r] -= by * row[r];
            a[c][k] = -by * inverse;
        }
        for (int r = 0; r < B; ++r) a[k][r] = row[r];
        a[k][k] = inverse;
    }
}

/// The same by halves, which takes two divisions one after the other instead of four.
inline void invert(double (&a)[4][4]) {
    const double p = a[0][0], q = a[0][1], r = a[1][1];
    const double over = 1 / (p * r - q * q);
    const double i00 = r * over, i01 = -q * over, i11 = p * over;
    double b[2][2], s[3];  // of the upper half with each of the lower rows: what its inverse makes of it
    for (int k = 0; k < 2; ++k) {
        b[0][k] = i00 * a[0][2 + k] + i01 * a[1][2 + k];
        b[1][k] = i01 * a[0][2 + k] + i11 * a[1][2 + k];
    }
    s[0] = a[2][2] - (a[0][2] * b[0][0] + a[1][2] * b[1][0]);
    s[1] = a[2][3] - (a[0][2] * b[0][1] + a[1][2] * b[1][1]);
    s[2] = a[3][3] - (a[0][3] * b[0][1] + a[1][3] * b[1][1]);
    const double last = 1 / (s[0] * s[2] - s[1] * s[1]);
    const double j00 = s[2] * last, j01 = -s[1] * last, j11 = s[0] * last;
    double c[2][2];  // −(lower inverse)·bᵀ: rows of the lower half, columns of the upper
    for (int k = 0; k < 2; ++k) {
        c[0][k] = -(j00 * b[k][0] + j01 * b[k][1]);
        c[1][k] = -(j01 * b[k][0] + j11 * b[k][1]);
    }
    a[0][0] = i00 - (b[0][0] * c[0][0] + b[0][1] * c[1][0]);
    a[1][0] = a[0][1] = i01 - (b[1][0] * c[0][0] + b[1][1] * c[1][0]);
    a[1][1] = i11 - (b[1][0] * c[0][1] + b[1][1] * c[1][1]);
    for (int k = 0; k < 2; ++k) {
        a[k][2] = a[2][k] = c[0][k];
        a[k][3] = a[3][k] = c[1][k];
    }
    a[2][2] = j00, a[2][3] = a[3][2] = j01, a[3][3] = j11;
}

/// A = 𝓛𝓓𝓛ᵀ by blocks of B×B, without pivots: for matrices that are positive definite, or nearly so. Of each block of
/// columns the lower triangle is kept, 3B rows one after the other, so that one block of 4 is 48 numbers in a row. One
/// block before the first and two behind the last take what belongs to no row.
template <int B>
class BandMatrix {
public:
    static constexpr int rows = 3 * B, block_size = rows * B;

    explicit BandMatrix(long blocks)
        : blocks_(blocks),
          data_(std::size_t((blocks + 3) * block_size)),
          across_(std::size_t(blocks * 2 * B * B + 16)),
          rounded_(std::size_t(blocks * block_size + 16)),
          rounded_across_(across_.size()) {}

    void set_zero() { std::fill(data_.begin(), data_.end(), 0.0); }
    long blocks() const { return blocks_; }
    double* data() { return data_.data(); }

    /// Where the entry of those rows, of which the second is not after the first and not before row −B, is in data().
    static long index(long row, long column) {
        const long block = (column + B) / B;
        return block * block_size + (column + B - block * B) * rows + (row + B - block * B);
    }
    double& at(long row, long column) { return data_[std::size_t(index(row, column))]; }

    /// False where the result is no number.
    bool factorize();

    /// A⁻¹x in place.
    void solve(double* x) const { solve(x, 0, blocks_); }

    /// Likewise where only the rows of blocks from `first` to below `last` are wanted, x is zero before the first of
    /// them, and what is behind the last of them has nothing to say. x begins with the first.
    void solve(double* x, long first, long last) const {
        Neighbours none{};
        solve_forward<B>(data_.data() + (first + 1) * block_size, x, last - first, none);
        none = {};
        solve_backward<B>(across_.data() + first * 2 * B * B, x, last - first, none);
    }

    /// Likewise to six digits or so, with half of the numbers to read, and in parts: forward from the first block on,
    /// then backward from the last.
    void forward(double* x, long first, long last, Neighbours& neighbours) const {
        solve_forward<B>(rounded_.data() + first * block_size, x, last - first, neighbours);
    }
    void backward(double* x, long first, long last, Neighbours& neighbours) const {
        solve_backward<B>(rounded_across_.data() + first * 2 * B * B, x, last - first, neighbours);
    }

    using Block = Eigen::Matrix<double, B, B>;
    using Pair = Eigen::Matrix<double, 2 * B, 2 * B>;

    /// Of A⁻¹, the blocks on the diagonal.
    std::vector<Block> inverse_blocks() const;

    /// Likewise of each block and the one behind it, which is zero behind the last.
    std::vector<Pair> inverse_pairs() const;

private:
    long blocks_;
    std::vector<double> data_;    // then of each block S = A₁₁⁻¹ and P = A₂₁S, two blocks high
    std::vector<double> across_;  // and P row by row
    std::vector<float> rounded_, rounded_across_;  // the same
};

template <int B>
bool BandMatrix<B>::factorize() {
    double check = 0;
    for (long b = 0; b < blocks_; ++b) {
        double(*A)[rows] = reinterpret_cast<double(*)[rows]>(data_.data() + (b + 1) * block_size);
        double(*next)[rows] = A + B;
        double(*second)[rows] = A + 2 * B;
        double(*turned)[B] = reinterpret_cast<double(*)[B]>(across_.data() + b * 2 * B * B);
        double S[B][B], U[B][2 * B], P[B][2 * B];
        for (int c = 0; c < B; ++c)
            for (int r = c; r < B; ++r) S[c][r] = A[c][r];
        for (int c = 0; c < B; ++c)
            for (int r = 0; r < 2 * B; ++r) U[c][r] = A[c][B + r];
        invert(S);
        for (int c = 0; c < B; ++c)
            for (int r = 0; r < 2 * B; ++r) {
                double sum = 0;
                for (int k = 0; k < B; ++k) sum += S[c][k] * U[k][r];
                P[c][r] = sum;
            }
        for (int k = 0; k < B; ++k)
            for (int r = 0; r < 2 * B; ++r) {
                double sum = next[k][r];
                for (int c = 0; c < B; ++c) sum -= U[c][k] * P[c][r];
                next[k][r] = sum;
            }
        for (int k = 0; k < B; ++k)
            for (int r = 0; r < B; ++r) {
                double sum = second[k][r];
                for (int c = 0; c < B; ++c) sum -= U[c][B + k] * P[c][B + r];
                second[k][r] = sum;
            }
        for (int c = 0; c < B; ++c) {
            for (int r = 0; r < B; ++r) A[c][r] = S[c][r];
            for (int r = 0; r < 2 * B; ++r) A[c][B + r] = turned[r][c] = P[c][r];
            check += S[c][c] * 0;
        }
        const double *const columns = data_.data() + (b + 1) * block_size, *const by_rows = turned[0];
        std::copy(columns, columns + block_size, rounded_.data() + b * block_size);
        std::copy(by_rows, by_rows + 2 * B * B, rounded_across_.data() + b * 2 * B * B);
    }
    return check == 0;
}

template <int B>
std::vector<typename BandMatrix<B>::Block> BandMatrix<B>::inverse_blocks() const {
    std::vector<Block> found;
    for (const Pair& pair : inverse_pairs()) found.push_back(pair.template topLeftCorner<B, B>());
    return found;
}

// With Z = A⁻¹ of the two blocks behind, Z₂₁ = −Z₂₂P and Z₁₁ = S − PᵀZ₂₁.
template <int B>
std::vector<typename BandMatrix<B>::Pair> BandMatrix<B>::inverse_pairs() const {
    std::vector<Pair> found(std::size_t(blocks_), Pair::Zero());
    Pair behind = Pair::Zero();
    for (long b = blocks_ - 1; b >= 0; --b) {
        const Eigen::Map<const Eigen::Matrix<double, 2 * B, B, Eigen::RowMajor>> P(across_.data() + b * 2 * B * B);
        const Eigen::Map<const Eigen::Matrix<double, rows, B>> columns(data_.data() + (b + 1) * block_size);
        const Eigen::Matrix<double, 2 * B, B> below = -(behind * P);
        // Exactly symmetric: what is not grows from block to block.
        Block here = columns.template topRows<B>() - P.transpose() * below;
        here = (0.5 * (here + here.transpose())).eval();
        const Block next = behind.template topLeftCorner<B, B>();
        behind << here, below.template topRows<B>().transpose(), below.template topRows<B>(), next;
        found[std::size_t(b)] = behind;
    }
    return found;
}

}  // namespace clangor::rods
