// A binary tree of neighbouring points, and which pairs of its branches see each other from afar.
#pragma once

#include <clangor/core/core.hpp>

#include <vector>

namespace clangor::bem {

/// The points [begin, end) in the tree's order. A leaf has no children (−1).
struct Cluster {
    int begin = 0, end = 0;
    int left = -1, right = -1;
    Vec3 low = Vec3::Zero(), high = Vec3::Zero();  ///< box around everything that belongs to its points [m]
    double reach = 0;                              ///< diameter of the largest element that belongs to them [m]

    int size() const { return end - begin; }
    bool is_leaf() const { return left < 0; }
    double diameter() const { return (high - low).norm(); }
};

/// clusters[0] is the root; children follow their parents. order[i] is the point at place i.
struct ClusterTree {
    std::vector<Cluster> clusters;
    std::vector<int> order;

    const Cluster& root() const { return clusters[0]; }
};

/// Cut in halves across the longest side, down to leaf_size points. Boxes span the points; `widen` takes in what hangs
/// on them.
ClusterTree cluster_tree(const std::vector<Vec3>& points, int leaf_size);

/// Lets the boxes hold for each point in addition its own box and reach, given in the tree's order.
void widen(ClusterTree& tree, const std::vector<Cluster>& of_point);

double distance(const Cluster& a, const Cluster& b);  ///< of the boxes [m]

}  // namespace clangor::bem
