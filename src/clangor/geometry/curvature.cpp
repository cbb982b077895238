#include <clangor/geometry/surface.hpp>

#include <cmath>
#include <vector>

namespace clangor {
namespace {

/// What one corner of a face adds to its vertex.
struct CornerShare {
    Vec3 laplacian;  ///< Σ cot·(x_i − x_j) over the face's two edges at the corner [m]
    double area;     ///< mixed Voronoi area [m²]
    double angle;    ///< [rad]
};

// Corner a of the triangle (a, b, c). The edge ab is weighted with the cotangent at c, ac with that at b.
CornerShare corner_share(const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 ab = b - a, ac = c - a, bc = c - b;
    const double doubled_area = ab.cross(ac).norm();
    if (doubled_area == 0) return {Vec3::Zero(), 0, 0};
    const double cot_a = ab.dot(ac) / doubled_area;
    const double cot_b = -ab.dot(bc) / doubled_area;
    const double cot_c = ac.dot(bc) / doubled_area;
    // [Meyer2003, Fig. 4]: the Voronoi area inside the face, or a fixed part of the face where it is obtuse.
    const bool obtuse = cot_a < 0 || cot_b < 0 || cot_c < 0;
    const double voronoi = (cot_c * ab.squaredNorm() + cot_b * ac.squaredNorm()) / 8;
    const double area = !obtuse ? voronoi : doubled_area / (cot_a < 0 ? 4 : 8);
    return {-cot_c * ab - cot_b * ac, area, std::atan2(doubled_area, ab.dot(ac))};
}

}  // namespace

// K(x_i) = 1/(2A) Σ_j (cot α_ij + cot β_ij)(x_i − x_j) = 2H n   [Meyer2003, Eq. 8]. Its sign is taken against the
// outward normal, weighted by angle so that it does not depend on how a flat part is triangulated.
Eigen::VectorXd mean_curvatures(const Surface& surface) {
    const int count = static_cast<int>(surface.vertices.rows());
    Points laplacian = Points::Zero(count, 3), normal = Points::Zero(count, 3);
    Eigen::VectorXd area = Eigen::VectorXd::Zero(count);
    for (int f = 0; f < surface.faces.rows(); ++f) {
        for (int k = 0; k < 3; ++k) {
            const int i = surface.faces(f, k);
            const Vec3 a = surface.vertices.row(i), b = surface.vertices.row(surface.faces(f, (k + 1) % 3)),
                       c = surface.vertices.row(surface.faces(f, (k + 2) % 3));
            const CornerShare share = corner_share(a, b, c);
            laplacian.row(i) += share.laplacian;
            normal.row(i) += share.angle * (b - a).cross(c - a).normalized();
            area[i] += share.area;
        }
    }
    Eigen::VectorXd H(count);
    for (int i = 0; i < count; ++i) {
        const Vec3 n = normal.row(i).transpose().normalized();
        H[i] = area[i] > 0 ? laplacian.row(i).dot(n) / (4 * area[i]) : 0.0;
    }
    return H;
}

}  // namespace clangor
