#include <clangor/radiation/bem/block_operator.hpp>
#include <clangor/radiation/bem/pair_integrals.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace clangor::bem {
namespace {

// Two clusters see each other from afar if the smaller one's box is not wider than this many times the gap. Wider
// allows larger blocks of higher rank; 3 took 15 % less memory than 2 on a sphere of 10 242 unknowns, and as long.
constexpr double admissible_ratio = 3.0;

struct BlockPlan {
    const Cluster* x;
    const Cluster* y;
    bool is_far;
};

// No pair of elements of the two is close, and the kernel between them is smooth.
bool is_far(const Cluster& x, const Cluster& y) {
    const double gap = distance(x, y);
    return gap > 0 && gap >= far_ratio * std::max(x.reach, y.reach) &&
           std::min(x.diameter(), y.diameter()) <= admissible_ratio * gap;
}

void plan_blocks(const ClusterTree& tree, const Cluster& x, const Cluster& y, std::vector<BlockPlan>& plans) {
    if (is_far(x, y)) return plans.push_back({&x, &y, true});
    if (x.is_leaf() && y.is_leaf()) return plans.push_back({&x, &y, false});
    const auto child = [&](int index) -> const Cluster& { return tree.clusters[index]; };
    // Both are split, unless one is a leaf.
    const std::vector<int> parts_x = x.is_leaf() ? std::vector{-1} : std::vector{x.left, x.right};
    const std::vector<int> parts_y = y.is_leaf() ? std::vector{-1} : std::vector{y.left, y.right};
    for (const int cx : parts_x)
        for (const int cy : parts_y) plan_blocks(tree, cx < 0 ? x : child(cx), cy < 0 ? y : child(cy), plans);
}

OperatorBlock make_block(const BlockSources& s, const BlockPlan& plan, double tolerance, const Patch* all) {
    const Cluster &cx = *plan.x, &cy = *plan.y;
    OperatorBlock block{
        .row = cx.begin, .rows = cx.size(), .column = cy.begin, .columns = cy.size(), .dense = {}, .thin = {}};
    const Patch x = patch_of(s.elements, s.at_node, cx.begin, cx.end);
    const Patch own_y = all ? Patch{} : patch_of(s.elements, s.at_node, cy.begin, cy.end);
    const Patch& y = all ? *all : own_y;
    if (plan.is_far) {
        const auto around = [&](int node) -> const std::vector<int>& { return s.at_node[node]; };
        const BlockEntries entries{.rows = cx.size(),
                                   .columns = cy.size(),
                                   .row =
                                       [&](long i) {
                                           const int node = cx.begin + static_cast<int>(i);
                                           return far_row(s.equation, s.elements, around(node), node, y);
                                       },
                                   .column =
                                       [&](long j) {
                                           const int node = cy.begin + static_cast<int>(j);
                                           return far_column(s.equation, s.elements, around(node), node, x);
                                       }};
        if (std::optional<LowRank> thin = low_rank(entries, tolerance)) {
            block.thin = std::move(*thin);
            return block;
        }
    }
    block.dense = far_block(s.equation, s.elements, x, y, s.close);
    s.close_matrix.add_to(block.dense, block.row, block.column);
    return block;
}

}  // namespace

BlockOperator::BlockOperator(const BlockSources& sources, double tolerance, std::size_t memory_limit,
                             const Progress& progress)
    : unknowns_(sources.elements.unknowns) {
    std::vector<BlockPlan> plans;
    for (const Cluster& cluster : sources.tree.clusters)
        if (cluster.is_leaf()) leaves_.push_back(cluster);
    if (tolerance > 0)
        plan_blocks(sources.tree, sources.tree.root(), sources.tree.root(), plans);
    else
        for (const Cluster& leaf : leaves_) plans.push_back({&leaf, &sources.tree.root(), false});
    const Patch all = tolerance > 0 ? Patch{} : patch_of(sources.elements, sources.at_node, 0, unknowns_);

    blocks_.resize(plans.size());
    constexpr std::size_t batches = 24;
    for (std::size_t b = 0; b < batches; ++b) {
        const std::size_t begin = plans.size() * b / batches, end = plans.size() * (b + 1) / batches;
        progress("matrix", static_cast<double>(b) / batches);
        if (begin == end) continue;
        parallel_for(static_cast<long>(end - begin), [&](long i) {
            const std::size_t at = begin + i;
            blocks_[at] = make_block(sources, plans[at], tolerance, tolerance > 0 ? nullptr : &all);
        });
        for (std::size_t at = begin; at < end; ++at) bytes_ += blocks_[at].bytes();
        if (bytes_ > memory_limit)
            throw Error(fmt::format("the boundary element matrix of {} unknowns needs more than the {:.0f} MB that "
                                    "may be used, at {:.0f} % of it. Use longer edges, or allow more memory",
                                    unknowns_, static_cast<double>(memory_limit) / 1e6,
                                    100.0 * static_cast<double>(b + 1) / batches),
                        Blame::Work);
    }
    blocks_of_leaf_.resize(leaves_.size());
    for (std::size_t l = 0; l < leaves_.size(); ++l)
        for (std::size_t b = 0; b < blocks_.size(); ++b)
            if (blocks_[b].row <= leaves_[l].begin && leaves_[l].end <= blocks_[b].row + blocks_[b].rows)
                blocks_of_leaf_[l].push_back(static_cast<int>(b));
}

Eigen::VectorXcf BlockOperator::operator*(const Eigen::VectorXcf& x) const {
    std::vector<Eigen::VectorXcf> inner(blocks_.size());  // Vᵀ x of thin blocks
    parallel_for(static_cast<long>(blocks_.size()), [&](long b) {
        const OperatorBlock& block = blocks_[b];
        if (!block.is_dense()) inner[b] = block.thin.V.transpose() * x.segment(block.column, block.columns);
    });
    Eigen::VectorXcf y = Eigen::VectorXcf::Zero(unknowns_);
    parallel_for(static_cast<long>(leaves_.size()), [&](long l) {
        const Cluster& leaf = leaves_[l];
        auto part = y.segment(leaf.begin, leaf.size());
        for (const int b : blocks_of_leaf_[l]) {
            const OperatorBlock& block = blocks_[b];
            const long from = leaf.begin - block.row;
            if (block.is_dense())
                part.noalias() += block.dense.middleRows(from, leaf.size()) * x.segment(block.column, block.columns);
            else
                part.noalias() += block.thin.U.middleRows(from, leaf.size()) * inner[b];
        }
    });
    return y;
}

Eigen::MatrixXcf BlockOperator::to_dense() const {
    Eigen::MatrixXcf matrix(unknowns_, unknowns_);
    for (const OperatorBlock& block : blocks_) {
        auto part = matrix.block(block.row, block.column, block.rows, block.columns);
        if (block.is_dense())
            part = block.dense;
        else
            part = block.thin.U * block.thin.V.transpose();
    }
    return matrix;
}

BlockMatrix BlockOperator::diagonal_block(int begin, int end) const {
    for (const OperatorBlock& block : blocks_)
        if (block.is_dense() && block.row == begin && block.rows == end - begin && block.column <= begin &&
            end <= block.column + block.columns)
            return block.dense.middleCols(begin - block.column, end - begin);
    throw Error("a leaf has no block on the diagonal", Blame::Work);
}

}  // namespace clangor::bem
