#include <clangor/geometry/surface.hpp>

namespace clangor {

Bounds bounds_of(const Points& points) {
    if (points.rows() == 0) return {Vec3::Zero(), Vec3::Zero()};
    return {points.colwise().minCoeff().transpose(), points.colwise().maxCoeff().transpose()};
}

// Each face and the middle of the box span a tetrahedron of signed volume D/6 with moments
//     ∫ x dV = D/24 (a + b + c),   ∫ x xᵀ dV = D/120 (aaᵀ + bbᵀ + ccᵀ + (a+b+c)(a+b+c)ᵀ);
// measured from the middle, a small body far from the origin keeps its digits.
MassProperties mass_properties(const Surface& surface) {
    const Bounds bounds = bounds_of(surface.vertices);
    const Vec3 middle = (bounds.low + bounds.high) / 2;
    double volume = 0;
    Vec3 first = Vec3::Zero();
    Mat3 second = Mat3::Zero();
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = surface.vertices.row(surface.faces(f, 0)).transpose() - middle;
        const Vec3 b = surface.vertices.row(surface.faces(f, 1)).transpose() - middle;
        const Vec3 c = surface.vertices.row(surface.faces(f, 2)).transpose() - middle;
        const Vec3 sum = a + b + c;
        const double D = a.dot(b.cross(c));
        volume += D / 6;
        first += D / 24 * sum;
        second += D / 120 * (a * a.transpose() + b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
    if (volume == 0) return {0, middle, Mat3::Zero()};
    const Vec3 centre = first / volume;
    const Mat3 covariance = second - volume * centre * centre.transpose();
    return {volume, middle + centre, covariance.trace() * Mat3::Identity() - covariance};
}

double area_of(const Surface& surface) {
    double area = 0;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        const Vec3 a = surface.vertices.row(surface.faces(f, 0)), b = surface.vertices.row(surface.faces(f, 1)),
                   c = surface.vertices.row(surface.faces(f, 2));
        area += (b - a).cross(c - a).norm() / 2;
    }
    return area;
}

}  // namespace clangor
