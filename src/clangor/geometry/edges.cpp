#include <clangor/geometry/edges.hpp>

#include <algorithm>

namespace clangor {

EdgeTable edge_table(const Triangles& faces, int vertex_count) {
    const int corners = static_cast<int>(faces.rows()) * 3;
    const auto low_end = [&](int corner) { return std::min(edge_begin(faces, corner), edge_end(faces, corner)); };

    EdgeTable table{std::vector<int>(vertex_count + 1, 0), std::vector<EdgeUse>(corners)};
    for (int c = 0; c < corners; ++c) ++table.start[low_end(c) + 1];
    for (int v = 0; v < vertex_count; ++v) table.start[v + 1] += table.start[v];

    std::vector<int> next(table.start.begin(), table.start.end() - 1);
    for (int c = 0; c < corners; ++c) {
        table.uses[next[low_end(c)]++] = {std::max(edge_begin(faces, c), edge_end(faces, c)), c};
    }
    for (int v = 0; v < vertex_count; ++v) {
        std::sort(table.uses.begin() + table.start[v], table.uses.begin() + table.start[v + 1],
                  [](const EdgeUse& a, const EdgeUse& b) {
                      return a.other != b.other ? a.other < b.other : a.corner < b.corner;
                  });
    }
    return table;
}

}  // namespace clangor
