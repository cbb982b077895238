// A flat key: an outline with a hole, given a thickness.
#include <clangor/geometry/shapes_build.hpp>

#include <array>
#include <cmath>

namespace clangor::shapes {
namespace {

using Point2 = Eigen::Vector2d;  // x and −z, so that counter-clockwise is counter-clockwise seen from above
using Outline = std::vector<Point2>;

double cross(const Point2& a, const Point2& b) { return a.x() * b.y() - a.y() * b.x(); }

// Counter-clockwise: around the bow from where the blade's upper edge leaves it, then along the teeth and back.
Outline outline_of(const Key& key) {
    const double half = key.blade_width / 2, tip = key.length - key.bow_radius;
    const double corner = std::asin(half / key.bow_radius);
    Outline outline;
    constexpr int arc = 48;
    for (int i = 0; i <= arc; ++i) {
        const double angle = corner + (2 * pi - 2 * corner) * i / arc;
        outline.emplace_back(key.bow_radius * std::cos(angle), key.bow_radius * std::sin(angle));
    }
    const double begin = key.bow_radius * std::cos(corner), cut = 0.45 * key.blade_width;
    const double tooth = (tip - begin) / 9;
    for (int i = 0; i < 4; ++i) {  // from the bow to the tip along the lower edge: notches of one tooth's length
        const double x = begin + tooth * (2 * i + 1);
        const double depth = cut * (i % 2 == 0 ? 1.0 : 0.6);
        outline.insert(
            outline.end(),
            {{x, -half}, {x + 0.3 * tooth, -half + depth}, {x + 0.7 * tooth, -half + depth}, {x + tooth, -half}});
    }
    outline.emplace_back(tip - half / 2, -half);
    outline.emplace_back(tip, 0);
    outline.emplace_back(tip - half / 2, half);
    return outline;
}

Outline hole_of(const Key& key) {  // clockwise
    constexpr int segments = 40;
    Outline hole;
    for (int i = 0; i < segments; ++i) {
        const double angle = pi - 2 * pi * i / segments;
        hole.emplace_back(key.hole_radius * std::cos(angle), key.hole_radius * std::sin(angle));
    }
    return hole;
}

bool inside(const Point2& a, const Point2& b, const Point2& c, const Point2& p) {
    return cross(b - a, p - a) >= 0 && cross(c - b, p - b) >= 0 && cross(a - c, p - c) >= 0;
}

// Ear clipping, always the roundest ear; indices into `points`. `loop` is counter-clockwise and may pass a point twice.
std::vector<std::array<int, 3>> triangulated(const Outline& points, std::vector<int> loop) {
    std::vector<std::array<int, 3>> triangles;
    while (loop.size() > 3) {
        size_t best = loop.size();
        double best_shape = 0;
        for (size_t i = 0; i < loop.size(); ++i) {
            const int ia = loop[(i + loop.size() - 1) % loop.size()], ib = loop[i], ic = loop[(i + 1) % loop.size()];
            const Point2 &a = points[ia], &b = points[ib], &c = points[ic];
            const double area = cross(b - a, c - a);
            if (!(area > 0)) continue;
            bool free = true;
            for (const int other : loop) {
                const Point2& p = points[other];
                if (p != a && p != b && p != c && inside(a, b, c, p)) free = false;
            }
            const double longest = std::max({(b - a).squaredNorm(), (c - b).squaredNorm(), (a - c).squaredNorm()});
            if (free && area / longest > best_shape) {
                best_shape = area / longest;
                best = i;
            }
        }
        if (best == loop.size()) throw Error("key: these sizes make an outline that crosses itself");
        triangles.push_back({loop[(best + loop.size() - 1) % loop.size()], loop[best], loop[(best + 1) % loop.size()]});
        loop.erase(loop.begin() + long(best));
    }
    triangles.push_back({loop[0], loop[1], loop[2]});
    return triangles;
}

// Turns diagonals of neighbouring triangles until no triangle's circle holds the other's far corner: the fattest
// triangles that these points allow [Lawson1977].
void turn_diagonals(const Outline& points, std::vector<std::array<int, 3>>& triangles) {
    const auto opposite = [](const std::array<int, 3>& t, int a, int b) {
        for (const int v : t)
            if (v != a && v != b) return v;
        return -1;
    };
    const auto shares = [](const std::array<int, 3>& t, int a, int b) {  // the edge from b to a
        return (t[0] == b && t[1] == a) || (t[1] == b && t[2] == a) || (t[2] == b && t[0] == a);
    };
    const auto angle = [&](int at, int a, int b) {
        const Point2 u = points[a] - points[at], v = points[b] - points[at];
        return std::atan2(std::abs(cross(u, v)), u.dot(v));
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t i = 0; i < triangles.size(); ++i)
            for (int edge = 0; edge < 3; ++edge) {
                const int a = triangles[i][edge], b = triangles[i][(edge + 1) % 3];
                size_t j = 0;
                while (j < triangles.size() && !shares(triangles[j], a, b)) ++j;
                if (j == triangles.size()) continue;  // on the outline
                const int c = opposite(triangles[i], a, b), d = opposite(triangles[j], a, b);
                if (angle(c, a, b) + angle(d, a, b) <= pi + 1e-9) continue;
                triangles[i] = {c, a, d};
                triangles[j] = {c, d, b};
                changed = true;
                break;
            }
    }
}

}  // namespace

Surface build(const Key& key) {
    check_size("key", "length", key.length);
    check_size("key", "bow_radius", key.bow_radius);
    check_size("key", "hole_radius", key.hole_radius);
    check_size("key", "blade_width", key.blade_width);
    check_size("key", "thickness", key.thickness);
    check_below("key", "hole_radius", key.hole_radius, 0.9 * key.bow_radius, "nine tenths of the bow's radius");
    check_below("key", "blade_width", key.blade_width, 1.8 * key.bow_radius, "nine tenths of the bow's width");
    check_below("key", "bow_radius", key.bow_radius, key.length / 3, "a third of the length");
    Outline points = outline_of(key);
    const int outer = int(points.size());
    const Outline hole = hole_of(key);
    points.insert(points.end(), hole.begin(), hole.end());
    const int count = int(points.size());
    // A cut from the far side of the bow to the hole's first point, on the same side, makes one loop of the two.
    const int far = 24;
    std::vector<int> loop;
    for (int i = 0; i <= far; ++i) loop.push_back(i);
    for (int i = outer; i < count; ++i) loop.push_back(i);
    loop.push_back(outer);
    for (int i = far; i < outer; ++i) loop.push_back(i);
    std::vector<std::array<int, 3>> cap = triangulated(points, loop);
    turn_diagonals(points, cap);

    Surface surface{Points(2 * count, 3), Triangles(long(2 * cap.size()) + 2 * count, 3)};
    for (int i = 0; i < count; ++i) {
        surface.vertices.row(i) << points[i].x(), key.thickness / 2, -points[i].y();
        surface.vertices.row(count + i) << points[i].x(), -key.thickness / 2, -points[i].y();
    }
    long face = 0;
    for (const auto& [a, b, c] : cap) {
        surface.faces.row(face++) << a, b, c;
        surface.faces.row(face++) << count + a, count + c, count + b;
    }
    const auto wall = [&](int a, int b) {  // the outline goes from a to b
        surface.faces.row(face++) << a, count + a, b;
        surface.faces.row(face++) << b, count + a, count + b;
    };
    for (int i = 0; i < outer; ++i) wall(i, (i + 1) % outer);
    for (int i = outer; i < count; ++i) wall(i, i + 1 < count ? i + 1 : outer);
    return surface;
}

}  // namespace clangor::shapes
