#include <clangor/geometry/thickened.hpp>

#include <clangor/geometry/edges.hpp>

#include <array>
#include <cmath>

namespace clangor::geometry {
namespace {

/// Where both sides of each vertex go, per unit of distance: such that faces move by that distance along their normals,
/// as far as one vector can do it for all faces around.
Points offsets_of(const Surface& sheet) {
    const long count = sheet.vertices.rows();
    Points sum = Points::Zero(count, 3);
    std::vector<Vec3> normals;
    for (int f = 0; f < sheet.faces.rows(); ++f) {
        const auto at = [&](int k) { return Vec3(sheet.vertices.row(sheet.faces(f, k % 3))); };
        normals.push_back((at(1) - at(0)).cross(at(2) - at(0)).normalized());
        for (int k = 0; k < 3; ++k) {
            const Vec3 a = (at(k + 1) - at(k)).normalized(), b = (at(k + 2) - at(k)).normalized();
            sum.row(sheet.faces(f, k)) += std::atan2(a.cross(b).norm(), a.dot(b)) * normals.back();
        }
    }
    Eigen::VectorXd least = Eigen::VectorXd::Ones(count);  // cosine to the normals around
    sum.rowwise().normalize();
    for (int f = 0; f < sheet.faces.rows(); ++f)
        for (int k = 0; k < 3; ++k) {
            const int v = sheet.faces(f, k);
            least[v] = std::min(least[v], normals[f].dot(sum.row(v)));
        }
    for (long v = 0; v < count; ++v) sum.row(v) /= std::max(0.5, least[v]);
    return sum;
}

}  // namespace

std::optional<Surface> thickened(const Surface& sheet, double thickness) {
    const Topology topology = topology_of(sheet);
    if (topology.nonmanifold_edges > 0 || topology.open_edges == 0) return {};
    const int count = static_cast<int>(sheet.vertices.rows());
    const Points offset = thickness / 2 * offsets_of(sheet);
    if (!offset.allFinite()) return {};
    Surface solid{Points(2 * count, 3), Triangles(2 * sheet.faces.rows() + 2 * topology.open_edges, 3)};
    solid.vertices << sheet.vertices + offset, sheet.vertices - offset;
    solid.faces.topRows(sheet.faces.rows()) = sheet.faces;
    solid.faces.middleRows(sheet.faces.rows(), sheet.faces.rows()) = sheet.faces.rowwise().reverse().array() + count;
    long row = 2 * sheet.faces.rows();
    const EdgeTable edges = edge_table(sheet.faces, count);
    for_each_edge(edges, [&](int, std::span<const EdgeUse> uses) {
        if (uses.size() != 1) return;
        const int a = edge_begin(sheet.faces, uses[0].corner), b = edge_end(sheet.faces, uses[0].corner);
        solid.faces.row(row++) << b, a, a + count;
        solid.faces.row(row++) << b, a + count, b + count;
    });
    if (!topology_of(solid).closed() || self_intersects(solid)) return {};
    return solid;
}

}  // namespace clangor::geometry
