#include <clangor/geometry/thickened.hpp>

#include <clangor/geometry/two_sided.hpp>

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
}  // namespace clangor::geometry

namespace clangor {

Surface two_sided(const Surface& middle, double thickness) {
    const int count = static_cast<int>(middle.vertices.rows());
    const long faces = middle.faces.rows();
    const Points offset = thickness / 2 * geometry::offsets_of(middle);
    Surface wall{Points(2 * count, 3), Triangles(2 * faces + 2 * topology_of(middle).open_edges, 3)};
    wall.vertices << middle.vertices + offset, middle.vertices - offset;
    wall.faces.topRows(faces) = middle.faces;
    wall.faces.middleRows(faces, faces) = middle.faces.rowwise().reverse().array() + count;
    long row = 2 * faces;
    for_each_edge(edge_table(middle.faces, count), [&](int, std::span<const EdgeUse> uses) {
        if (uses.size() != 1) return;
        const int a = edge_begin(middle.faces, uses[0].corner);
        const int b = edge_end(middle.faces, uses[0].corner);
        wall.faces.row(row++) << b, a, a + count;
        wall.faces.row(row++) << b, a + count, b + count;
    });
    return wall;
}

}  // namespace clangor

namespace clangor::geometry {

std::optional<Surface> thickened(const Surface& sheet, double thickness) {
    const Topology topology = topology_of(sheet);
    if (topology.nonmanifold_edges > 0 || topology.open_edges == 0) return {};
    Surface solid = two_sided(sheet, thickness);
    if (!solid.vertices.allFinite() || !topology_of(solid).closed() || self_intersects(solid)) return {};
    return solid;
}

}  // namespace clangor::geometry
