// Products of tall matrices with blocks of vectors. Internal to modal.
//
// Sums over all rows are made chunk by chunk in a fixed order: the same bits for any number of threads.
#pragma once

#include <clangor/core/core.hpp>

#include <algorithm>

namespace clangor {

/// n×p blocks of vectors, row-major: solves gather and scatter whole rows.
using RowBlock = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// Calls body(chunk, first row, rows) for each chunk, in parallel.
constexpr long chunk_rows = 4096;
inline long chunks_of(long rows) { return (rows + chunk_rows - 1) / chunk_rows; }
template <class Body>
void for_chunks(long rows, const Body& body) {
    parallel_for(chunks_of(rows),
                 [&](long c) { body(c, c * chunk_rows, std::min(chunk_rows, rows - c * chunk_rows)); });
}

using Columns = Eigen::Ref<const Eigen::MatrixXd, 0, Eigen::OuterStride<>>;

/// AᵀB
Eigen::MatrixXd inner_products(const Columns& a, const RowBlock& b);

/// W ← W − A C
void subtract_product(RowBlock& W, const Columns& a, const RowBlock& C);

}  // namespace clangor
