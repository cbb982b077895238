// Tetrahedral meshes: filling a surface, 10-node elements with curved sides, the boundary.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <functional>
#include <string>
#include <vector>

namespace clangor {

/// Tetrahedra of 4 or 10 nodes. Corners are positively ordered: det[x1−x0, x2−x0, x3−x0] > 0. The six further
/// nodes of a 10-node element lie on the edges 01 12 20 03 13 23, in this order.
struct TetMesh {
    Points nodes;  ///< [m]
    Cells cells;   ///< 4 or 10 columns
};

struct TetOptions {
    /// Wanted at most: edges have 0.75 of it on average, 19 of 20 at most 1.25. 0: chosen from the body's size and wall
    /// thickness (docs/howto/meshing.md) [m]
    double edge_length = 0;
    double refinement = 1;  ///< with edge_length 0: divides the chosen length
    double max_hz = 20e3;   ///< with edge_length 0: the highest frequency whose waves the elements follow
    double told_hz = 0;     ///< of too long elements users are told for waves up to here only; 0: max_hz
    double thickness = 0;   ///< of sheets, and of walls that have none; 0: a hundredth of the longest side [m]
    bool lattice = false;   ///< elements from a lattice, even where finer ways would do
};

struct Tetrahedralization {
    TetMesh mesh;                       ///< 4-node
    Surface surface;                    ///< that its boundary follows: for `quadratic`
    double edge_length = 0;             ///< the largest length asked of the mesher [m]
    double min_dihedral_deg = 0;        ///< over all elements
    bool wrapped = false;               ///< the surface was open or cut itself, and was wrapped first
    double lattice_spacing = 0;         ///< of elements that were cut from a lattice; 0: they were not [m]
    std::vector<std::string> messages;  ///< what the user should know
};

/// Fills a cleaned surface, as one body; edges of boxes and rims of bowls are kept. A sheet is given a thickness, an
/// open or self-intersecting surface is wrapped, and what Delaunay refinement cannot fill within its budget is cut
/// from a lattice: that always ends, rounds edges, and joins pieces that lie apart (docs/howto/meshing.md). Messages
/// say what was done and what it cost. The same input gives the same bytes. Throws for surfaces without faces or
/// extent, and if too many elements would be needed. Takes 0.3 to 20 s.
Tetrahedralization tetrahedralize(const Surface& surface, const TetOptions& options, const Progress& progress = {});

/// How far a point of a surface is from the border of a patch of it; negative inside [m].
using PatchDistance = std::function<double(const Vec3&)>;

/// The same body, whose boundary has nodes along the border of a patch: no boundary edge crosses it by more than a
/// fiftieth of its length. Edges that touch the patch are split until they are no longer than `longest` [m]; 0:
/// only those that cross its border. 4-node meshes.
TetMesh cut_along(const TetMesh& linear, const Surface& surface, const PatchDistance& distance, double longest = 0);

/// Adds the mid-edge nodes. Those on boundary edges move to the closest point of `surface`, so that elements follow
/// curved walls, unless that would fold an element.
TetMesh quadratic(const TetMesh& linear, const Surface& surface);

/// The boundary of a tetrahedral mesh, wound outward. Faces have 3 nodes, or 6: three corners, then the mid-edge
/// nodes of 01 12 20.
struct Skin {
    Points nodes;                 ///< [m]
    Cells faces;                  ///< 3 or 6 columns, into nodes
    std::vector<int> mesh_nodes;  ///< the node of the tetrahedral mesh that each node of the skin is
};
Skin skin_of(const TetMesh& mesh);

/// The skin as plain triangles over the same nodes: 6-node faces become four, side by side.
Surface flat(const Skin& skin);
inline constexpr int flat_parts[4][3] = {{0, 3, 5}, {3, 1, 4}, {5, 4, 2}, {3, 4, 5}};  ///< of a 6-node face

}  // namespace clangor
