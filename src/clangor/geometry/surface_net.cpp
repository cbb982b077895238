#include <clangor/geometry/surface_net.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clangor::remeshing {
namespace {

constexpr double sharp_angle_deg = 40;  // as elsewhere: finer steps than a 9-sided cylinder's are a smooth wall
constexpr double bend_deg = 40;         // a line that turns by more has a corner there

bool contains(const std::vector<int>& list, int value) {
    return std::find(list.begin(), list.end(), value) != list.end();
}
void drop(std::vector<int>& list, int value) { list.erase(std::remove(list.begin(), list.end(), value), list.end()); }
void add_once(std::vector<int>& list, int value) {
    if (!contains(list, value)) list.push_back(value);
}

void mark_lines(SurfaceNet& net) {
    const double cos_sharp = std::cos(sharp_angle_deg * pi / 180);
    for (const auto& [a, b] : edges_of(net)) {
        const std::vector<int> sides = faces_at_edge(net, a, b);
        if (sides.size() == 1) net.rim[a] = net.rim[b] = 1;
        if (sides.size() > 2) net.fixed[a] = net.fixed[b] = 2;
        const bool smooth =
            sides.size() == 2 &&
            area_vector(net, net.faces[sides[0]]).normalized().dot(area_vector(net, net.faces[sides[1]]).normalized()) >
                cos_sharp;
        if (smooth) continue;
        net.lines[a].push_back(b);
        net.lines[b].push_back(a);
    }
    const double cos_bend = std::cos(bend_deg * pi / 180);
    for (std::size_t v = 0; v < net.x.size(); ++v) {
        const std::vector<int>& ends = net.lines[v];
        if (ends.empty()) continue;
        net.fixed[v] |=
            ends.size() != 2 ||
            (net.x[v] - net.x[ends[0]]).normalized().dot((net.x[ends[1]] - net.x[v]).normalized()) < cos_bend;
    }
}

}  // namespace

SurfaceNet net_of(const Surface& surface) {
    SurfaceNet net;
    const std::size_t count = surface.vertices.rows();
    net.around.resize(count);
    net.lines.resize(count);
    net.fixed.assign(count, 0);
    net.rim.assign(count, 0);
    for (int v = 0; v < surface.vertices.rows(); ++v) net.x.emplace_back(surface.vertices.row(v));
    for (int f = 0; f < surface.faces.rows(); ++f) {
        net.faces.push_back({surface.faces(f, 0), surface.faces(f, 1), surface.faces(f, 2)});
        for (const int v : net.faces.back()) net.around[v].push_back(f);
    }
    mark_lines(net);
    return net;
}

Surface surface_from(const SurfaceNet& net) {
    std::vector<int> number(net.x.size(), -1);
    int vertices = 0, faces = 0;
    for (std::size_t v = 0; v < net.x.size(); ++v)
        if (!net.around[v].empty()) number[v] = vertices++;
    for (const Face& face : net.faces) faces += face != no_face;
    Surface surface{Points(vertices, 3), Triangles(faces, 3)};
    for (std::size_t v = 0; v < net.x.size(); ++v)
        if (number[v] >= 0) surface.vertices.row(number[v]) = net.x[v];
    int row = 0;
    for (const Face& face : net.faces)
        if (face != no_face) surface.faces.row(row++) << number[face[0]], number[face[1]], number[face[2]];
    return surface;
}

std::vector<int> neighbours(const SurfaceNet& net, int vertex) {
    std::vector<int> list;
    for (const int f : net.around[vertex])
        for (const int v : net.faces[f])
            if (v != vertex) list.push_back(v);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

std::vector<int> faces_at_edge(const SurfaceNet& net, int a, int b) {
    std::vector<int> list;
    for (const int f : net.around[a])
        if (const Face& face = net.faces[f]; face[0] == b || face[1] == b || face[2] == b) list.push_back(f);
    return list;
}

bool on_line(const SurfaceNet& net, int a, int b) { return contains(net.lines[a], b); }

std::vector<std::array<int, 2>> edges_of(const SurfaceNet& net) {
    std::vector<std::array<int, 2>> edges;
    for (const Face& face : net.faces) {
        if (face == no_face) continue;
        for (std::size_t k = 0; k < 3; ++k)
            edges.push_back({std::min(face[k], face[(k + 1) % 3]), std::max(face[k], face[(k + 1) % 3])});
    }
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

int opposite(const Face& face, int a, int b) {
    for (const int v : face)
        if (v != a && v != b) return v;
    return -1;
}

Vec3 area_vector(const SurfaceNet& net, const Face& face) {
    const Vec3 &a = net.x[face[0]], &b = net.x[face[1]], &c = net.x[face[2]];
    return (b - a).cross(c - a) / 2;
}

double least_angle(const Vec3& a, const Vec3& b, const Vec3& c) {
    // The least angle lies opposite to the shortest side, between the two others.
    std::array<std::tuple<double, Vec3, Vec3>, 3> sides = {std::tuple{(a - b).squaredNorm(), Vec3(a - c), Vec3(b - c)},
                                                           std::tuple{(b - c).squaredNorm(), Vec3(b - a), Vec3(c - a)},
                                                           std::tuple{(c - a).squaredNorm(), Vec3(c - b), Vec3(a - b)}};
    const auto& [shortest, u, v] = *std::min_element(
        sides.begin(), sides.end(), [](const auto& l, const auto& r) { return std::get<0>(l) < std::get<0>(r); });
    return shortest > 0 ? std::atan2(u.cross(v).norm(), u.dot(v)) : 0;
}

// The link condition [Dey1999]: whoever is a neighbour of both is a corner of a face between them.
bool may_collapse(const SurfaceNet& net, int a, int b) {
    const std::vector<int> between = faces_at_edge(net, a, b);
    if (between.empty() || between.size() > 2 || net.fixed[a] > 1) return false;
    if (net.rim[a] && (between.size() == 2 || net.around[a].size() < 2)) return false;
    const std::vector<int> of_a = neighbours(net, a), of_b = neighbours(net, b);
    std::vector<int> common;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
    if (common.size() != between.size()) return false;
    for (const int f : between) {
        const int c = opposite(net.faces[f], a, b);
        if (!contains(common, c)) return false;
        const std::size_t left = net.around[c].size() - 1;
        if (left < (net.rim[c] ? 1 : 3)) return false;  // else two faces would lie on each other
    }
    return net.around[a].size() > between.size();
}

void collapse(SurfaceNet& net, int a, int b) {
    for (const int f : net.around[a]) {
        Face& face = net.faces[f];
        if (contains({face[0], face[1], face[2]}, b)) {
            for (const int v : face)
                if (v != a) drop(net.around[v], f);
            face = no_face;
        } else {
            std::replace(face.begin(), face.end(), a, b);
            net.around[b].push_back(f);
        }
    }
    net.around[a].clear();
    for (const int end : net.lines[a]) {
        drop(net.lines[end], a);
        if (end == b) continue;
        add_once(net.lines[end], b);
        add_once(net.lines[b], end);
    }
    net.lines[a].clear();
    net.fixed[b] |= net.fixed[a];
    net.rim[b] |= net.rim[a];
}

int split(SurfaceNet& net, int a, int b, const Vec3& x) {
    const int middle = static_cast<int>(net.x.size());
    const std::vector<int> sides = faces_at_edge(net, a, b);
    net.x.push_back(x);
    net.around.emplace_back();
    net.lines.emplace_back();
    net.fixed.push_back(sides.size() > 2 ? 2 : 0);
    net.rim.push_back(sides.size() == 1);
    for (const int f : sides) {  // one half keeps the number, the other gets a new one
        Face half = net.faces[f];
        const int c = opposite(half, a, b), added = static_cast<int>(net.faces.size());
        std::replace(half.begin(), half.end(), a, middle);
        std::replace(net.faces[f].begin(), net.faces[f].end(), b, middle);
        net.faces.push_back(half);
        drop(net.around[b], f);
        for (const int v : {b, c, middle}) net.around[v].push_back(added);
        net.around[middle].push_back(f);
    }
    if (on_line(net, a, b)) {
        std::replace(net.lines[a].begin(), net.lines[a].end(), b, middle);
        std::replace(net.lines[b].begin(), net.lines[b].end(), a, middle);
        net.lines[middle] = {a, b};
    }
    return middle;
}

bool may_flip(const SurfaceNet& net, int a, int b) {
    const std::vector<int> sides = faces_at_edge(net, a, b);
    if (sides.size() != 2 || on_line(net, a, b)) return false;
    const int c = opposite(net.faces[sides[0]], a, b), d = opposite(net.faces[sides[1]], a, b);
    if (c == d || !faces_at_edge(net, c, d).empty()) return false;
    return net.around[a].size() > 3 && net.around[b].size() > 3;
}

void flip(SurfaceNet& net, int a, int b) {
    const std::vector<int> sides = faces_at_edge(net, a, b);
    Face &first = net.faces[sides[0]], &second = net.faces[sides[1]];
    const int c = opposite(first, a, b), d = opposite(second, a, b);
    std::replace(first.begin(), first.end(), b, d);
    std::replace(second.begin(), second.end(), a, c);
    drop(net.around[b], sides[0]);
    drop(net.around[a], sides[1]);
    net.around[d].push_back(sides[0]);
    net.around[c].push_back(sides[1]);
}

}  // namespace clangor::remeshing
