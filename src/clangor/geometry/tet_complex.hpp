// Tetrahedra that can be edited: edges collapsed, nodes moved, flat elements peeled off.
#pragma once

#include <clangor/geometry/delaunay_mesher.hpp>

#include <array>
#include <vector>

namespace clangor::geometry {

using Cell = std::array<int, 4>;

/// A mesh closed by ghosts: behind each boundary face (i, j, k), wound outward, stands the cell {i, j, k, ghost}.
/// Every face then has two cells, and the boundary needs no rules of its own.
struct TetComplex {
    std::vector<Vec3> points;
    std::vector<Cell> cells;              ///< removed ones are `removed_cell`
    std::vector<std::vector<int>> star;   ///< the cells around each node, ghosts included
    std::vector<std::vector<int>> sharp;  ///< each node's neighbours along sharp lines
    std::vector<Freedom> freedom;         ///< of each node
    int ghost = 0;                        ///< the node beyond the boundary: one past the last
    long edits = 0;                       ///< how many there have been
    std::vector<long> edited;             ///< the last edit of the cells around each node, or of a node of theirs
};
inline constexpr Cell removed_cell = {-1, -1, -1, -1};

TetComplex complex_of(const FeaturedMesh& mesh);
TetMesh mesh_of(const TetComplex& complex);  ///< nodes in their old order, unused ones dropped

inline bool has(const Cell& cell, int node) {
    return cell[0] == node || cell[1] == node || cell[2] == node || cell[3] == node;
}
inline bool is_ghost(const TetComplex& complex, const Cell& cell) { return cell[3] == complex.ghost; }

/// The other nodes of the cells around a node, ascending, the ghost included.
std::vector<int> neighbours(const TetComplex& complex, int node);

/// Whether sharp lines and the boundary let a node go where its neighbour is.
bool may_slide(const TetComplex& complex, int from, int into);

/// True if merging `from` into its neighbour `into` leaves body and boundary of the same topological kind: the link
/// condition Lk(a) ∩ Lk(b) = Lk(ab) [Dey1999], with sharp lines kept in one piece each.
bool keeps_topology(const TetComplex& complex, int from, int into);

/// Moves a node; the cells around it change with it.
void move_node(TetComplex& complex, int node, const Vec3& to);

/// Merges `from` into `into`, which stays where it is.
void collapse(TetComplex& complex, int from, int into);

/// Puts other cells, which fill the same space, in the place of some.
void replace_cells(TetComplex& complex, const std::vector<int>& old_cells, const std::vector<Cell>& new_cells);

/// The boundary faces, as ghosts, that `peel` would make of a cell with exactly two boundary faces: none if it has not,
/// or if peeling would break a sharp line or pinch the body.
std::vector<Cell> faces_after_peeling(const TetComplex& complex, int cell);

/// Removes a cell with exactly two boundary faces, so that its other two become boundary.
void peel(TetComplex& complex, int cell);

}  // namespace clangor::geometry
