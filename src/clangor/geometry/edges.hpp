// Who shares which edge: the table behind orientation, topology and pieces.
#pragma once

#include <clangor/core/core.hpp>

#include <span>
#include <vector>

namespace clangor {

/// One side of one face. Corner c is corner c % 3 of face c / 3, and stands for the edge from it to the next one.
struct EdgeUse {
    int other;   ///< the edge's end of higher number
    int corner;  ///< where the edge starts in its face
};

/// All sides, gathered by the edge's end of lower number, and sorted within. A counting sort by vertex needs half the
/// memory of sorting whole edges, and on 10 million faces a third of the time.
struct EdgeTable {
    std::vector<int> start;     ///< uses of vertex v: [start[v], start[v + 1])
    std::vector<EdgeUse> uses;  ///< by other, then corner
};

EdgeTable edge_table(const Triangles& faces, int vertex_count);

inline int edge_begin(const Triangles& faces, int corner) { return faces(corner / 3, corner % 3); }
inline int edge_end(const Triangles& faces, int corner) { return faces(corner / 3, (corner + 1) % 3); }

/// Whether the two faces run along their shared edge in the same direction: then one of them is wound wrongly.
inline bool wound_alike(const Triangles& faces, int corner_a, int corner_b) {
    return edge_begin(faces, corner_a) == edge_begin(faces, corner_b);
}

/// Calls visit(low vertex, all uses of one edge) for each edge, by rising vertex numbers.
template <class Visit>
void for_each_edge(const EdgeTable& table, const Visit& visit) {
    for (std::size_t v = 0; v + 1 < table.start.size(); ++v) {
        for (int first = table.start[v]; first < table.start[v + 1];) {
            int last = first + 1;
            while (last < table.start[v + 1] && table.uses[last].other == table.uses[first].other) ++last;
            visit(static_cast<int>(v), std::span(table.uses).subspan(first, last - first));
            first = last;
        }
    }
}

}  // namespace clangor
