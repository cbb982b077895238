#include <clangor/radiation/bem/cluster_tree.hpp>

#include <algorithm>
#include <numeric>

namespace clangor::bem {
namespace {

void fit_box(Cluster& cluster, const std::vector<Vec3>& points, const std::vector<int>& order) {
    cluster.low = cluster.high = points[order[cluster.begin]];
    for (int i = cluster.begin; i < cluster.end; ++i) {
        const Vec3& p = points[order[i]];
        cluster.low = cluster.low.cwiseMin(p);
        cluster.high = cluster.high.cwiseMax(p);
    }
}

}  // namespace

ClusterTree cluster_tree(const std::vector<Vec3>& points, int leaf_size) {
    ClusterTree tree;
    tree.order.resize(points.size());
    std::iota(tree.order.begin(), tree.order.end(), 0);
    tree.clusters.push_back({.begin = 0, .end = static_cast<int>(points.size())});
    for (std::size_t at = 0; at < tree.clusters.size(); ++at) {
        fit_box(tree.clusters[at], points, tree.order);
        const Cluster cluster = tree.clusters[at];
        if (cluster.size() <= leaf_size) continue;
        int axis = 0;
        (cluster.high - cluster.low).maxCoeff(&axis);
        const int middle = cluster.begin + cluster.size() / 2;
        // Ties are cut by index, so that the order is the same with every standard library.
        const auto lies_before = [&](int a, int b) {
            const double pa = points[a][axis], pb = points[b][axis];
            return pa != pb ? pa < pb : a < b;
        };
        std::sort(tree.order.begin() + cluster.begin, tree.order.begin() + cluster.end, lies_before);
        tree.clusters[at].left = static_cast<int>(tree.clusters.size());
        tree.clusters.push_back({.begin = cluster.begin, .end = middle});
        tree.clusters[at].right = static_cast<int>(tree.clusters.size());
        tree.clusters.push_back({.begin = middle, .end = cluster.end});
    }
    return tree;
}

void widen(ClusterTree& tree, const std::vector<Cluster>& of_point) {
    for (Cluster& cluster : tree.clusters)
        for (int i = cluster.begin; i < cluster.end; ++i) {
            const Cluster& point = of_point[i];
            cluster.low = cluster.low.cwiseMin(point.low);
            cluster.high = cluster.high.cwiseMax(point.high);
            cluster.reach = std::max(cluster.reach, point.reach);
        }
}

double distance(const Cluster& a, const Cluster& b) {
    return (a.low - b.high).cwiseMax(b.low - a.high).cwiseMax(0.0).norm();
}

}  // namespace clangor::bem
