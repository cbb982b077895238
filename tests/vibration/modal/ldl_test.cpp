#include <clangor/vibration/modal/ldl.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace ldl_test {

using namespace clangor;

namespace {

// Seven-point Laplacian on a c×c×c grid: eigenvalues λ_i + λ_j + λ_k, λ_i = 2 − 2 cos(πi/(c+1)).
SparseMatrix grid_laplacian(int c) {
    std::vector<Eigen::Triplet<double>> entries;
    const auto id = [&](int i, int j, int k) { return (i * c + j) * c + k; };
    const auto join = [&](int a, int b) {
        entries.emplace_back(a, b, -1.0);
        entries.emplace_back(b, a, -1.0);
    };
    for (int i = 0; i < c; ++i)
        for (int j = 0; j < c; ++j)
            for (int k = 0; k < c; ++k) {
                entries.emplace_back(id(i, j, k), id(i, j, k), 6.0);
                if (i + 1 < c) join(id(i, j, k), id(i + 1, j, k));
                if (j + 1 < c) join(id(i, j, k), id(i, j + 1, k));
                if (k + 1 < c) join(id(i, j, k), id(i, j, k + 1));
            }
    SparseMatrix A(c * c * c, c * c * c);
    A.setFromTriplets(entries.begin(), entries.end());
    return A;
}

SparseMatrix identity(int n) {
    SparseMatrix I(n, n);
    I.setIdentity();
    return I;
}

}  // namespace

TEST_CASE("the number of negative pivots is the number of eigenvalues below the shift") {
    const int c = 16;
    const SparseMatrix A = grid_laplacian(c);
    ShiftedFactor factor(A, identity(c * c * c));
    for (const double sigma : {0.05, 1.0, 3.3, 6.01, 9.7, 11.99}) {
        long below = 0;
        const auto lambda = [&](int i) { return 2 - 2 * std::cos(pi * (i + 1) / (c + 1)); };
        for (int i = 0; i < c; ++i)
            for (int j = 0; j < c; ++j)
                for (int k = 0; k < c; ++k) below += lambda(i) + lambda(j) + lambda(k) < sigma;
        factor.factor(sigma);
        CHECK(factor.inertia() == below);
    }
}

TEST_CASE("solving undoes multiplying, for any number of right-hand sides, definite or not") {
    const SparseMatrix A = grid_laplacian(17), I = identity(17 * 17 * 17);
    ShiftedFactor factor(A, I);
    for (const double sigma : {-1.0, 5.43})
        for (const int sides : {1, 8, 13}) {
            factor.factor(sigma);
            const RowBlock X = RowBlock::Random(A.rows(), sides);
            RowBlock Y = A * X - sigma * X;
            factor.solve(Y);
            CHECK((Y - X).norm() / X.norm() < 1e-10);  // rounding times a condition number of about 1e3
        }
}

}  // namespace ldl_test
