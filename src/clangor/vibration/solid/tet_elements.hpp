// Shape functions, quadrature and elastic constants of tetrahedra. Internal to vibration/solid.
#pragma once

#include <clangor/material/material.hpp>

#include <array>
#include <vector>

namespace clangor::tet_elements {

/// A point of a quadrature rule in barycentric coordinates; the weights sum to 1 and multiply the volume.
struct QuadraturePoint {
    std::array<double, 4> barycentric;
    double weight;
};

/// Exact for quadratics: BᵀCB of a straight 10-node element is one. Point q is the one nearest to corner q, at
/// (near, far, far, far).
std::vector<QuadraturePoint> rule_of_degree_2();
inline constexpr double near_corner = 0.5854101966249685, far_corner = 0.1381966011250105;

/// Exact for polynomials of degree 5, with positive weights: NᵀN of a straight 10-node element has degree 4
/// [Walkington2000, 14-point rule].
std::vector<QuadraturePoint> rule_of_degree_5();

inline constexpr std::array<std::array<int, 2>, 6> edges = {{{0, 1}, {1, 2}, {2, 0}, {0, 3}, {1, 3}, {2, 3}}};

/// Shape functions of the 4- and 10-node element and their derivatives by barycentric coordinate.
struct ShapeFunctions {
    Eigen::VectorXd value;       ///< one per node
    Eigen::MatrixXd derivative;  ///< nodes × 4
};
ShapeFunctions shape_functions(int nodes, const std::array<double, 4>& barycentric);

struct Rule {
    std::vector<ShapeFunctions> at;
    std::vector<double> weight;
};
Rule tabulate(int nodes, const std::vector<QuadraturePoint>& points);

/// ∂x/∂(L1, L2, L3) with L0 = 1 − L1 − L2 − L3; its determinant is six times the local volume ratio.
Mat3 jacobian(const Eigen::MatrixXd& derivative, const Eigen::MatrixXd& x);

/// ∂N/∂x, nodes × 3.
Eigen::MatrixXd gradients(const ShapeFunctions& N, const Mat3& jacobian);

struct Lame {
    double lambda, mu;  ///< [Pa]
};
Lame lame_of(const Material& material);

}  // namespace clangor::tet_elements
