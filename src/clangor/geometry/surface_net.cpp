#include <clangor/geometry/surface_net.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clangor::remeshing {
namespace {

constexpr double sharp_angle_deg = 40;  // as elsewhere: finer steps than a 9-sided cylinder's are a smooth wall
constexpr double bend_deg = 40;         // a line that turns by more has a corner there

std::size_t at(int i) { return static_cast<std::size_t>(i); }

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
        if (sides.size() == 1) net.rim[at(a)] = net.rim[at(b)] = 1;
        if (sides.size() > 2) net.fixed[at(a)] = net.fixed[at(b)] = 2;
        const bool smooth =
            sides.size() == 2 && area_vector(net, net.faces[at(sides[0])])
                                         .normalized()
                                         .dot(area_vector(net, net.faces[at(sides[1])]).normalized()) > cos_sharp;
        if (smooth) continue;
        net.lines[at(a)].push_back(b);
        net.lines[at(b)].push_back(a);
    }
    const double cos_bend = std::cos(bend_deg * pi / 180);
    for (std::size_t v = 0; v < net.x.size(); ++v) {
        const std::vector<int>& ends = net.lines[v];
        if (ends.empty()) continue;
        net.fixed[v] |=
            ends.size() != 2 ||
            (net.x[v] - net.x[at(ends[0])]).normalized().dot((net.x[at(ends[1])] - net.x[v]).normalized()) < cos_bend;
    }
}

}  // namespace

SurfaceNet net_of(const Surface& surface) {
    SurfaceNet net;
    const std::size_t count = static_cast<std::size_t>(surface.vertices.rows());
    net.around.resize(count);
    net.lines.resize(count);
    net.fixed.assign(count, 0);
    net.rim.assign(count, 0);
    for (int v = 0; v < surface.vertices.rows(); ++v) net.x.emplace_back(surface.vertices.row(v));
    for (int f = 0; f < surface.faces.rows(); ++f) {
        net.faces.push_back({surface.faces(f, 0), surface.faces(f, 1), surface.faces(f, 2)});
        for (const int v : net.faces.back()) net.around[at(v)].push_back(f);
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
        if (face != no_face) surface.faces.row(row++) << number[at(face[0])], number[at(face[1])], number[at(face[2])];
    return surface;
}

std::vector<int> neighbours(const SurfaceNet& net, int vertex) {
    std::vector<int> list;
    for (const int f : net.around[at(vertex)])
        for (const int v : net.faces[at(f)])
            if (v != vertex) list.push_back(v);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
}

std::vector<int> faces_at_edge(const SurfaceNet& net, int a, int b) {
    std::vector<int> list;
    for (const int f : net.around[at(a)])
        if (const Face& face = net.faces[at(f)]; face[0] == b || face[1] == b || face[2] == b) list.push_back(f);
    return list;
}

bool on_line(const SurfaceNet& net, int a, int b) { return contains(net.lines[at(a)], b); }

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
    const Vec3 &a = net.x[at(face[0])], &b = net.x[at(face[1])], &c = net.x[at(face[2])];
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
    if (between.empty() || between.size() > 2 || net.fixed[at(a)] > 1) return false;
    if (net.rim[at(a)] && (between.size() == 2 || net.around[at(a)].size() < 2)) return false;
    const std::vector<int> of_a = neighbours(net, a), of_b = neighbours(net, b);
    std::vector<int> common;
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(), std::back_inserter(common));
    if (common.size() != between.size()) return false;
    for (const int f : between) {
        const int c = opposite(net.faces[at(f)], a, b);
        if (!contains(common, c)) return false;
        const std::size_t left = net.around[at(c)].size() - 1;
        if (left < (net.rim[at(c)] ? 1 : 3)) return false;  // else two faces would lie on each other
    }
    return net.around[at(a)].size() > between.size();
}

void collapse(SurfaceNet& net, int a, int b) {
    for (const int f : net.around[at(a)]) {
        Face& face = net.faces[at(f)];
        if (contains({face[0], face[1], face[2]}, b)) {
            for (const int v : face)
                if (v != a) drop(net.around[at(v)], f);
            face = no_face;
        } else {
            std::replace(face.begin(), face.end(), a, b);
            net.around[at(b)].push_back(f);
        }
    }
    net.around[at(a)].clear();
    for (const int end : net.lines[at(a)]) {
        drop(net.lines[at(end)], a);
        if (end == b) continue;
        add_once(net.lines[at(end)], b);
        add_once(net.lines[at(b)], end);
    }
    net.lines[at(a)].clear();
    net.fixed[at(b)] |= net.fixed[at(a)];
    net.rim[at(b)] |= net.rim[at(a)];
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
        Face half = net.faces[at(f)];
        const int c = opposite(half, a, b), added = static_cast<int>(net.faces.size());
        std::replace(half.begin(), half.end(), a, middle);
        std::replace(net.faces[at(f)].begin(), net.faces[at(f)].end(), b, middle);
        net.faces.push_back(half);
        drop(net.around[at(b)], f);
        for (const int v : {b, c, middle}) net.around[at(v)].push_back(added);
        net.around[at(middle)].push_back(f);
    }
    if (on_line(net, a, b)) {
        std::replace(net.lines[at(a)].begin(), net.lines[at(a)].end(), b, middle);
        std::replace(net.lines[at(b)].begin(), net.lines[at(b)].end(), a, middle);
        net.lines[at(middle)] = {a, b};
    }
    return middle;
}

bool may_flip(const SurfaceNet& net, int a, int b) {
    const std::vector<int> sides = faces_at_edge(net, a, b);
    if (sides.size() != 2 || on_line(net, a, b)) return false;
    const int c = opposite(net.faces[at(sides[0])], a, b), d = opposite(net.faces[at(sides[1])], a, b);
    if (c == d || !faces_at_edge(net, c, d).empty()) return false;
    return net.around[at(a)].size() > 3 && net.around[at(b)].size() > 3;
}

void flip(SurfaceNet& net, int a, int b) {
    const std::vector<int> sides = faces_at_edge(net, a, b);
    Face &first = net.faces[at(sides[0])], &second = net.faces[at(sides[1])];
    const int c = opposite(first, a, b), d = opposite(second, a, b);
    std::replace(first.begin(), first.end(), b, d);
    std::replace(second.begin(), second.end(), a, c);
    drop(net.around[at(b)], sides[0]);
    drop(net.around[at(a)], sides[1]);
    net.around[at(d)].push_back(sides[0]);
    net.around[at(c)].push_back(sides[1]);
}

}  // namespace clangor::remeshing
