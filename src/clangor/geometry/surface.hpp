// Triangle surfaces: cleaning, topology, mass properties, curvature.
#pragma once

#include <clangor/core/core.hpp>

#include <string>
#include <vector>

namespace clangor {

/// Triangles over shared vertices. Nothing else is promised: see `clean` and `topology_of`.
struct Surface {
    Points vertices;  ///< [m]
    Triangles faces;  ///< counter-clockwise seen from outside, once cleaned
};

/// The same triangles over shared vertices: those closer than 1e-9 of the bounding box are one, the first of them;
/// those that no face names are dropped. Nothing is done where a coordinate is not finite or beyond 1e9 m: `clean`
/// complains.
Surface welded(const Surface& surface);

/// What `clean` changed. All zero: the surface was already sound.
struct Repairs {
    int welded_vertices = 0;    ///< merged with another at the same place
    int unused_vertices = 0;    ///< named by no face
    int degenerate_faces = 0;   ///< without area, or naming a vertex twice: removed without opening a gap
    int duplicate_faces = 0;    ///< the same three vertices again
    int flipped_faces = 0;      ///< wound against their neighbours
    int inside_out_pieces = 0;  ///< closed pieces that faced the wrong way as a whole
    int merged_faces = 0;       ///< by `decimated`, not by `clean`
    double merged_by = 0;       ///< how far that moved the surface at most, root mean square about a vertex [m]

    std::vector<std::string> messages() const;  ///< one sentence for each kind of repair that was made
};

struct CleanSurface {
    Surface surface;
    Repairs repairs;
};

/// Welds vertices closer than 1e-9 of the bounding box, drops faces without area and repeated faces, winds
/// neighbours alike and closed pieces outward, seen from the material: the wall of a cavity (a closed piece inside
/// another) faces the void. Throws for non-finite coordinates and indices out of range. The order of what remains is
/// kept. O(n log n): 10 million faces take about 10 s.
CleanSurface clean(const Surface& surface);

/// How the triangles hang together.
struct Topology {
    int open_edges = 0;          ///< with one face
    int nonmanifold_edges = 0;   ///< with more than two faces, or two faces wound alike
    int pieces = 0;              ///< connected over shared edges; the wall of a cavity is a piece of its own
    int solids = 0;              ///< separate bodies: pieces less the cavities inside others
    int first_open_vertex = -1;  ///< a vertex of the first open edge, −1 if there is none
    bool closed() const { return open_edges == 0 && nonmanifold_edges == 0; }
};
Topology topology_of(const Surface& surface);

/// True where two faces that share no vertex cut each other.
bool self_intersects(const Surface& surface);

struct Bounds {
    Vec3 low, high;  ///< corners of the axis-aligned box [m]
    double diagonal() const { return (high - low).norm(); }
};
Bounds bounds_of(const Points& points);

/// Of the enclosed volume at unit density; multiply mass and inertia by the real one.
struct MassProperties {
    double volume = 0;            ///< [m³], negative for an inside-out surface
    Vec3 centre = Vec3::Zero();   ///< centre of mass [m]
    Mat3 inertia = Mat3::Zero();  ///< about the centre, per unit density [m⁵]
};
MassProperties mass_properties(const Surface& surface);

double area_of(const Surface& surface);  ///< [m²]

/// How thick the walls of a closed body are: the median over its surface of the depth behind it [m].
double typical_thickness(const Surface& surface);

/// Discrete mean curvature at each vertex, positive where convex (1/a on a sphere of radius a) [1/m].
/// [Meyer2003, Eq. 8] with mixed Voronoi areas. Meaningless on the border of an open surface.
Eigen::VectorXd mean_curvatures(const Surface& surface);

/// How thick the body is behind each vertex of a closed surface: the mean of the faces around it, by their areas [m].
Eigen::VectorXd wall_thicknesses(const Surface& surface);

}  // namespace clangor
