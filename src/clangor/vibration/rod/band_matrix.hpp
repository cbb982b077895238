// Symmetric matrices whose blocks reach no farther than two blocks from the diagonal, factorised in place. Internal to
// rod.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace clangor::rods {

/// Lower triangle, LDLᵀ without pivots: for matrices that are positive definite, or nearly so. B×B blocks; of each
/// block of columns, 3B rows stand one after the other, so that one block of 4 is 48 numbers in a row. One block before
/// the first and two behind the last take what belongs to no row.
template <int B>
class BandMatrix {
public:
    static constexpr int rows = 3 * B, block_size = rows * B;

    explicit BandMatrix(long blocks) : blocks_(blocks), data_(std::size_t((blocks + 3) * block_size)) {}

    void set_zero() { std::fill(data_.begin(), data_.end(), 0.0); }
    long blocks() const { return blocks_; }
    double* data() { return data_.data(); }

    /// Where the entry of those rows, of which the second is not after the first and not before row −B, is in data().
    static long index(long row, long column) {
        const long block = (column + B) / B;
        return block * block_size + (column + B - block * B) * rows + (row + B - block * B);
    }
    double& at(long row, long column) { return data_[std::size_t(index(row, column))]; }

    /// False where a pivot is zero or no number.
    bool factorize();

    /// A⁻¹x in place; x has room for two blocks more, which are zero then.
    void solve(double* x) const;

private:
    long blocks_;
    std::vector<double> data_;
};

template <int B>
bool BandMatrix<B>::factorize() {
    bool good = true;
    for (long b = 1; b <= blocks_; ++b) {
        double(*A)[rows] = reinterpret_cast<double(*)[rows]>(data_.data() + b * block_size);
        double(*next)[rows] = A + B;
        double(*second)[rows] = A + 2 * B;
        double U[B][rows], L[B][rows];
        for (int c = 0; c < B; ++c)
            for (int r = 0; r < rows; ++r) U[c][r] = A[c][r];
        for (int c = 0; c < B; ++c) {
            const double inverse = 1 / U[c][c];
            good = good && inverse * inverse < 1e300 && inverse != 0;
            for (int r = 0; r < rows; ++r) L[c][r] = U[c][r] * inverse;
            for (int k = c + 1; k < B; ++k)
                for (int r = 0; r < rows; ++r) U[k][r] -= U[c][k] * L[c][r];
            L[c][c] = inverse;
        }
        for (int k = 0; k < B; ++k) {
            double sum[2 * B];
            for (int r = 0; r < 2 * B; ++r) sum[r] = next[k][r];
            for (int c = 0; c < B; ++c)
                for (int r = 0; r < 2 * B; ++r) sum[r] -= U[c][B + k] * L[c][B + r];
            for (int r = 0; r < 2 * B; ++r) next[k][r] = sum[r];
        }
        for (int k = 0; k < B; ++k) {
            double sum[B];
            for (int r = 0; r < B; ++r) sum[r] = second[k][r];
            for (int c = 0; c < B; ++c)
                for (int r = 0; r < B; ++r) sum[r] -= U[c][2 * B + k] * L[c][2 * B + r];
            for (int r = 0; r < B; ++r) second[k][r] = sum[r];
        }
        for (int c = 0; c < B; ++c)
            for (int r = 0; r < rows; ++r) A[c][r] = L[c][r];
    }
    return good;
}

template <int B>
void BandMatrix<B>::solve(double* x) const {
    for (long b = 0; b < blocks_; ++b, x += B) {
        const double(*L)[rows] = reinterpret_cast<const double(*)[rows]>(data_.data() + (b + 1) * block_size);
        double y[rows];
        for (int r = 0; r < rows; ++r) y[r] = x[r];
        for (int c = 0; c < B; ++c)
            for (int r = c + 1; r < rows; ++r) y[r] -= L[c][r] * y[c];
        for (int r = 0; r < rows; ++r) x[r] = y[r];
    }
    for (int r = 0; r < 2 * B; ++r) x[r] = 0;
    for (long b = blocks_ - 1; b >= 0; --b) {
        x -= B;
        const double(*L)[rows] = reinterpret_cast<const double(*)[rows]>(data_.data() + (b + 1) * block_size);
        for (int c = B - 1; c >= 0; --c) {
            double sum = x[c] * L[c][c];
            for (int r = c + 1; r < rows; ++r) sum -= L[c][r] * x[r];
            x[c] = sum;
        }
    }
}

}  // namespace clangor::rods
