// Curved walls from triangles, inside from outside, and how thick walls are.
#include <clangor/motion/rigid/smooth_surface.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace clangor::rigid {
namespace {

Vec3 vertex(const Surface& surface, int face, int corner) {
    return surface.vertices.row(surface.faces(face, corner % 3)).transpose();
}

std::vector<std::array<int, 3>> neighbours_of(const Triangles& faces) {
    std::map<std::pair<int, int>, int> face_of_edge;
    for (int f = 0; f < faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) face_of_edge[{faces(f, k), faces(f, (k + 1) % 3)}] = f;
    std::vector<std::array<int, 3>> neighbours(faces.rows());
    for (int f = 0; f < faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            const auto other = face_of_edge.find({faces(f, (k + 1) % 3), faces(f, k)});
            neighbours[f][k] = other == face_of_edge.end() ? f : other->second;
        }
    return neighbours;
}

double corner_angle(const Surface& surface, int face, int corner) {
    const Vec3 to_next = vertex(surface, face, corner + 1) - vertex(surface, face, corner);
    const Vec3 to_last = vertex(surface, face, corner + 2) - vertex(surface, face, corner);
    return std::atan2(to_next.cross(to_last).norm(), to_next.dot(to_last));
}

double twice_area(const Surface& surface, int face) {
    const Vec3 a = vertex(surface, face, 0);
    return (vertex(surface, face, 1) - a).cross(vertex(surface, face, 2) - a).norm();
}

// Around the vertex from face to face, as far as no crease is crossed, to both sides. Weighted by area: where a large
// flat face ends in the narrow facets of a rounding, it is the facets that are bent. By angles, the faces of a rounded
// die of 16 mm bulged by 0.1 mm, and it spun on them like a top. At the tip of a cone there is no crease, and no common
// normal either: each face keeps its own. With the axis for a normal there, the side of a cone of 9 cm bulged by 4 mm.
Vec3 corner_normal(const SmoothSurface& smooth, int face, int corner) {
    const Triangles& faces = smooth.surface.faces;
    const int v = faces(face, corner);
    Vec3 sum = Vec3::Zero();
    std::vector<int> around;
    const auto is_tip = [&] {
        static const double cosine = std::cos(crease_angle_deg * pi / 180);
        const Vec3 mean = sum.normalized();
        return std::ranges::any_of(around, [&](int f) { return smooth.face_normals.row(f).dot(mean) < cosine; });
    };
    for (const int direction : {0, 2}) {  // across the edge that leaves the vertex, or the one that arrives
        int f = face;
        for (int guard = 0; guard < 1000; ++guard) {
            int k = 0;
            while (faces(f, k) != v) ++k;
            if (f != face || direction == 0) {
                sum += twice_area(smooth.surface, f) * smooth.face_normals.row(f).transpose();
                around.push_back(f);
            }
            const int side = (k + direction) % 3;
            if (is_crease(smooth, f, side)) break;
            f = smooth.neighbours[f][side];
            if (f == face) return is_tip() ? Vec3(smooth.face_normals.row(face).transpose()) : Vec3(sum.normalized());
        }
    }
    return sum.normalized();
}

Vec3 pseudo_normal(const SmoothSurface& smooth, const ClosestPoint& at) {
    const Vec3 face_normal = smooth.face_normals.row(at.face).transpose();
    const Vec3& w = at.barycentric;
    const int zeros = (w[0] == 0) + (w[1] == 0) + (w[2] == 0);
    if (zeros == 0) return face_normal;
    if (zeros == 1) {
        const int side = w[2] == 0 ? 0 : w[0] == 0 ? 1 : 2;
        return face_normal + smooth.face_normals.row(smooth.neighbours[at.face][side]).transpose();
    }
    const int corner = w[0] != 0 ? 0 : w[1] != 0 ? 1 : 2;
    return smooth.vertex_normals.row(smooth.surface.faces(at.face, corner)).transpose();
}

// Half of how far the tangent planes at the corners stand off: exact for paraboloids.
Vec3 bulge(const SmoothSurface& smooth, int face, const Vec3& w, const Vec3& point) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 3; ++k) {
        const Vec3& normal = smooth.corner_normals[face][k];
        sum -= 0.5 * w[k] * (point - vertex(smooth.surface, face, k)).dot(normal) * normal;
    }
    return sum;
}

}  // namespace

SmoothSurface smooth_surface(const Surface& surface) {
    if (surface.faces.rows() == 0) throw Error("a collision shape needs a surface, but this one has no faces");
    const Topology topology = topology_of(surface);
    if (!topology.closed())
        throw Error(
            fmt::format("a body that collides needs a closed surface, but this one has {} open and {} tangled "
                        "edges; close its holes first",
                        topology.open_edges, topology.nonmanifold_edges));
    SmoothSurface smooth{.surface = surface,
                         .closest = ClosestPointQuery(surface),
                         .face_normals = Points(surface.faces.rows(), 3),
                         .corner_normals = {},
                         .neighbours = neighbours_of(surface.faces),
                         .vertex_normals = Points::Zero(surface.vertices.rows(), 3)};
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 x0 = vertex(surface, f, 0);
        smooth.face_normals.row(f) =
            (vertex(surface, f, 1) - x0).cross(vertex(surface, f, 2) - x0).normalized().transpose();
        for (int k = 0; k < 3; ++k)
            smooth.vertex_normals.row(surface.faces(f, k)) += corner_angle(surface, f, k) * smooth.face_normals.row(f);
    }
    smooth.corner_normals.resize(surface.faces.rows());
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) smooth.corner_normals[f][k] = corner_normal(smooth, f, k);
    return smooth;
}

bool is_crease(const SmoothSurface& smooth, int face, int side) {
    static const double cosine = std::cos(crease_angle_deg * pi / 180);
    return smooth.face_normals.row(face).dot(smooth.face_normals.row(smooth.neighbours[face][side])) < cosine;
}

double signed_distance(const SmoothSurface& smooth, const Vec3& point) {
    const ClosestPoint at = smooth.closest(point);
    const Vec3 pseudo = pseudo_normal(smooth, at);
    const double sign = (point - at.point).dot(pseudo) < 0 ? -1 : 1;
    return sign * at.distance - bulge(smooth, at.face, at.barycentric, at.point).dot(pseudo.normalized());
}

Vec3 lifted(const SmoothSurface& smooth, int face, const Vec3& w) {
    Vec3 point = Vec3::Zero();
    for (int k = 0; k < 3; ++k) point += w[k] * vertex(smooth.surface, face, k);
    return point + bulge(smooth, face, w, point);
}

// A ball that touches the surface from inside at p and shrinks until nothing else of the surface is in it.
double wall_thickness(const SmoothSurface& smooth) {
    const Triangles& faces = smooth.surface.faces;
    const double size = bounds_of(smooth.surface.vertices).diagonal();
    const long stride = std::max<long>(1, faces.rows() / 1500);
    std::vector<std::pair<double, double>> found;  // thickness, area
    for (int f = 0; f < faces.rows(); f += static_cast<int>(stride)) {
        const Vec3 a = vertex(smooth.surface, f, 0), b = vertex(smooth.surface, f, 1), c = vertex(smooth.surface, f, 2);
        const Vec3 p = (a + b + c) / 3, n = smooth.face_normals.row(f).transpose();
        double radius = size / 2;
        for (int i = 0; i < 30; ++i) {
            const ClosestPoint at = smooth.closest(p - radius * n);
            if (at.distance > radius * (1 - 1e-3)) break;
            const Vec3 back = p - at.point;
            const double shrunk = back.squaredNorm() / (2 * std::max(n.dot(back), 1e-12 * size));
            if (!(shrunk < radius)) break;
            radius = shrunk;
        }
        found.emplace_back(2 * radius, (b - a).cross(c - a).norm() / 2);
    }
    std::sort(found.begin(), found.end());
    double total = 0, sum = 0;
    for (const auto& [thickness, area] : found) total += area;
    for (const auto& [thickness, area] : found)
        if ((sum += area) >= 0.2 * total) return thickness;
    return size;
}

}  // namespace clangor::rigid
