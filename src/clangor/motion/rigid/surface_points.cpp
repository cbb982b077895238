// Sampling surfaces, sharp lines first.
#include <clangor/motion/rigid/surface_points.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace clangor::rigid {
namespace {

constexpr int leaf_points = 12;
constexpr std::size_t max_points = 4000;

int split(SurfacePoints& shell, int first, int count) {
    Vec3 low = shell.points[first].point, high = low;
    for (int i = first; i < first + count; ++i) {
        low = low.cwiseMin(shell.points[i].point);
        high = high.cwiseMax(shell.points[i].point);
    }
    SurfaceNode node{.centre = (low + high) / 2, .first = first, .count = count};
    for (int i = first; i < first + count; ++i)
        node.radius = std::max(node.radius, (shell.points[i].point - node.centre).norm());
    const int at = static_cast<int>(shell.nodes.size());
    shell.nodes.push_back(node);
    if (count <= leaf_points) return at;
    Eigen::Index axis = 0;
    (high - low).maxCoeff(&axis);
    const auto begin = shell.points.begin() + first;
    std::stable_sort(begin, begin + count,
                     [&](const SurfacePoint& p, const SurfacePoint& q) { return p.point[axis] < q.point[axis]; });
    const int left = split(shell, first, count / 2);
    const int right = split(shell, first + count / 2, count - count / 2);
    shell.nodes[at].left = left;
    shell.nodes[at].right = right;
    return at;
}

void add_line(std::vector<SurfacePoint>& points, const Vec3& from, const Vec3& to, double spacing) {
    const int parts = std::max(1, static_cast<int>(std::ceil((to - from).norm() / spacing)));
    for (int i = 1; i < parts; ++i)
        points.push_back({.point = from + (to - from) * (double(i) / parts), .tangent = (to - from).normalized()});
}

}  // namespace

SurfacePoints surface_points(std::vector<SurfacePoint> points, double spacing) {
    SurfacePoints shell{.points = std::move(points), .nodes = {}, .spacing = spacing};
    if (!shell.points.empty()) split(shell, 0, static_cast<int>(shell.points.size()));
    return shell;
}

SurfacePoints surface_points(const Box& box) {
    const Vec3 half = box.size / 2;
    const double spacing = box.size.maxCoeff() / 16;
    std::vector<SurfacePoint> points;
    const auto corner = [&](int i) {
        return Vec3(i & 1 ? half.x() : -half.x(), i & 2 ? half.y() : -half.y(), i & 4 ? half.z() : -half.z());
    };
    for (int i = 0; i < 8; ++i) {
        points.push_back({.point = corner(i)});
        for (const int bit : {1, 2, 4})
            if (!(i & bit)) add_line(points, corner(i), corner(i | bit), spacing);
    }
    return surface_points(std::move(points), spacing);
}

SurfacePoints surface_points(const Cylinder& cylinder) {
    constexpr int around = 64;
    const double r = cylinder.radius, half = cylinder.height / 2;
    const double spacing = 2 * pi * r / around;
    std::vector<SurfacePoint> points;
    for (int i = 0; i < around; ++i) {
        const double angle = 2 * pi * i / around;
        const Vec3 out(std::cos(angle), 0, std::sin(angle)), along(-std::sin(angle), 0, std::cos(angle));
        for (const double side : {-1.0, 1.0})
            points.push_back({.point = r * out + Vec3(0, side * half, 0), .tangent = along, .curvature = -out / r});
    }
    return surface_points(std::move(points), spacing);
}

namespace {

// Keeps points that are not too near to one kept before.
class Thinner {
public:
    explicit Thinner(double radius) : radius_(radius) {}

    bool keep(const Vec3& point, double radius) {
        const auto [x, y, z] = key(point);
        for (int dx = -1; dx <= 1; ++dx)
            for (int dy = -1; dy <= 1; ++dy)
                for (int dz = -1; dz <= 1; ++dz)
                    if (const auto cell = cells_.find({x + dx, y + dy, z + dz}); cell != cells_.end())
                        for (const Vec3& other : cell->second)
                            if ((other - point).norm() < radius) return false;
        cells_[{x, y, z}].push_back(point);
        return true;
    }

private:
    using Key = std::tuple<long, long, long>;
    Key key(const Vec3& p) const {
        return {std::lround(p.x() / radius_), std::lround(p.y() / radius_), std::lround(p.z() / radius_)};
    }
    double radius_;
    std::map<Key, std::vector<Vec3>> cells_;
};

Vec3 outward(const SmoothSurface& surface, int face, const Vec3& w) {
    const auto& normals = surface.corner_normals[face];
    return (w[0] * normals[0] + w[1] * normals[1] + w[2] * normals[2]).normalized();
}

// Corners, where creases end or turn; then creases; then faces.
std::vector<SurfacePoint> sampled(const SmoothSurface& surface, double spacing, double padding) {
    const Triangles& faces = surface.surface.faces;
    const Points& vertices = surface.surface.vertices;
    std::vector<SurfacePoint> points;
    Thinner thinner(spacing);
    std::map<int, std::vector<Vec3>> creases_at;
    for (int f = 0; f < faces.rows(); ++f)
        for (int k = 0; k < 3; ++k)
            if (is_crease(surface, f, k)) {
                const int a = faces(f, k), b = faces(f, (k + 1) % 3);
                creases_at[a].push_back((vertices.row(b) - vertices.row(a)).transpose());
            }
    const auto bend_of = [](const std::vector<Vec3>& ways) {  // of a line, from the two edges that leave a vertex
        return Vec3((ways[0].normalized() + ways[1].normalized()) * 2 / (ways[0].norm() + ways[1].norm()));
    };
    std::map<int, Vec3> curvature_at;
    for (const auto& [v, directions] : creases_at) {
        // Both half edges count: two directions at a vertex inside a line.
        const bool turns = directions.size() != 2 || directions[0].normalized().dot(directions[1].normalized()) >
                                                         -std::cos(crease_angle_deg * pi / 180);
        const Vec3 at = vertices.row(v).transpose();
        if (!turns) curvature_at[v] = bend_of(directions);
        if (turns && thinner.keep(at, 1e-3 * spacing))
            points.push_back({.point = at + padding * surface.vertex_normals.row(v).transpose().normalized()});
    }
    const auto curvature = [&](int v) {
        const auto found = curvature_at.find(v);
        return found == curvature_at.end() ? Vec3(Vec3::Zero()) : found->second;
    };
    for (int f = 0; f < faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            const int a = faces(f, k), b = faces(f, (k + 1) % 3);
            if (a > b || !is_crease(surface, f, k)) continue;
            const double length = (vertices.row(b) - vertices.row(a)).norm();
            const int parts = std::max(1, static_cast<int>(std::ceil(length / (0.4 * spacing))));
            for (int i = 0; i <= parts; ++i) {
                Vec3 w = Vec3::Zero();
                w[k] = 1 - double(i) / parts, w[(k + 1) % 3] = double(i) / parts;
                const Vec3 at = lifted(surface, f, w);
                const Vec3 out = surface.face_normals.row(f).transpose() +
                                 surface.face_normals.row(surface.neighbours[f][k]).transpose();
                if (!thinner.keep(at, 0.35 * spacing)) continue;
                const Vec3 bend = w[k] * curvature(a) + w[(k + 1) % 3] * curvature(b);
                const Vec3 middle_tangent = (vertices.row(b) - vertices.row(a)).normalized().transpose();
                points.push_back({.point = at + padding * out.normalized(),
                                  .tangent = (middle_tangent + (double(i) / parts - 0.5) * length * bend).normalized(),
                                  .curvature = bend});
            }
        }
    for (int f = 0; f < faces.rows(); ++f) {
        double longest = 0;
        for (int k = 0; k < 3; ++k)
            longest = std::max(longest, (vertices.row(faces(f, k)) - vertices.row(faces(f, (k + 1) % 3))).norm());
        const int parts = std::clamp(static_cast<int>(std::ceil(longest / spacing)), 1, 400);
        for (int i = 0; i <= parts; ++i)
            for (int j = 0; j + i <= parts; ++j) {
                const Vec3 w = Vec3(i, j, parts - i - j) / parts;
                const Vec3 at = lifted(surface, f, w), normal = outward(surface, f, w);
                if (thinner.keep(at, 0.8 * spacing))
                    points.push_back({.point = at + padding * normal, .normal = normal});
            }
    }
    return points;
}

}  // namespace

SurfacePoints surface_points(const SmoothSurface& surface, double padding) {
    const double size = bounds_of(surface.surface.vertices).diagonal();
    double spacing = std::max(size / 60, std::sqrt(area_of(surface.surface) / double(max_points)));
    std::vector<SurfacePoint> points = sampled(surface, spacing, padding);
    for (; points.size() > max_points; points = sampled(surface, spacing, padding)) spacing *= 1.2;
    return surface_points(std::move(points), spacing);
}

}  // namespace clangor::rigid
