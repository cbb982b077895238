// What Clangor asks of CGAL, in plain arrays: CGAL's headers stay inside cgal_tetrahedra.cpp.
#pragma once

#include <clangor/geometry/tetrahedra.hpp>

#include <array>
#include <functional>

namespace clangor::geometry {

struct MesherOptions {
    std::function<double(const Vec3&)> edge_length;  ///< wanted near a point [m]
    std::function<double(const Vec3&)> deviation;    ///< largest distance of facets from the surface near a point [m]
    /// Called for every ball that is put on a sharp line, and for every length of a line that is measured: of both
    /// there may be without end where lines meet at small angles.
    std::function<void()> ball_placed = [] {}, line_measured = [] {};
    double sharp_angle_deg = 180;  ///< edges whose faces' normals differ by more become sharp lines
};

/// Where a node may move without leaving the body's shape.
enum class Freedom : signed char { None, Line, Surface, Volume };

/// 4-node elements that remember the sharp lines of the surface they fill.
struct FeaturedMesh {
    TetMesh mesh;
    std::vector<Freedom> freedom;                 ///< of each node
    std::vector<std::array<int, 2>> sharp_edges;  ///< element edges along sharp lines
};

/// Delaunay tetrahedra [Jamin2015] inside a closed surface that does not cut itself, slivers included. Same input, same
/// bytes. An empty mesh if the mesher finds no body. What the options' functions throw, ends the work.
FeaturedMesh delaunay_tetrahedra(const Surface& surface, const MesherOptions& options);

}  // namespace clangor::geometry
