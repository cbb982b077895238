#include <clangor/geometry/tet_faces.hpp>

#include <algorithm>
#include <array>

namespace clangor::geometry {

std::vector<CellFace> boundary_faces(const Cells& cells) {
    struct Entry {
        std::array<int, 3> nodes;
        CellFace face;
    };
    std::vector<Entry> entries;
    for (int cell = 0; cell < cells.rows(); ++cell) {
        for (int side = 0; side < 4; ++side) {
            std::array<int, 3> nodes = {cells(cell, face_nodes[side][0]), cells(cell, face_nodes[side][1]),
                                        cells(cell, face_nodes[side][2])};
            std::sort(nodes.begin(), nodes.end());
            entries.push_back({nodes, {cell, side}});
        }
    }
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.nodes < b.nodes; });
    std::vector<CellFace> faces;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const bool as_before = i > 0 && entries[i - 1].nodes == entries[i].nodes;
        const bool as_after = i + 1 < entries.size() && entries[i + 1].nodes == entries[i].nodes;
        if (!as_before && !as_after) faces.push_back(entries[i].face);
    }
    std::sort(faces.begin(), faces.end(), [](const CellFace& a, const CellFace& b) {
        return std::array{a.cell, a.side} < std::array{b.cell, b.side};
    });
    return faces;
}

}  // namespace clangor::geometry
