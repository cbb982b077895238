// A general matrix product would copy both factors into its own layout first, which takes as long as using them: each
// number of A is used sixteen times, and each of the block comes from a cache. These loops read both in place, tile by
// tile, eight columns of A by sixteen of the block in registers.
#include <clangor/vibration/modal/block_products.hpp>

#include <vector>

namespace clangor {
namespace {

typedef double Eight __attribute__((vector_size(64), aligned(8), may_alias));  // anywhere in memory
constexpr long block_columns = 16, columns_at_once = 8, tile_rows = 512;

// out (C × 16) += AᵀB
template <int C>
void add_products(const double* a, long stride, const double* b, long rows, double* out) {
    Eight low[C] = {}, high[C] = {};
    for (long r = 0; r < rows; ++r, ++a, b += block_columns) {
        const Eight x = *reinterpret_cast<const Eight*>(b), y = *reinterpret_cast<const Eight*>(b + 8);
        for (int c = 0; c < C; ++c) {
            low[c] += a[c * stride] * x;
            high[c] += a[c * stride] * y;
        }
    }
    for (int c = 0; c < C; ++c) {
        *reinterpret_cast<Eight*>(out + c * block_columns) += low[c];
        *reinterpret_cast<Eight*>(out + c * block_columns + 8) += high[c];
    }
}

// w (rows × 16) −= A S for C columns of A and rows of S
template <int C>
void subtract_products(const double* a, long stride, const double* s, long rows, double* w) {
    Eight low[C], high[C];
    for (int c = 0; c < C; ++c) {
        low[c] = *reinterpret_cast<const Eight*>(s + c * block_columns);
        high[c] = *reinterpret_cast<const Eight*>(s + c * block_columns + 8);
    }
    for (long r = 0; r < rows; ++r, ++a, w += block_columns) {
        Eight x = *reinterpret_cast<const Eight*>(w), y = *reinterpret_cast<const Eight*>(w + 8);
        for (int c = 0; c < C; ++c) {
            x -= a[c * stride] * low[c];
            y -= a[c * stride] * high[c];
        }
        *reinterpret_cast<Eight*>(w) = x;
        *reinterpret_cast<Eight*>(w + 8) = y;
    }
}

// Calls body(first column, columns, first row, rows) for all tiles of a chunk; columns are `columns_at_once` or 1.
template <class Body>
void for_tiles(long columns, long first, long count, const Body& body) {
    for (long r = first; r < first + count; r += tile_rows) {
        const long rows = std::min(tile_rows, first + count - r);
        long c = 0;
        for (; c + columns_at_once <= columns; c += columns_at_once) body(c, columns_at_once, r, rows);
        for (; c < columns; ++c) body(c, 1L, r, rows);
    }
}

}  // namespace

Eigen::MatrixXd inner_products(const Columns& a, const RowBlock& b) {
    std::vector<RowBlock> parts(chunks_of(b.rows()));
    for_chunks(b.rows(), [&](long chunk, long first, long count) {
        RowBlock& part = parts[chunk];
        if (b.cols() != block_columns) {
            part.noalias() = a.middleRows(first, count).transpose() * b.middleRows(first, count);
            return;
        }
        part = RowBlock::Zero(a.cols(), block_columns);
        for_tiles(a.cols(), first, count, [&](long c, long columns, long r, long rows) {
            const auto add = columns == columns_at_once ? add_products<columns_at_once> : add_products<1>;
            add(a.data() + r + c * a.outerStride(), a.outerStride(), &b(r, 0), rows, &part(c, 0));
        });
    });
    RowBlock sum = RowBlock::Zero(a.cols(), b.cols());
    for (const RowBlock& part : parts) sum += part;
    return sum;
}

void subtract_product(RowBlock& W, const Columns& a, const RowBlock& C) {
    for_chunks(W.rows(), [&](long, long first, long count) {
        if (W.cols() != block_columns) {
            W.middleRows(first, count).noalias() -= a.middleRows(first, count) * C;
            return;
        }
        for_tiles(a.cols(), first, count, [&](long c, long columns, long r, long rows) {
            const auto subtract =
                columns == columns_at_once ? subtract_products<columns_at_once> : subtract_products<1>;
            subtract(a.data() + r + c * a.outerStride(), a.outerStride(), &C(c, 0), rows, &W(r, 0));
        });
    });
}

}  // namespace clangor
