// A triangle surface that can be changed: edges collapsed, split and flipped, lines that must stay remembered.
#pragma once

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/surface.hpp>

#include <array>
#include <vector>

namespace clangor::remeshing {

using Face = std::array<int, 3>;
inline constexpr Face no_face = {-1, -1, -1};

/// Triangles with who is around each vertex. Removed faces are no_face, removed vertices have nobody around.
struct SurfaceNet {
    std::vector<Vec3> x = {};                   ///< [m]
    std::vector<Face> faces = {};               ///< counter-clockwise seen from outside
    std::vector<std::vector<int>> around = {};  ///< faces at each vertex, ascending while unchanged
    std::vector<std::vector<int>> lines = {};   ///< the other ends of sharp edges and rims at each vertex
    /// 1: corner of lines, does not slide; 2: more than two faces at an edge, nothing is collapsed
    std::vector<char> fixed = {};
    std::vector<char> rim = {};  ///< on the border of an open surface
};

/// Edges between faces that differ by more than 40°, rims, and edges of other than two faces are lines.
SurfaceNet net_of(const Surface& surface);
Surface surface_from(const SurfaceNet& net);

std::vector<int> neighbours(const SurfaceNet& net, int vertex);       ///< ascending
std::vector<int> faces_at_edge(const SurfaceNet& net, int a, int b);  ///< two, one on a rim
bool on_line(const SurfaceNet& net, int a, int b);                    ///< the edge a–b is a line
std::vector<std::array<int, 2>> edges_of(const SurfaceNet& net);      ///< low end first, sorted
int opposite(const Face& face, int a, int b);                         ///< the third corner
Vec3 area_vector(const SurfaceNet& net, const Face& face);            ///< n·area, counter-clockwise [m²]
double least_angle(const Vec3& a, const Vec3& b, const Vec3& c);      ///< [rad]
inline double length(const SurfaceNet& net, int a, int b) { return (net.x[a] - net.x[b]).norm(); }

/// Vertex a moves into b and both faces between them vanish.
bool may_collapse(const SurfaceNet& net, int a, int b);  ///< it stays a surface of the same kind
void collapse(SurfaceNet& net, int a, int b);

/// A new vertex at x on the edge a–b; its number.
int split(SurfaceNet& net, int a, int b, const Vec3& x);

/// Of the two faces abc and bad at the edge, makes adc and dbc.
bool may_flip(const SurfaceNet& net, int a, int b);
void flip(SurfaceNet& net, int a, int b);

}  // namespace clangor::remeshing
