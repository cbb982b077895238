#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/curved_cell.hpp>
#include <clangor/geometry/sharp_lines.hpp>
#include <clangor/geometry/tet_faces.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <optional>

namespace clangor {
namespace {

// A curved element may shrink locally to this fraction of the straight one; more is a fold in the making.
constexpr double least_stretch = 0.2;

/// The straight 10-node mesh. Mid-edge nodes are numbered as the cells come to them.
TetMesh with_mid_nodes(const TetMesh& linear) {
    std::map<std::array<int, 2>, int> numbers;
    TetMesh mesh{{}, Cells(linear.cells.rows(), 10)};
    const int corners = static_cast<int>(linear.nodes.rows());
    mesh.cells.leftCols(4) = linear.cells.leftCols(4);
    for (int cell = 0; cell < mesh.cells.rows(); ++cell) {
        for (int e = 0; e < 6; ++e) {
            const auto [low, high] =
                std::minmax(mesh.cells(cell, geometry::edge_nodes[e][0]), mesh.cells(cell, geometry::edge_nodes[e][1]));
            const int next = corners + static_cast<int>(numbers.size());
            mesh.cells(cell, 4 + e) = numbers.try_emplace({low, high}, next).first->second;
        }
    }
    mesh.nodes.resize(corners + static_cast<int>(numbers.size()), 3);
    mesh.nodes.topRows(corners) = linear.nodes;
    for (const auto& [ends, node] : numbers)
        mesh.nodes.row(node) = (linear.nodes.row(ends[0]) + linear.nodes.row(ends[1])) / 2;
    return mesh;
}

/// An edge of the boundary: where it ends, and which way its two faces look.
struct BoundaryEdge {
    int mid = 0;
    std::array<int, 2> ends{};
    std::array<Vec3, 2> normals{Vec3::Zero(), Vec3::Zero()};
};

std::vector<BoundaryEdge> boundary_edges(const TetMesh& mesh) {
    std::map<int, BoundaryEdge> edges;
    for (const auto& [cell, side] : geometry::boundary_faces(mesh.cells)) {
        const auto node = [&, cell = cell, side = side](int k) {
            return mesh.cells(cell, geometry::face_nodes[side][k]);
        };
        const auto x = [&](int k) { return Vec3(mesh.nodes.row(node(k))); };
        const Vec3 normal = (x(1) - x(0)).cross(x(2) - x(0)).normalized();
        for (int k = 0; k < 3; ++k) {
            const auto [it, is_new] = edges.try_emplace(node(3 + k));
            it->second.mid = node(3 + k);
            it->second.ends = {node(k), node((k + 1) % 3)};
            it->second.normals[is_new ? 0 : 1] = normal;
        }
    }
    std::vector<BoundaryEdge> list;
    for (const auto& [mid, edge] : edges) list.push_back(edge);
    return list;
}

/// Finds where on the surface the middle of a boundary edge belongs.
class MidNodeTarget {
public:
    explicit MidNodeTarget(const Surface& surface) : faces_(surface) {
        const Surface lines = geometry::sharp_lines(surface);
        if (lines.faces.rows() > 0) lines_.emplace(lines);
    }

    Vec3 operator()(const TetMesh& mesh, const BoundaryEdge& edge) const {
        const Vec3 a = mesh.nodes.row(edge.ends[0]), b = mesh.nodes.row(edge.ends[1]);
        const Vec3 middle = mesh.nodes.row(edge.mid);
        const double length = (b - a).norm();
        if (lines_ && is_sharp(edge, a, b)) {
            const ClosestPoint on_line = (*lines_)(middle);
            if (on_line.distance < 0.2 * length) return on_line.point;
        }
        const Vec3 target = faces_(middle).point;
        // Curved walls bulge across the edge's faces. A target aside of them is another wall or the rim of a gap.
        const Vec3 normal = (edge.normals[0] + edge.normals[1]).normalized();
        const Vec3 step = target - middle;
        const bool aside = (step - step.dot(normal) * normal).norm() > 0.5 * step.norm();
        return step.norm() > 0.25 * length || (aside && step.norm() > 1e-3 * length) ? middle : target;
    }

private:
    bool is_sharp(const BoundaryEdge& edge, const Vec3& a, const Vec3& b) const {
        if (edge.normals[0].dot(edge.normals[1]) > std::cos(geometry::sharp_angle_deg / 2 * pi / 180)) return false;
        const double on_line = 1e-3 * (b - a).norm();
        return (*lines_)(a).distance < on_line && (*lines_)(b).distance < on_line;
    }

    ClosestPointQuery faces_;
    std::optional<ClosestPointQuery> lines_;
};

/// Where a cell would fold, its mid nodes go half the way back, and in the end all of it; that changes neighbours, so
/// look again. Two faces of one cell on a smooth wall are the usual case: they should meet at 180°, as no cell can.
void unfold(TetMesh& mesh, const TetMesh& straight) {
    const Points targets = mesh.nodes;
    std::vector<double> share(mesh.nodes.rows(), 1.0);
    for (int i = 0; i < mesh.nodes.rows(); ++i)
        if (mesh.nodes.row(i) == straight.nodes.row(i)) share[i] = 0;
    const auto is_folded = [&](int cell) {
        const auto is_moved = [&](int k) { return share[mesh.cells(cell, k)] > 0; };
        if (std::none_of(std::begin(geometry::mid_nodes), std::end(geometry::mid_nodes), is_moved)) return false;
        const double whole = geometry::jacobian(geometry::cell_nodes(straight, cell), Eigen::Vector4d::Unit(0));
        return geometry::least_jacobian(geometry::cell_nodes(mesh, cell)) < least_stretch * whole;
    };
    for (bool again = true; again;) {
        again = false;
        for (int cell = 0; cell < mesh.cells.rows(); ++cell) {
            if (!is_folded(cell)) continue;
            again = true;
            for (const int k : geometry::mid_nodes) {
                const int node = mesh.cells(cell, k);
                double& part = share[node];
                part = part > 0.2 ? part / 2 : 0;
                mesh.nodes.row(node) = straight.nodes.row(node) + part * (targets.row(node) - straight.nodes.row(node));
            }
        }
    }
}

}  // namespace

TetMesh quadratic(const TetMesh& linear, const Surface& surface) {
    const TetMesh straight = with_mid_nodes(linear);
    TetMesh curved = straight;
    const std::vector<BoundaryEdge> edges = boundary_edges(straight);
    const MidNodeTarget target(surface);
    parallel_for(static_cast<long>(edges.size()), [&](long i) {
        const BoundaryEdge& edge = edges[i];
        curved.nodes.row(edge.mid) = target(straight, edge);
    });
    unfold(curved, straight);
    return curved;
}

}  // namespace clangor
