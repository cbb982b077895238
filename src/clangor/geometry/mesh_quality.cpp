#include <clangor/geometry/mesh_quality.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::geometry {

double min_dihedral_deg(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3) {
    // Outward normals of the faces opposite each node; two faces meet at 180° minus the angle between their normals.
    const Vec3 normals[4] = {(p2 - p1).cross(p3 - p1).normalized(), (p3 - p0).cross(p2 - p0).normalized(),
                             (p1 - p0).cross(p3 - p0).normalized(), (p2 - p0).cross(p1 - p0).normalized()};
    double max_cos = -1;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j) max_cos = std::max(max_cos, -normals[i].dot(normals[j]));
    const double angle_deg = std::acos(std::min(max_cos, 1.0)) * 180 / pi;
    return (p1 - p0).cross(p2 - p0).dot(p3 - p0) > 0 ? angle_deg : -angle_deg;
}

double min_dihedral_deg(const TetMesh& mesh) {
    double smallest = 180;
    for (int row = 0; row < mesh.cells.rows(); ++row) {
        const auto node = [&](int k) { return Vec3(mesh.nodes.row(mesh.cells(row, k))); };
        smallest = std::min(smallest, min_dihedral_deg(node(0), node(1), node(2), node(3)));
    }
    return smallest;
}

double min_dihedral_deg(const TetComplex& complex, const Cell& cell) {
    const auto node = [&](std::size_t k) -> const Vec3& { return complex.points[cell[k]]; };
    return min_dihedral_deg(node(0), node(1), node(2), node(3));
}

}  // namespace clangor::geometry
