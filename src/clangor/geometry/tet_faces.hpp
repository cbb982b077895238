// The faces and edges of a tetrahedron, by its local node numbers.
#pragma once

#include <clangor/geometry/tetrahedra.hpp>

namespace clangor::geometry {

/// Side s faces away from node s. Three corners, wound outward, then the mid-edge nodes between 01 12 20 of them.
inline constexpr int face_nodes[4][6] = {
    {1, 2, 3, 5, 9, 8}, {0, 3, 2, 7, 9, 6}, {0, 1, 3, 4, 8, 7}, {0, 2, 1, 6, 5, 4}};

/// The corners that edge e joins; its mid-edge node is local node 4 + e.
inline constexpr int edge_nodes[6][2] = {{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}};

/// All orders of a cell's corners that keep it positive.
inline constexpr int even_orders[12][4] = {{0, 1, 2, 3}, {0, 2, 3, 1}, {0, 3, 1, 2}, {1, 0, 3, 2},
                                           {1, 3, 2, 0}, {1, 2, 0, 3}, {2, 0, 1, 3}, {2, 1, 3, 0},
                                           {2, 3, 0, 1}, {3, 0, 2, 1}, {3, 2, 1, 0}, {3, 1, 0, 2}};

inline constexpr int mid_nodes[6] = {4, 5, 6, 7, 8, 9};

struct CellFace {
    int cell = 0, side = 0;
};

/// Faces that belong to one cell only, by cell and side.
std::vector<CellFace> boundary_faces(const Cells& cells);

}  // namespace clangor::geometry
