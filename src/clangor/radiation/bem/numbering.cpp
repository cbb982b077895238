#include <clangor/radiation/bem/numbering.hpp>

#include <algorithm>
#include <limits>

namespace clangor::bem {
namespace {

constexpr int leaf_size = 64;

}  // namespace

Numbering numbering_of(const Surface& surface, const SoundingFaces& sounding) {
    std::vector<bool> used(surface.vertices.rows(), false);
    for (const int f : sounding.faces)
        for (int i = 0; i < 3; ++i) used[surface.faces(f, i)] = true;
    std::vector<int> vertices;
    std::vector<Vec3> places;
    for (int v = 0; v < surface.vertices.rows(); ++v)
        if (used[v] && !sounding.on_rim[v]) {
            vertices.push_back(v);
            places.push_back(surface.vertices.row(v));
        }
    if (vertices.empty())
        throw Error("every vertex of the sheet lies on its rim, where the pressure jump is zero. Use shorter edges");
    Numbering out{cluster_tree(places, leaf_size), std::vector<int>(used.size(), -1),
                  static_cast<int>(vertices.size())};
    for (std::size_t i = 0; i < vertices.size(); ++i) out.node_of[vertices[out.tree.order[i]]] = static_cast<int>(i);
    return out;
}

void widen_to_elements(ClusterTree& tree, const Elements& elements, const std::vector<std::vector<int>>& at_node) {
    std::vector<Cluster> of_point;
    for (const std::vector<int>& around : at_node) {
        Cluster box{.low = Vec3::Constant(std::numeric_limits<double>::infinity()),
                    .high = Vec3::Constant(-std::numeric_limits<double>::infinity())};
        for (const int e : around) {
            const Element& element = elements.all[e];
            for (const Vec3& corner : element.corners) {
                box.low = box.low.cwiseMin(corner);
                box.high = box.high.cwiseMax(corner);
            }
            box.reach = std::max(box.reach, element.diameter);
        }
        of_point.push_back(box);
    }
    for (Cluster& cluster : tree.clusters) {
        cluster.low -= elements.origin;
        cluster.high -= elements.origin;
    }
    widen(tree, of_point);
}

}  // namespace clangor::bem
