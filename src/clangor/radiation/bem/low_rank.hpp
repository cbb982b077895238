// Far blocks of the matrix as products of thin ones.
#pragma once

#include <clangor/core/core.hpp>

#include <complex>
#include <functional>
#include <optional>

namespace clangor::bem {

/// A ≈ U Vᵀ.
struct LowRank {
    Eigen::MatrixXcf U, V;
};

/// Rows and columns of a block on demand.
struct BlockEntries {
    long rows = 0, columns = 0;
    std::function<Eigen::VectorXcf(long)> row, column;
};

/// Adaptive cross approximation with partial pivoting [Bebendorf2000], then truncated to the fewest terms whose error
/// is below tolerance·‖A‖ (Frobenius). Nothing if that would need more numbers than the block itself.
std::optional<LowRank> low_rank(const BlockEntries& block, double tolerance);

}  // namespace clangor::bem
