#include <clangor/geometry/edges.hpp>
#include <clangor/geometry/nesting.hpp>
#include <clangor/geometry/pieces.hpp>
#include <clangor/geometry/surface.hpp>

#include <algorithm>

namespace clangor {

Topology topology_of(const Surface& surface) {
    const int face_count = static_cast<int>(surface.faces.rows());
    const EdgeTable edges = edge_table(surface.faces, static_cast<int>(surface.vertices.rows()));
    const auto is_sound = [&](std::span<const EdgeUse> uses) {
        return uses.size() == 2 && !wound_alike(surface.faces, uses[0].corner, uses[1].corner);
    };

    Topology topology;
    FaceForest forest(face_count);
    for_each_edge(edges, [&](int low, std::span<const EdgeUse> uses) {
        for (const EdgeUse& use : uses.subspan(1)) forest.join(uses[0].corner / 3, use.corner / 3, false);
        if (uses.size() == 1) {
            ++topology.open_edges;
            if (topology.first_open_vertex < 0) topology.first_open_vertex = low;
        } else if (!is_sound(uses)) {
            ++topology.nonmanifold_edges;
        }
    });
    const Pieces pieces = pieces_of(forest, face_count);
    topology.pieces = topology.solids = pieces.count;
    if (pieces.count < 2) return topology;

    std::vector<char> closed(pieces.count, 1);
    for_each_edge(edges, [&](int, std::span<const EdgeUse> uses) {
        if (!is_sound(uses)) closed[pieces.of_face[uses[0].corner / 3]] = 0;
    });
    const std::vector<char> is_void = void_walls(surface, pieces, closed);
    topology.solids -= static_cast<int>(std::count(is_void.begin(), is_void.end(), 1));
    return topology;
}

}  // namespace clangor
