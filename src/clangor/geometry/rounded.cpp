#include <clangor/geometry/rounded.hpp>

#include <clangor/geometry/edges.hpp>
#include <clangor/geometry/pieces.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace clangor::geometry {
namespace {

constexpr double degree = pi / 180;

// Neighbours of a curved wall are of like width. A narrow strip beside a wide face is a bevel, and the wide one flat.
constexpr double most_uneven = 2.5;
// Of the faces around a vertex from their mean: more is the tip of a cone.
constexpr double most_spread = 20 * degree;
// 128 faces a turn, 4° along their diagonals, are as good as round: 0.05 % of a hemisphere's pitch.
constexpr double fine_turn = 4.5 * degree;
constexpr double least_height = 2e-4;  // of the body's size: lower bulges are not worth their faces
constexpr double most_rounded_faces = 60e3;
constexpr int most_levels = 4;
constexpr double most_volume_change = 0.1;

using Edge = std::array<int, 2>;  // vertices, the lower first
Edge edge_of(int a, int b) { return {std::min(a, b), std::max(a, b)}; }

/// An edge between two faces across which the wall goes on.
struct SmoothEdge {
    int corner, other_corner;  ///< the edge from the one face, and from the other
};

/// A surface whose edges are quadratic curves.
struct CurvedFaces {
    Points vertices;
    Triangles faces;
    std::map<Edge, Vec3> middle;  ///< of each edge, where it is not straight

    Vec3 middle_of(int a, int b) const {
        const auto found = middle.find(edge_of(a, b));
        return found != middle.end() ? found->second : Vec3((vertices.row(a) + vertices.row(b)) / 2);
    }
};

class Rounding {
public:
    explicit Rounding(const Surface& surface) : surface_(surface), normals_(surface.faces.rows(), 3) {
        for (int f = 0; f < surface.faces.rows(); ++f) normals_.row(f) = area(f).normalized();
        sort_edges();
        find_normals();
        find_tangents();
    }

    CurvedFaces curved() const {
        CurvedFaces result{surface_.vertices, surface_.faces, {}};
        const auto add = [&](int a, int b, const Vec3& bulge) {
            if (bulge.squaredNorm() > 0) result.middle[edge_of(a, b)] = (x(a) + x(b)) / 2 + bulge;
        };
        const std::vector<double> bends = bends_of_vertices();
        for (const SmoothEdge& edge : smooth_) {
            const int a = edge_begin(surface_.faces, edge.corner), b = edge_end(surface_.faces, edge.corner);
            add(a, b, bulge_of(edge, bends));
        }
        for (const auto& [a, b] : lines_) add(a, b, bulge_of_line(a, b));
        return result;
    }

private:
    Vec3 x(int v) const { return surface_.vertices.row(v); }
    Vec3 area(int f) const {
        const Vec3 a = x(surface_.faces(f, 0));
        return (x(surface_.faces(f, 1)) - a).cross(x(surface_.faces(f, 2)) - a) / 2;
    }
    static int next(int corner) { return corner / 3 * 3 + (corner + 1) % 3; }

    void sort_edges() {
        const EdgeTable table = edge_table(surface_.faces, static_cast<int>(surface_.vertices.rows()));
        for_each_edge(table, [&](int low, std::span<const EdgeUse> uses) {
            if (uses.size() == 2 && goes_on(uses[0].corner, uses[1].corner))
                smooth_.push_back({uses[0].corner, uses[1].corner});
            else
                lines_.push_back({low, uses[0].other});
        });
    }

    bool goes_on(int corner, int other) const {
        const int f = corner / 3, g = other / 3;
        const double turn = std::acos(std::clamp(normals_.row(f).dot(normals_.row(g)), -1.0, 1.0));
        if (turn > rounded_angle_deg * degree) return false;
        const double ratio = area(f).norm() / area(g).norm();  // over the same edge: of their widths
        return turn < 0.5 * degree || (ratio < most_uneven && ratio > 1 / most_uneven);
    }

    /// One normal for the faces around a vertex that go on into each other.
    void find_normals() {
        const int corners = 3 * static_cast<int>(surface_.faces.rows());
        FaceForest forest(corners);
        for (const auto& [corner, other] : smooth_) {
            forest.join(corner, next(other), false);
            forest.join(next(corner), other, false);
        }
        group_ = pieces_of(forest, corners);
        std::vector<Vec3> sum(group_.count, Vec3::Zero());
        for (int c = 0; c < corners; ++c) {
            const int v = edge_begin(surface_.faces, c);
            const Vec3 a = x(edge_end(surface_.faces, c)) - x(v);
            const Vec3 b = x(surface_.faces(c / 3, (c + 2) % 3)) - x(v);
            sum[group_.of_face[c]] += std::atan2(a.cross(b).norm(), a.dot(b)) * normals_.row(c / 3).transpose();
        }
        normal_ = std::move(sum);
        for (Vec3& n : normal_) n.normalize();
        is_tip_.assign(group_.count, false);
        for (int c = 0; c < corners; ++c)
            if (normals_.row(c / 3).dot(normal_[group_.of_face[c]]) < std::cos(most_spread))
                is_tip_[group_.of_face[c]] = true;
        at_border_.assign(surface_.vertices.rows(), false);
        for (const auto& [a, b] : lines_) at_border_[a] = at_border_[b] = true;
    }

    /// Directions of lines at vertices where two of their edges follow each other.
    void find_tangents() {
        std::vector<std::vector<int>> ends(surface_.vertices.rows());
        for (const auto& [a, b] : lines_) {
            ends[a].push_back(b);
            ends[b].push_back(a);
        }
        for (int v = 0; v < std::ssize(ends); ++v) {
            if (ends[v].size() != 2) continue;
            const Vec3 before = x(v) - x(ends[v][0]), after = x(ends[v][1]) - x(v);
            const double turn = std::atan2(before.cross(after).norm(), before.dot(after));
            const double ratio = before.norm() / after.norm();
            if (turn < rounded_angle_deg * degree && ratio < most_uneven && ratio > 1 / most_uneven)
                tangent_[v] = (before + after).normalized();
        }
    }

    /// How steeply the wall leaves the edge from v towards `to`, into the body: the sine of its turn along half the
    /// edge. Nothing where the vertex has no normal.
    std::optional<double> slope(int corner_at_v, int v, int to) const {
        const int group = group_.of_face[corner_at_v];
        if (is_tip_[group]) return {};
        return -normal_[group].dot((x(to) - x(v)).normalized());
    }

    struct Slopes {
        std::optional<double> a, b;
    };
    Slopes slopes(const SmoothEdge& edge) const {
        const int a = edge_begin(surface_.faces, edge.corner), b = edge_end(surface_.faces, edge.corner);
        return {slope(edge.corner, a, b), slope(next(edge.corner), b, a)};
    }

    /// Where they agree, twice the lesser: then a flat face beside a curved one stays flat.
    static double agreed(double a, double b) {
        return a * b > 0 ? 2 * std::copysign(std::min(std::abs(a), std::abs(b)), a) : 0;
    }

    /// The largest turn per length of the edges at a vertex whose both ends lie inside of a wall [1/m].
    std::vector<double> bends_of_vertices() const {
        std::vector<double> bends(surface_.vertices.rows(), 0.0);
        for (const SmoothEdge& edge : smooth_) {
            const int a = edge_begin(surface_.faces, edge.corner), b = edge_end(surface_.faces, edge.corner);
            const auto [at_a, at_b] = slopes(edge);
            if (at_border_[a] || at_border_[b] || !at_a || !at_b) continue;
            const double bend = std::abs(agreed(*at_a, *at_b)) / (x(b) - x(a)).norm();
            bends[a] = std::max(bends[a], bend);
            bends[b] = std::max(bends[b], bend);
        }
        return bends;
    }

    /// Of a circle's chord of length L that turns by θ: Lθ/8. At a border only faces on one side tell the normal, which
    /// is not that of the wall there; its curve is that of the other end, if the wall is seen to bend as much there.
    Vec3 bulge_of(const SmoothEdge& edge, const std::vector<double>& bends) const {
        const int a = edge_begin(surface_.faces, edge.corner), b = edge_end(surface_.faces, edge.corner);
        const auto [at_a, at_b] = slopes(edge);
        if (!at_a || !at_b) return Vec3::Zero();
        const double length = (x(b) - x(a)).norm();
        double turn = agreed(*at_a, *at_b);
        if (at_border_[a] != at_border_[b]) {
            const double inner = at_border_[a] ? *at_b : *at_a, most = 1.5 * bends[at_border_[a] ? b : a] * length;
            turn = std::clamp(2 * inner, -most, most);
        }
        const Vec3 along = (x(b) - x(a)) / length;
        Vec3 out = normal_[group_.of_face[edge.corner]] + normal_[group_.of_face[next(edge.corner)]];
        out -= out.dot(along) * along;
        return length * turn / 8 * out.normalized();
    }

    Vec3 bulge_of_line(int a, int b) const {
        const auto at_a = tangent_.find(a), at_b = tangent_.find(b);
        if (at_a == tangent_.end() || at_b == tangent_.end()) return Vec3::Zero();
        const double length = (x(b) - x(a)).norm();
        const Vec3 along = (x(b) - x(a)) / length;
        const Vec3 leaves = std::copysign(1.0, at_a->second.dot(along)) * at_a->second - along;
        const Vec3 arrives = along - std::copysign(1.0, at_b->second.dot(along)) * at_b->second;
        if (leaves.dot(arrives) <= 0) return Vec3::Zero();
        const double lesser = std::min(leaves.norm(), arrives.norm());
        Vec3 out = leaves + arrives;
        out -= out.dot(along) * along;
        return length * 2 * lesser / 8 * out.normalized();
    }

    const Surface& surface_;
    Points normals_;
    std::vector<SmoothEdge> smooth_;
    std::vector<Edge> lines_;
    Pieces group_;              ///< of corners
    std::vector<Vec3> normal_;  ///< by group
    std::vector<bool> is_tip_, at_border_;
    std::map<int, Vec3> tangent_;  ///< by vertex of a line
};

double height_of(const CurvedFaces& curved, const Edge& edge) {
    const Vec3 straight = (curved.vertices.row(edge[0]) + curved.vertices.row(edge[1])) / 2;
    return (curved.middle_of(edge[0], edge[1]) - straight).norm();
}

/// A quadratic patch at barycentric coordinates; m[k] is the middle of the side from corner k.
Vec3 on_patch(const std::array<Vec3, 3>& x, const std::array<Vec3, 3>& m, const Vec3& L) {
    Vec3 sum = Vec3::Zero();
    for (int k = 0; k < 3; ++k) sum += L[k] * (2 * L[k] - 1) * x[k] + 4 * L[k] * L[(k + 1) % 3] * m[k];
    return sum;
}

/// One level: edges that turn much are halved, and faces cut into two, three or four.
class Cut {
public:
    Cut(const CurvedFaces& from, double least) : from_(from) {
        for (const auto& [edge, middle] : from.middle) {
            const double height = height_of(from, edge);
            const double length = (from.vertices.row(edge[1]) - from.vertices.row(edge[0])).norm();
            if (height > least && 8 * height > fine_turn * length)
                number_[edge] = static_cast<int>(from.vertices.rows() + std::ssize(number_));
        }
    }
    bool is_needed() const { return !number_.empty(); }

    CurvedFaces result() {
        result_.vertices.resize(from_.vertices.rows() + std::ssize(number_), 3);
        result_.vertices.topRows(from_.vertices.rows()) = from_.vertices;
        for (const auto& [edge, v] : number_) result_.vertices.row(v) = from_.middle.at(edge);
        for (int f = 0; f < from_.faces.rows(); ++f) cut(f);
        result_.faces.resize(std::ssize(faces_), 3);
        for (long f = 0; f < std::ssize(faces_); ++f) result_.faces.row(f) << faces_[f][0], faces_[f][1], faces_[f][2];
        return std::move(result_);
    }

private:
    struct Node {
        int vertex;
        Vec3 L;
    };

    void cut(int f) {
        std::array<int, 3> v{};
        std::array<Vec3, 3> corners, middles;
        for (int k = 0; k < 3; ++k) {
            v[k] = from_.faces(f, k);
            corners[k] = from_.vertices.row(v[k]);
            middles[k] = from_.middle_of(v[k], from_.faces(f, (k + 1) % 3));
        }
        std::array<std::optional<Node>, 3> halves;
        for (int k = 0; k < 3; ++k) {
            const auto found = number_.find(edge_of(v[k], v[(k + 1) % 3]));
            if (found != number_.end()) halves[k] = Node{found->second, (Vec3::Unit(k) + Vec3::Unit((k + 1) % 3)) / 2};
        }
        const auto add = [&](const Node& a, const Node& b, const Node& c) {
            faces_.push_back({a.vertex, b.vertex, c.vertex});
            for (const auto& [p, q] : {std::pair(&a, &b), std::pair(&b, &c), std::pair(&c, &a)})
                result_.middle.try_emplace(edge_of(p->vertex, q->vertex),
                                           on_patch(corners, middles, (p->L + q->L) / 2));
        };
        const auto corner = [&](int k) { return Node{v[k % 3], Vec3::Unit(k % 3)}; };
        const long count = std::ranges::count_if(halves, [](const auto& half) { return half.has_value(); });
        int k = 0;  // turned so that side k is halved and, of two, the side before it
        if (count == 1)
            while (!halves[k]) ++k;
        if (count == 2)
            while (halves[(k + 1) % 3]) ++k;
        const auto half = [&](int i) { return *halves[(k + i) % 3]; };
        if (count == 0) add(corner(0), corner(1), corner(2));
        if (count == 1) {
            add(corner(k), half(0), corner(k + 2));
            add(half(0), corner(k + 1), corner(k + 2));
        }
        if (count == 2) {
            add(corner(k), half(0), half(2));
            add(half(0), corner(k + 1), corner(k + 2));
            add(half(0), corner(k + 2), half(2));
        }
        if (count == 3) {
            for (int i = 0; i < 3; ++i) add(corner(i), *halves[i], *halves[(i + 2) % 3]);
            add(*halves[0], *halves[1], *halves[2]);
        }
    }

    const CurvedFaces& from_;
    std::map<Edge, int> number_;  ///< of the vertex in the middle of each edge that is halved
    CurvedFaces result_;
    std::vector<std::array<int, 3>> faces_;
};

}  // namespace

Surface rounded(const Surface& surface) {
    CurvedFaces curved = Rounding(surface).curved();
    const double least = least_height * bounds_of(surface.vertices).diagonal();
    for (int level = 0; level < most_levels; ++level) {
        if (4 * static_cast<double>(curved.faces.rows()) > most_rounded_faces) break;
        Cut cut(curved, least);
        if (!cut.is_needed()) break;
        curved = cut.result();
    }
    if (curved.faces.rows() == surface.faces.rows()) return {};
    Surface result{curved.vertices, curved.faces};
    const double before = mass_properties(surface).volume, after = mass_properties(result).volume;
    if (std::abs(after - before) > most_volume_change * before || self_intersects(result)) return {};
    return result;
}

}  // namespace clangor::geometry
