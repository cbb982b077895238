#include <clangor/motion/grains/walls.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor::grains {
namespace {

// Faces whose normals differ by less are of one plane, for which a ball cannot tell their edge.
constexpr double same_plane = 1e-12;

// What rounding may put a contact outside of a face's edge by, over its size.
constexpr double edge_slack = 1e-9;

Vec3 corner(const Surface& surface, int face, int i) { return surface.vertices.row(surface.faces(face, i)); }

bool is_inside(const WallPart& face, const Vec3& p) {
    const auto outside = [&](const Vec3& from, const Vec3& to) {
        const Vec3 along = to - from;
        return face.n.dot(along.cross(p - from)) < -edge_slack * along.squaredNorm();
    };
    return !outside(face.a, face.b) && !outside(face.b, face.c) && !outside(face.c, face.a);
}

double face_time(const WallPart& face, const Fall& fall, double radius, double end) {
    double first = never;
    const double s = face.n.dot(fall.x - face.a), v = face.n.dot(fall.v), a = face.n.dot(fall.a);
    for (const double side : {1.0, -1.0}) {
        const double t = falls_below_zero(side * s - radius, side * v, side * a);
        if (!(t < std::min(end, first))) continue;
        const Vec3 x = fall.at(t);
        const double height = side * face.n.dot(x - face.a);
        if (height > 0 && is_inside(face, x - side * height * face.n)) first = t;
    }
    return first;
}

double edge_time(const WallPart& edge, const Fall& fall, double radius, double end) {
    const auto across = [&](const Vec3& u) -> Vec3 { return u - u.dot(edge.n) * edge.n; };
    const Fall flat{across(fall.x - edge.a), across(fall.v), across(fall.a)};
    const double length = (edge.b - edge.a).dot(edge.n);
    const Times times = comes_within(flat, radius, end);
    for (int i = 0; i < times.count; ++i) {
        const double t = times.at[std::size_t(i)];
        const double along = (fall.at(t) - edge.a).dot(edge.n);
        if (along >= 0 && along <= length) return t;
    }
    return never;
}

// Of an edge: a face, and the directions into two.
struct Side {
    int face;
    Vec3 normal;
    bool is_sharp;
    std::array<Vec3, 2> into;
};

// Of a corner: a face, and the directions along its edges.
struct Star {
    int face;
    std::vector<Vec3> edges = {};
};

// Three of these that lie apart.
std::array<Vec3, 3> spread(const std::vector<Vec3>& edges) {
    std::array<Vec3, 3> chosen = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    chosen[0] = edges[0];
    for (std::size_t i = 1; i < 3 && i < edges.size(); ++i)
        chosen[i] = *std::min_element(edges.begin(), edges.end(), [&](const Vec3& a, const Vec3& b) {
            const auto nearest = [&](const Vec3& e) {
                return i == 1 ? e.dot(chosen[0]) : std::max(e.dot(chosen[0]), e.dot(chosen[1]));
            };
            return nearest(a) < nearest(b);
        });
    return chosen;
}

// Whether what falls stays ahead of an edge or corner along one of its ways, where something else is in between.
bool stays_ahead(const WallPart& part, const Fall& fall, double end) {
    for (const Vec3& way : part.ways) {
        const double s = way.dot(fall.x - part.a);
        if (s > 0 && !(falls_below_zero(s, way.dot(fall.v), way.dot(fall.a)) < end)) return true;
    }
    return false;
}

}  // namespace

std::vector<WallPart> parts_of(const GrainWall& wall, std::int32_t index) {
    if (std::holds_alternative<GrainPlane>(wall.shape))
        return {{.kind = WallPart::Kind::Plane, .n = Vec3::UnitY(), .wall = index}};
    const Surface& surface = std::get<Surface>(wall.shape);
    std::vector<WallPart> parts;
    std::map<std::pair<int, int>, Side> edges;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = corner(surface, f, 0), b = corner(surface, f, 1), c = corner(surface, f, 2);
        const Vec3 across = (b - a).cross(c - a);
        if (!(across.norm() > 0)) continue;  // its edges are those of others
        const Vec3 n = across.normalized();
        parts.push_back({WallPart::Kind::Face, a, b, c, n, index, f});
        for (int i = 0; i < 3; ++i) {
            const auto [low, high] = std::minmax(surface.faces(f, i), surface.faces(f, (i + 1) % 3));
            const Vec3 along = corner(surface, f, (i + 1) % 3) - corner(surface, f, i);
            const Vec3 into = n.cross(along).normalized();
            const auto [at, is_new] = edges.try_emplace({low, high}, Side{f, n, true, {into, into}});
            if (is_new) continue;
            at->second.is_sharp = at->second.normal.cross(n).norm() > same_plane;
            at->second.into[1] = into;
        }
    }
    std::map<int, Star> corners;
    for (const auto& [ends, side] : edges) {
        if (!side.is_sharp) continue;
        const Vec3 a = surface.vertices.row(ends.first), b = surface.vertices.row(ends.second);
        const Vec3 along = (b - a).normalized();
        parts.push_back(
            {WallPart::Kind::Edge, a, b, b, along, index, side.face, {side.into[0], side.into[1], Vec3::Zero()}});
        corners.try_emplace(ends.first, Star{side.face}).first->second.edges.push_back(along);
        corners.try_emplace(ends.second, Star{side.face}).first->second.edges.push_back(-along);
    }
    for (const auto& [vertex, star] : corners) {
        const Vec3 a = surface.vertices.row(vertex);
        parts.push_back({WallPart::Kind::Corner, a, a, a, Vec3::Zero(), index, star.face, spread(star.edges)});
    }
    return parts;
}

std::optional<Nearest> nearest_of(const WallPart& part, const Vec3& x) {
    switch (part.kind) {
        case WallPart::Kind::Plane:
            return Nearest{part.n, part.n.dot(x - part.a)};
        case WallPart::Kind::Face: {
            const double height = part.n.dot(x - part.a);
            if (!is_inside(part, x - height * part.n)) return {};
            return Nearest{height < 0 ? Vec3(-part.n) : part.n, std::abs(height)};
        }
        case WallPart::Kind::Edge: {
            const double along = (x - part.a).dot(part.n);
            if (along < 0 || along > (part.b - part.a).dot(part.n)) return {};
            const Vec3 away = x - part.a - along * part.n;
            const double distance = away.norm();
            if (!(distance > 0)) return {};
            return Nearest{away / distance, distance};
        }
        case WallPart::Kind::Corner: {
            const double distance = (x - part.a).norm();
            if (!(distance > 0)) return {};
            return Nearest{(x - part.a) / distance, distance};
        }
    }
    return {};
}

bool is_farther(const WallPart& part, const Vec3& x, double distance) {
    switch (part.kind) {
        case WallPart::Kind::Plane:
        case WallPart::Kind::Face:
            return std::abs(part.n.dot(x - part.a)) > distance;
        case WallPart::Kind::Edge: {
            const Vec3 d = x - part.a;
            return d.squaredNorm() - square(d.dot(part.n)) > square(distance);
        }
        case WallPart::Kind::Corner:
            return (x - part.a).squaredNorm() > square(distance);
    }
    return false;
}

Around around(const WallPart& part) {
    const Vec3 centre =
        part.kind == WallPart::Kind::Face ? Vec3((part.a + part.b + part.c) / 3) : Vec3(0.5 * (part.a + part.b));
    const double radius = std::max({(part.a - centre).norm(), (part.b - centre).norm(), (part.c - centre).norm()});
    return {centre, radius * (1 + 1e-9)};
}

double touch_time(const WallPart& part, const Fall& fall, double radius, double end) {
    switch (part.kind) {
        case WallPart::Kind::Plane: {
            const double t =
                falls_below_zero(part.n.dot(fall.x - part.a) - radius, part.n.dot(fall.v), part.n.dot(fall.a));
            return t < end ? t : never;
        }
        case WallPart::Kind::Face:
            return face_time(part, fall, radius, end);
        case WallPart::Kind::Edge:
            return stays_ahead(part, fall, end) ? never : edge_time(part, fall, radius, end);
        case WallPart::Kind::Corner: {
            if (stays_ahead(part, fall, end)) return never;
            const Times times = comes_within({fall.x - part.a, fall.v, fall.a}, radius, end);
            return times.count > 0 ? times.at[0] : never;
        }
    }
    return never;
}

}  // namespace clangor::grains
