#include <clangor/geometry/remesh.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::remeshing {
namespace {

// Shorter edges are collapsed and longer ones split, so that neither pass undoes the other [Botsch2004]. Differs: 1.3
// for 4/3, since laying the faces through the given ones lengthens edges a little more.
constexpr double shortest = 0.8, longest = 1.3;

// The new faces may leave the given ones by this part of an edge, and by this part of a wall: less than half, or the
// two sides of a wall could meet. 0.15 leaves a wire at least a square section, and a bowl of 80 mm with a wall of 3 mm
// edges of 12 mm.
constexpr double deviation_of_edge = 0.08, deviation_of_wall = 0.15;

constexpr double poor_angle = 15 * pi / 180;  // no change makes a face worse than that, or than it was

using RankedEdge = std::pair<double, std::array<int, 2>>;

// The longest first: cutting those first makes no needles.
std::vector<RankedEdge> long_edges(const SurfaceNet& net, double limit) {
    std::vector<RankedEdge> edges;
    for (const auto& edge : edges_of(net))
        if (const double l = length(net, edge[0], edge[1]); l > limit) edges.push_back({-l, edge});
    std::sort(edges.begin(), edges.end());
    return edges;
}

class Remesher {
public:
    Remesher(const Surface& surface, const Original& original, double edge_length)
        : net_(net_of(surface)), original_(original), target_(edge_length) {}

    // By doublings, so that each time there is little to collapse and shapes stay good: 330 000 faces to 1300 at once
    // leave angles of 11° and 38 % of the flux on some faces.
    Surface run() {
        const double final_target = target_;
        for (target_ = 2 * mean_edge(); target_ < final_target / 1.5; target_ *= 2) round();
        target_ = final_target;
        for (int i = 0; i < 4; ++i) round();
        flip_bad();
        split_long();
        flip_bad();
        return surface_from(net_);
    }

private:
    void round() {
        split_long();
        collapse_short();
        flip_bad();
        for (int pass = 0; pass < 2; ++pass) smooth();
    }

    double mean_edge() const {
        double sum = 0;
        const auto edges = edges_of(net_);
        for (const auto& [a, b] : edges) sum += length(net_, a, b);
        return sum / static_cast<double>(edges.size());
    }

    bool near_original(const Vec3& point, const Vec3& normal) const {
        const ClosestPoint found = original_.surface(point, normal);
        return found.distance <= original_.tolerance[found.face];
    }

    Vec3 vertex_normal(int v) const {
        Vec3 normal = Vec3::Zero();
        for (const int f : net_.around[v]) normal += area_vector(net_, net_.faces[f]);
        return normal.normalized();
    }

    // Whether the faces around a vertex may become these: not folded over, not much worse shaped, and near the given
    // surface. `moved` is a corner of every new face; edges are measured once, from the face that begins with them.
    bool acceptable(const std::vector<Face>& before, const std::vector<Face>& after, int moved, const Vec3& x) const {
        const auto position = [&](int v) -> const Vec3& { return v == moved ? x : net_.x[v]; };
        double worst_before = pi, worst_after = pi;
        for (const Face& f : before)
            worst_before = std::min(worst_before, least_angle(net_.x[f[0]], net_.x[f[1]], net_.x[f[2]]));
        for (std::size_t i = 0; i < after.size(); ++i) {
            const Face& f = after[i];
            const Vec3 &a = position(f[0]), &b = position(f[1]), &c = position(f[2]);
            worst_after = std::min(worst_after, least_angle(a, b, c));
            const Vec3 n = (b - a).cross(c - a).normalized(), old = area_vector(net_, before[i]).normalized();
            if (n.dot(old) < 0.4 && old.squaredNorm() > 0.5) return false;
        }
        if (worst_after < std::min(poor_angle, worst_before)) return false;
        for (const Face& f : after) {
            const Vec3 &a = position(f[0]), &b = position(f[1]), &c = position(f[2]);
            const Vec3 n = (b - a).cross(c - a).normalized();
            if (!near_original((a + b + c) / 3, n)) return false;
            for (std::size_t k = 0; k < 3; ++k)
                if (f[k] == moved && !near_original((x + position(f[(k + 1) % 3])) / 2, n)) return false;
        }
        return true;
    }

    std::vector<Face> faces_around(int v, int without) const {
        std::vector<Face> list;
        for (const int f : net_.around[v])
            if (const Face& face = net_.faces[f]; std::count(face.begin(), face.end(), without) == 0)
                list.push_back(face);
        return list;
    }

    // Lines are kept: a vertex leaves along its line only, and corners stay, unless all this is finer than the
    // tolerance.
    bool line_allows(int a, int b) const {
        if (net_.lines[a].empty()) return true;
        const bool along = !net_.fixed[a] && net_.lines[a].size() == 2 && on_line(net_, a, b);
        if (!along) {
            if (net_.rim[a]) return false;
            const ClosestPoint found = original_.surface(net_.x[a], vertex_normal(a));
            return length(net_, a, b) < original_.tolerance[found.face];
        }
        const int end = net_.lines[a][net_.lines[a][0] == b];
        const Vec3 middle = (net_.x[end] + net_.x[b]) / 2;
        const auto& lines = net_.rim[a] ? original_.rims : original_.lines;
        return (*lines)(middle).distance <= deviation_of_edge * target_;
    }

    bool try_collapse(int a, int b) {
        if (!may_collapse(net_, a, b) || !line_allows(a, b)) return false;
        for (const int v : neighbours(net_, a))
            if (v != b && length(net_, v, b) > longest * target_) return false;
        const std::vector<Face> before = faces_around(a, b);
        std::vector<Face> after = before;
        for (Face& f : after) std::replace(f.begin(), f.end(), a, b);
        if (!acceptable(before, after, b, net_.x[b])) return false;
        collapse(net_, a, b);
        return true;
    }

    void collapse_short() {
        for (int pass = 0; pass < 40; ++pass) {
            std::vector<RankedEdge> edges;
            for (const auto& edge : edges_of(net_))
                if (const double l = length(net_, edge[0], edge[1]); l < shortest * target_) edges.push_back({l, edge});
            std::sort(edges.begin(), edges.end());
            std::size_t done = 0;
            for (const auto& [was, edge] : edges) {
                const auto [a, b] = edge;
                if (faces_at_edge(net_, a, b).empty()) continue;
                const bool b_first = net_.lines[b].size() < net_.lines[a].size();
                done +=
                    try_collapse(b_first ? b : a, b_first ? a : b) || try_collapse(b_first ? a : b, b_first ? b : a);
            }
            if (done * 200 <= edges.size()) return;
        }
    }

    void split_long() {
        for (auto edges = long_edges(net_, longest * target_); !edges.empty();
             edges = long_edges(net_, longest * target_))
            for (const auto& [was, edge] : edges) split_at(edge[0], edge[1]);
    }

    // In the middle, laid onto the given surface or line where that folds nothing.
    void split_at(int a, int b) {
        const Vec3 middle = (net_.x[a] + net_.x[b]) / 2;
        Vec3 normal = Vec3::Zero();
        for (const int f : faces_at_edge(net_, a, b)) normal += area_vector(net_, net_.faces[f]);
        const Vec3 laid = on_line(net_, a, b) ? (*original_.lines)(middle).point
                                              : original_.surface(middle, normal.normalized()).point;
        const int v = split(net_, a, b, middle);
        std::vector<Face> faces = faces_around(v, -1);
        if ((laid - middle).norm() < 0.2 * length(net_, a, b) && acceptable(faces, faces, v, laid)) net_.x[v] = laid;
    }

    void flip_bad() {
        for (int pass = 0; pass < 4; ++pass) {
            int done = 0;
            for (const auto& [a, b] : edges_of(net_)) done += try_flip(a, b);
            if (done == 0) return;
        }
    }

    bool try_flip(int a, int b) {
        if (faces_at_edge(net_, a, b).size() != 2) return false;
        const std::vector<int> sides = faces_at_edge(net_, a, b);
        Face first = net_.faces[sides[0]], second = net_.faces[sides[1]];
        const int c = opposite(first, a, b), d = opposite(second, a, b);
        const auto angle = [&](const Face& f) { return least_angle(net_.x[f[0]], net_.x[f[1]], net_.x[f[2]]); };
        const double before = std::min(angle(first), angle(second));
        const Vec3 n1 = area_vector(net_, first).normalized(), n2 = area_vector(net_, second).normalized();
        std::replace(first.begin(), first.end(), b, d);
        std::replace(second.begin(), second.end(), a, c);
        if (std::min(angle(first), angle(second)) < before + 1e-3) return false;
        if (length(net_, c, d) > std::max(longest * target_, length(net_, a, b)) || !may_flip(net_, a, b)) return false;
        for (const Face& face : {first, second}) {
            const Vec3 n = area_vector(net_, face).normalized();
            // A face without area has no say: flipping is how it goes.
            if (n.dot(n1) < 0.5 && n1.squaredNorm() > 0.5) return false;
            if (n.dot(n2) < 0.5 && n2.squaredNorm() > 0.5) return false;
        }
        if (!near_original((net_.x[c] + net_.x[d]) / 2, (n1 + n2).normalized())) return false;
        flip(net_, a, b);
        return true;
    }

    // Each vertex to the middle of its faces, on a line to the middle of its two neighbours there; then back onto the
    // given one.
    void smooth() {
        for (int v = 0; v < static_cast<int>(net_.x.size()); ++v) {
            if (net_.around[v].empty() || net_.fixed[v]) continue;
            const std::vector<int>& ends = net_.lines[v];
            if (!ends.empty() && ends.size() != 2) continue;
            const Vec3 x = ends.empty() ? smoothed(v) : (*original_.lines)(smoothed_on_line(v)).point;
            const std::vector<Face> faces = faces_around(v, -1);
            if (acceptable(faces, faces, v, x)) net_.x[v] = x;
        }
    }

    Vec3 smoothed(int v) const {
        Vec3 sum = Vec3::Zero(), normal = Vec3::Zero();
        double weight = 0;
        for (const int f : net_.around[v]) {
            const Face& face = net_.faces[f];
            const Vec3 area = area_vector(net_, face);
            sum += area.norm() * (net_.x[face[0]] + net_.x[face[1]] + net_.x[face[2]]) / 3;
            weight += area.norm();
            normal += area;
        }
        if (!(weight > 0) || !(normal.norm() > 0)) return net_.x[v];
        normal.normalize();
        const Vec3 step = sum / weight - net_.x[v];
        return original_.surface(net_.x[v] + step - normal * normal.dot(step), normal).point;
    }

    Vec3 smoothed_on_line(int v) const {
        const Vec3 &x = net_.x[v], &a = net_.x[net_.lines[v][0]], &b = net_.x[net_.lines[v][1]];
        const Vec3 along = (b - a).normalized();
        return x + along * along.dot((a + b) / 2 - x);
    }

    SurfaceNet net_;
    const Original& original_;
    double target_;
};

Surface line_surface(const SurfaceNet& net, const Points& vertices, bool rims_only) {
    std::vector<std::array<int, 2>> lines;
    for (int v = 0; v < static_cast<int>(net.lines.size()); ++v)
        for (const int end : net.lines[v])
            if (v < end && (!rims_only || faces_at_edge(net, v, end).size() == 1)) lines.push_back({v, end});
    Surface surface{vertices, Triangles(static_cast<int>(lines.size()), 3)};
    for (std::size_t i = 0; i < lines.size(); ++i)
        surface.faces.row(static_cast<int>(i)) << lines[i][0], lines[i][1], lines[i][1];
    return surface;
}

}  // namespace

Original original_of(const Surface& surface, double edge_length, double strictness) {
    Original original{.surface = FacingQuery(surface)};
    const SurfaceNet net = net_of(surface);
    if (const Surface lines = line_surface(net, surface.vertices, false); lines.faces.rows() > 0)
        original.lines.emplace(lines);
    if (const Surface rims = line_surface(net, surface.vertices, true); rims.faces.rows() > 0)
        original.rims.emplace(rims);
    const double free = deviation_of_edge * edge_length;
    original.tolerance =
        clearances(surface, original.surface, free / deviation_of_wall) * deviation_of_wall / strictness;
    return original;
}

Surface remeshed(const Surface& surface, const Original& original, double edge_length) {
    return Remesher(surface, original, edge_length).run();
}

Surface refined(const Surface& surface, double edge_length) {
    SurfaceNet net = net_of(surface);
    const double limit = longest * edge_length;
    for (auto edges = long_edges(net, limit); !edges.empty(); edges = long_edges(net, limit))
        for (const auto& [was, edge] : edges) split(net, edge[0], edge[1], (net.x[edge[0]] + net.x[edge[1]]) / 2);
    return surface_from(net);
}

}  // namespace clangor::remeshing
