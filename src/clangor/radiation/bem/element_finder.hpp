// Which elements are close to a point or to an element.
#pragma once

#include <clangor/radiation/bem/cluster_tree.hpp>
#include <clangor/radiation/bem/elements.hpp>

namespace clangor::bem {

/// An element is close if its centroid is nearer than far_ratio diameters, of itself or of what asks.
class ElementFinder {
public:
    explicit ElementFinder(const Elements& elements);
    /// Ascending. Lives no longer than the elements.
    std::vector<int> close_to(const Vec3& point, double diameter) const;

private:
    const Elements& elements_;
    ClusterTree tree_;
};

/// For each element those that are close to it, itself included, ascending.
std::vector<std::vector<int>> close_lists(const Elements& elements);

}  // namespace clangor::bem
