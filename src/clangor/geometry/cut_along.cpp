// Nodes on the border of a patch of the boundary: edges that cross it are split where they do.
//
// An edge is split with all cells around it, each into two: that never folds a cell and leaves no hanging node. Once
// every boundary edge across the border has been split at its crossing, none crosses it any more, since the new edges
// start on it. Patches smaller than an element are first refined, longest edges first [Rivara1984].
#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/tet_faces.hpp>

#include <algorithm>
#include <array>
#include <set>

namespace clangor {
namespace {

constexpr int most_refinements = 4000;

// A crossing this near to an end of its edge is taken to be there: cells do not get thinner than that.
constexpr double nearest_crossing = 0.02;

using Edge = std::array<int, 2>;  // ascending

Edge edge_of(int a, int b) { return a < b ? Edge{a, b} : Edge{b, a}; }

template <class Corners>
bool holds(const Corners& corners, int node) {
    return std::find(corners.begin(), corners.end(), node) != corners.end();
}

class CutMesh {
public:
    CutMesh(const TetMesh& mesh, const Surface& surface) : surface_(surface) {
        for (long i = 0; i < mesh.nodes.rows(); ++i) nodes_.emplace_back(mesh.nodes.row(i));
        for (long c = 0; c < mesh.cells.rows(); ++c)
            cells_.push_back({mesh.cells(c, 0), mesh.cells(c, 1), mesh.cells(c, 2), mesh.cells(c, 3)});
        for (const geometry::CellFace& face : geometry::boundary_faces(mesh.cells)) {
            std::array<int, 3> corners{};
            for (size_t k = 0; k < 3; ++k) corners[k] = mesh.cells(face.cell, geometry::face_nodes[face.side][k]);
            faces_.push_back(corners);
            for (size_t k = 0; k < 3; ++k) edges_.insert(edge_of(corners[k], corners[(k + 1) % 3]));
        }
    }

    const std::set<Edge>& boundary_edges() const { return edges_; }

    const Vec3& at(int node) const { return nodes_[size_t(node)]; }
    double length(const Edge& edge) const { return (at(edge[1]) - at(edge[0])).norm(); }

    // The longest edge that one comes to by going from cell to cell as long as edges get longer.
    Edge longest_near(Edge edge) const {
        for (bool again = true; again;) {
            again = false;
            for (const auto& cell : cells_) {
                if (!holds(cell, edge[0]) || !holds(cell, edge[1])) continue;
                for (const auto& ends : geometry::edge_nodes) {
                    const Edge other = edge_of(cell[size_t(ends[0])], cell[size_t(ends[1])]);
                    if (length(other) <= length(edge) * (1 + 1e-9)) continue;
                    edge = other;
                    again = true;
                }
            }
        }
        return edge;
    }

    // At so much of the way from its first end. What lies on a curved wall is put there, unless that folds a cell.
    void split(Edge edge, double share) {
        const int added = int(nodes_.size());
        const Vec3 straight = at(edge[0]) + share * (at(edge[1]) - at(edge[0]));
        const bool is_on_boundary = edges_.contains(edge);
        nodes_.push_back(is_on_boundary ? surface_(straight).point : straight);
        split_all(cells_, edge, added);
        if (is_on_boundary) split_faces(edge, added);
        const auto is_thin = [&](const auto& cell) { return holds(cell, added) && !(volume(cell) > 0); };
        if (std::ranges::any_of(cells_, is_thin)) nodes_.back() = straight;
    }

    TetMesh mesh() const {
        TetMesh mesh{Points(long(nodes_.size()), 3), Cells(long(cells_.size()), 4)};
        for (long i = 0; i < mesh.nodes.rows(); ++i) mesh.nodes.row(i) = nodes_[size_t(i)];
        for (long c = 0; c < mesh.cells.rows(); ++c)
            for (long k = 0; k < 4; ++k) mesh.cells(c, k) = cells_[size_t(c)][size_t(k)];
        return mesh;
    }

private:
    template <class Corners>
    static void split_all(std::vector<Corners>& all, const Edge& edge, int added) {
        for (std::size_t i = 0, count = all.size(); i < count; ++i) {
            if (!holds(all[i], edge[0]) || !holds(all[i], edge[1])) continue;
            Corners other = all[i];
            std::ranges::replace(all[i], edge[1], added);
            std::ranges::replace(other, edge[0], added);
            all.push_back(other);
        }
    }

    void split_faces(const Edge& edge, int added) {
        edges_.erase(edge);
        for (const auto& face : faces_)
            if (holds(face, edge[0]) && holds(face, edge[1]))
                for (const int corner : face) edges_.insert(edge_of(corner, added));
        split_all(faces_, edge, added);
    }

    double volume(const std::array<int, 4>& cell) const {
        const Vec3& o = at(cell[0]);
        return (at(cell[1]) - o).cross(at(cell[2]) - o).dot(at(cell[3]) - o) / 6;
    }

    std::vector<Vec3> nodes_;
    std::vector<std::array<int, 4>> cells_;
    std::vector<std::array<int, 3>> faces_;  // of the boundary
    std::set<Edge> edges_;                   // of these
    ClosestPointQuery surface_;
};

// Until no edge that may touch the patch is longer.
void refine(CutMesh& mesh, const PatchDistance& distance, double longest) {
    for (int i = 0; i < most_refinements; ++i) {
        Edge found{-1, -1};
        double length = longest;
        for (const Edge& edge : mesh.boundary_edges()) {
            if (mesh.length(edge) <= length) continue;
            if (distance((mesh.at(edge[0]) + mesh.at(edge[1])) / 2) > mesh.length(edge) / 2) continue;
            found = edge;
            length = mesh.length(edge);
        }
        if (found[0] < 0) return;
        mesh.split(mesh.longest_near(found), 0.5);
    }
}

// Where along the edge the distance vanishes; its ends are on different sides.
double crossing(const Vec3& a, const Vec3& b, const PatchDistance& distance) {
    double low = 0, high = 1;
    const bool starts_inside = distance(a) < 0;
    for (int i = 0; i < 50; ++i) {
        const double middle = (low + high) / 2;
        ((distance(a + middle * (b - a)) < 0) == starts_inside ? low : high) = middle;
    }
    return (low + high) / 2;
}

}  // namespace

TetMesh cut_along(const TetMesh& linear, const Surface& surface, const PatchDistance& distance, double longest) {
    CLANGOR_ASSERT(linear.cells.cols() == 4, "mid-edge nodes come later");
    CutMesh mesh(linear, surface);
    if (longest > 0) refine(mesh, distance, longest);
    const std::set<Edge> edges = mesh.boundary_edges();
    for (const Edge& edge : edges) {
        const Vec3 &a = mesh.at(edge[0]), &b = mesh.at(edge[1]);
        if ((distance(a) < 0) == (distance(b) < 0)) continue;
        const double share = crossing(a, b, distance);
        if (share > nearest_crossing && share < 1 - nearest_crossing) mesh.split(edge, share);
    }
    return mesh.mesh();
}

}  // namespace clangor
