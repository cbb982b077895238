#include <clangor/radiation/bem/element_finder.hpp>
#include <clangor/radiation/bem/pair_integrals.hpp>

#include <algorithm>

namespace clangor::bem {
namespace {

std::vector<Vec3> centroids_of(const Elements& elements) {
    std::vector<Vec3> centroids;
    for (const Element& e : elements.all) centroids.push_back(e.centroid);
    return centroids;
}

}  // namespace

ElementFinder::ElementFinder(const Elements& elements)
    : elements_(elements), tree_(cluster_tree(centroids_of(elements), 16)) {
    std::vector<Cluster> of_point;
    for (const int e : tree_.order) {
        const Element& element = elements.all[e];
        of_point.push_back({.low = element.centroid, .high = element.centroid, .reach = element.diameter});
    }
    widen(tree_, of_point);
}

std::vector<int> ElementFinder::close_to(const Vec3& point, double diameter) const {
    std::vector<int> found;
    const Cluster at_point{.low = point, .high = point};
    std::vector<int> open = {0};
    while (!open.empty()) {
        const Cluster& cluster = tree_.clusters[open.back()];
        open.pop_back();
        if (distance(cluster, at_point) >= far_ratio * std::max(cluster.reach, diameter)) continue;
        if (!cluster.is_leaf()) {
            open.insert(open.end(), {cluster.left, cluster.right});
            continue;
        }
        for (int i = cluster.begin; i < cluster.end; ++i) {
            const int e = tree_.order[i];
            const Element& element = elements_.all[e];
            const double reach = far_ratio * std::max(element.diameter, diameter);
            if ((element.centroid - point).squaredNorm() < reach * reach) found.push_back(e);
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::vector<int>> close_lists(const Elements& elements) {
    const ElementFinder finder(elements);
    std::vector<std::vector<int>> close(elements.all.size());
    parallel_for(static_cast<long>(close.size()), [&](long e) {
        const Element& element = elements.all[e];
        close[e] = finder.close_to(element.centroid, element.diameter);
    });
    return close;
}

}  // namespace clangor::bem
