#include <clangor/geometry/mesh_quality.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::geometry {

namespace {

double sharpness(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3) {
    // Outward normals of the faces opposite each node; two faces meet at 180° minus the angle between their normals.
    const Vec3 a = p1 - p0, b = p2 - p0, c = p3 - p0;
    const Vec3 normals[4] = {(b - a).cross(c - a), c.cross(b), a.cross(c), b.cross(a)};
    double inverse[4];
    for (int i = 0; i < 4; ++i) {
        const double length = normals[i].norm();
        inverse[i] = length > 0 ? 1 / length : 0;
    }
    double max_cos = -1;
    for (int i = 0; i < 4; ++i)
        for (int j = i + 1; j < 4; ++j)
            max_cos = std::max(max_cos, -normals[i].dot(normals[j]) * inverse[i] * inverse[j]);
    return normals[3].dot(c) < 0 ? std::min(max_cos, 1.0) : 2 - std::min(max_cos, 1.0);
}

}  // namespace

double sharpness_of(double angle_deg) {
    const double cosine = std::cos(std::abs(angle_deg) * pi / 180);
    return angle_deg >= 0 ? cosine : 2 - cosine;
}

double angle_deg_of(double sharpness) {
    return (sharpness <= 1 ? std::acos(sharpness) : -std::acos(2 - sharpness)) * 180 / pi;
}

double min_dihedral_deg(const Vec3& p0, const Vec3& p1, const Vec3& p2, const Vec3& p3) {
    return angle_deg_of(sharpness(p0, p1, p2, p3));
}

double min_dihedral_deg(const TetMesh& mesh) {
    double smallest = 180;
    for (int row = 0; row < mesh.cells.rows(); ++row) {
        const auto node = [&](int k) { return Vec3(mesh.nodes.row(mesh.cells(row, k))); };
        smallest = std::min(smallest, min_dihedral_deg(node(0), node(1), node(2), node(3)));
    }
    return smallest;
}

double sharpness(const TetComplex& complex, const Cell& cell) {
    const auto node = [&](std::size_t k) -> const Vec3& { return complex.points[cell[k]]; };
    return sharpness(node(0), node(1), node(2), node(3));
}

double min_dihedral_deg(const TetComplex& complex, const Cell& cell) { return angle_deg_of(sharpness(complex, cell)); }

}  // namespace clangor::geometry
