// The system matrix in blocks: all of them dense, or the far ones as thin products.
#pragma once

#include <clangor/radiation/bem/close_part.hpp>
#include <clangor/radiation/bem/cluster_tree.hpp>
#include <clangor/radiation/bem/low_rank.hpp>

#include <vector>

namespace clangor::bem {

/// What the blocks are made from. References must outlive the making.
struct BlockSources {
    const Elements& elements;
    const std::vector<std::vector<int>>& at_node;
    const std::vector<std::vector<int>>& close;
    const CloseMatrix& close_matrix;
    const Equation& equation;
    const ClusterTree& tree;  ///< of the unknowns, which are numbered in its order
};

/// Rows [row, row + rows) of a block; either dense, or U Vᵀ.
struct OperatorBlock {
    int row = 0, rows = 0, column = 0, columns = 0;
    BlockMatrix dense;
    LowRank thin;

    bool is_dense() const { return dense.size() > 0; }
    std::size_t bytes() const { return sizeof(std::complex<float>) * (dense.size() + thin.U.size() + thin.V.size()); }
};

/// y = A x, with the same bits whatever the number of threads: each leaf of the tree sums its own rows in a fixed
/// order.
class BlockOperator {
public:
    /// tolerance: of far blocks, relative to each; 0: all blocks are dense. Throws Error (Blame::Work) once it needs
    /// more than memory_limit bytes.
    BlockOperator(const BlockSources& sources, double tolerance, std::size_t memory_limit, const Progress& progress);

    Eigen::VectorXcf operator*(const Eigen::VectorXcf& x) const;
    Eigen::MatrixXcf to_dense() const;
    BlockMatrix diagonal_block(int begin, int end) const;  ///< of one leaf
    const std::vector<Cluster>& leaves() const { return leaves_; }
    std::size_t bytes() const { return bytes_; }

private:
    int unknowns_ = 0;
    std::size_t bytes_ = 0;
    std::vector<OperatorBlock> blocks_;
    std::vector<Cluster> leaves_;
    std::vector<std::vector<int>> blocks_of_leaf_;
};

}  // namespace clangor::bem
