// Walls whose middle is too long for their rim                     docs/theory/nonlinear-shell.md, "Prestress"
#include <clangor/vibration/nonlinear/nonlinear.hpp>

#include <Eigen/Geometry>

namespace clangor {

Eigen::VectorXd middle_growth(const Surface& middle) {
    const long faces = middle.faces.rows();
    CLANGOR_ASSERT(faces > 0, "a surface");
    Points places(faces, 3), doubled(faces, 3);
    for (long f = 0; f < faces; ++f) {
        const Vec3 a = middle.vertices.row(middle.faces(f, 0));
        const Vec3 b = middle.vertices.row(middle.faces(f, 1)), c = middle.vertices.row(middle.faces(f, 2));
        places.row(f) = (a + b + c) / 3;
        doubled.row(f) = (b - a).cross(c - a);
    }
    const Eigen::VectorXd areas = doubled.rowwise().norm();
    const Eigen::RowVector3d centroid = areas.transpose() * places / areas.sum();
    long nearest = 0;
    (places.rowwise() - centroid).rowwise().squaredNorm().minCoeff(&nearest);
    // In the plane of the nearest triangle, so that the middle of what is flat is its centroid itself.
    const Eigen::RowVector3d normal = doubled.row(nearest).normalized();
    const Eigen::RowVector3d centre = centroid - normal.dot(centroid - places.row(nearest)) * normal;
    const double farthest_sq = (middle.vertices.rowwise() - centre).rowwise().squaredNorm().maxCoeff();
    return 1 - (places.rowwise() - centre).rowwise().squaredNorm().array() / farthest_sq;
}

}  // namespace clangor
