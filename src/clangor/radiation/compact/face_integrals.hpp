// Integrals over the faces of a skin: flat with 3 nodes, or curved with 6.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <vector>

namespace clangor::compact {

/// Shape functions N_i of a 3-node or 6-node triangle at (ξ, η), and their derivatives. Corners, then the middles of
/// the edges 01 12 20.
struct FaceShape {
    Eigen::VectorXd values;
    Eigen::MatrixXd derivatives;  ///< node × (∂/∂ξ, ∂/∂η)
};
FaceShape face_shape(int nodes, double xi, double eta);

struct QuadraturePoint {
    double xi, eta, weight;  ///< weights sum to ½, the area of the reference triangle
};
/// Exact for polynomials up to degree 6.
const std::vector<QuadraturePoint>& triangle_rule();

/// ∫ N_v N_w n dS: times the displacements of the face's nodes w, this is what the face adds to ∮ N_v n·u dS of each
/// of its nodes v. Nodes × (3 columns a node) [m²]. Exact, also for curved faces.
Eigen::MatrixXd strength_operator(const Eigen::MatrixXd& face_nodes);

double face_area(const Eigen::MatrixXd& face_nodes);  ///< [m²]
Vec3 face_moment(const Eigen::MatrixXd& face_nodes);  ///< ∫ y dS [m³]

}  // namespace clangor::compact
