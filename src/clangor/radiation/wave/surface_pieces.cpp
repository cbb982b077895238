#include <clangor/radiation/wave/surface_pieces.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace clangor::wave {
namespace {

using Polygon = std::vector<Vec3>;

// The part of a polygon below (sign = 1) or above (−1) coordinate `at` of an axis [Sutherland1974].
Polygon clipped(const Polygon& polygon, int axis, double at, double sign) {
    Polygon kept;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3 &a = polygon[i], &b = polygon[(i + 1) % polygon.size()];
        const double da = sign * (at - a[axis]), db = sign * (at - b[axis]);
        if (da >= 0) kept.push_back(a);
        if ((da > 0 && db < 0) || (da < 0 && db > 0)) {
            Vec3 cut = a + da / (da - db) * (b - a);
            cut[axis] = at;
            kept.push_back(cut);
        }
    }
    return kept;
}

struct Cutter {
    const Vec3& origin;
    double cell_size;
    std::vector<SurfacePiece>& pieces;
    int face;
    std::array<Vec3, 3> corner;

    // Slices along one axis after the other.
    void cut(const Polygon& polygon, int axis, std::array<int, 3> cell) {
        if (polygon.size() < 3) return;
        if (axis == 3) return append(polygon, cell);
        double low = polygon[0][axis], high = low;
        for (const Vec3& x : polygon) {
            low = std::min(low, x[axis]);
            high = std::max(high, x[axis]);
        }
        const auto first = static_cast<int>(std::floor((low - origin[axis]) / cell_size));
        const auto last = static_cast<int>(std::floor((high - origin[axis]) / cell_size));
        for (int i = first; i <= last; ++i) {
            cell[axis] = i;
            const double below = origin[axis] + i * cell_size, above = origin[axis] + (i + 1) * cell_size;
            if (first == last) return cut(polygon, axis + 1, cell);
            cut(clipped(clipped(polygon, axis, above, 1), axis, below, -1), axis + 1, cell);
        }
    }

    void append(const Polygon& polygon, const std::array<int, 3>& cell) {
        Vec3 moment = Vec3::Zero();
        double area = 0;
        for (std::size_t i = 1; i + 1 < polygon.size(); ++i) {
            const double part = (polygon[i] - polygon[0]).cross(polygon[i + 1] - polygon[0]).norm() / 2;
            moment += part * (polygon[0] + polygon[i] + polygon[i + 1]) / 3;
            area += part;
        }
        if (area <= 0) return;
        const Vec3 centroid = moment / area;
        const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
        Vec3 weights;
        for (int k = 0; k < 3; ++k) {
            const Vec3 &b = corner[(k + 1) % 3], &c = corner[(k + 2) % 3];
            weights[k] = (b - centroid).cross(c - centroid).dot(normal) / normal.squaredNorm();
        }
        pieces.push_back({cell, face, centroid, weights, area});
    }
};

}  // namespace

std::vector<SurfacePiece> surface_pieces(const Surface& surface, const Vec3& origin, double cell_size) {
    std::vector<SurfacePiece> pieces;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        Cutter cutter{origin, cell_size, pieces, f, {}};
        for (std::size_t k = 0; k < 3; ++k)
            cutter.corner[k] = surface.vertices.row(surface.faces(f, static_cast<int>(k)));
        cutter.cut({cutter.corner.begin(), cutter.corner.end()}, 0, {});
    }
    return pieces;
}

Vec3 unit_normal(const Surface& surface, int face) {
    const Vec3 a = surface.vertices.row(surface.faces(face, 0)), b = surface.vertices.row(surface.faces(face, 1)),
               c = surface.vertices.row(surface.faces(face, 2));
    return (b - a).cross(c - a).normalized();
}

std::vector<char> closed_faces(const Surface& surface) {
    struct Side {
        int low, high, direction, face;
    };
    std::vector<Side> sides;
    for (int f = 0; f < surface.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            const int a = surface.faces(f, k), b = surface.faces(f, (k + 1) % 3);
            sides.push_back({std::min(a, b), std::max(a, b), a < b ? 1 : -1, f});
        }
    std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
        return std::tie(a.low, a.high, a.face) < std::tie(b.low, b.high, b.face);
    });
    std::vector<int> parent(surface.faces.rows());
    std::iota(parent.begin(), parent.end(), 0);
    auto root = [&](int f) {
        while (parent[f] != f) f = parent[f] = parent[parent[f]];
        return f;
    };
    std::vector<int> at_open_edges;
    for (std::size_t begin = 0, end; begin < sides.size(); begin = end) {
        int balance = 0;
        for (end = begin;
             end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high; ++end) {
            balance += sides[end].direction;
            parent[root(sides[end].face)] = root(sides[begin].face);
        }
        if (balance != 0) at_open_edges.push_back(sides[begin].face);
    }
    std::vector<char> open_root(parent.size(), 0), closed(parent.size());
    for (const int f : at_open_edges) open_root[root(f)] = 1;
    for (int f = 0; f < surface.faces.rows(); ++f) closed[f] = !open_root[root(f)];
    return closed;
}

}  // namespace clangor::wave
