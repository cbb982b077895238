#include <clangor/geometry/curved_cell.hpp>
#include <clangor/geometry/tet_faces.hpp>

#include <Eigen/LU>

#include <algorithm>

namespace clangor::geometry {

CellNodes cell_nodes(const TetMesh& mesh, int cell) {
    CellNodes nodes;
    for (int k = 0; k < 10; ++k) nodes.row(k) = mesh.nodes.row(mesh.cells(cell, k));
    return nodes;
}

double jacobian(const CellNodes& nodes, const Eigen::Vector4d& L) {
    // x = Σ Lᵢ(2Lᵢ − 1) xᵢ + Σ 4 LᵢLⱼ xᵢⱼ, differentiated by L₁, L₂, L₃ with L₀ = 1 − L₁ − L₂ − L₃.
    Eigen::Matrix<double, 4, 3> by_L = Eigen::Matrix<double, 4, 3>::Zero();
    for (int i = 0; i < 4; ++i) by_L.row(i) = (4 * L[i] - 1) * nodes.row(i);
    for (int e = 0; e < 6; ++e) {
        const auto [i, j] = edge_nodes[e];
        by_L.row(i) += 4 * L[j] * nodes.row(4 + e);
        by_L.row(j) += 4 * L[i] * nodes.row(4 + e);
    }
    const Mat3 J = by_L.bottomRows<3>().rowwise() - by_L.row(0);
    return J.determinant();
}

double least_jacobian(const CellNodes& nodes) {
    double least = jacobian(nodes, Eigen::Vector4d::Constant(0.25));
    for (int i = 0; i < 4; ++i) {
        least = std::min(least, jacobian(nodes, Eigen::Vector4d::Unit(i)));
        const Eigen::Vector4d inner = Eigen::Vector4d::Constant(0.1381966) + 0.4472136 * Eigen::Vector4d::Unit(i);
        least = std::min(least, jacobian(nodes, inner));
    }
    for (const auto& [i, j] : edge_nodes)
        least = std::min(least, jacobian(nodes, (Eigen::Vector4d::Unit(i) + Eigen::Vector4d::Unit(j)) / 2));
    return least;
}

double volume_of(const TetMesh& mesh) {
    // The determinant is cubic; five points integrate cubics exactly.
    double volume = 0;
    for (int cell = 0; cell < mesh.cells.rows(); ++cell) {
        const CellNodes nodes = cell_nodes(mesh, cell);
        double mean = -0.8 * jacobian(nodes, Eigen::Vector4d::Constant(0.25));
        for (int i = 0; i < 4; ++i) {
            const Eigen::Vector4d L = Eigen::Vector4d::Constant(1.0 / 6) + Eigen::Vector4d::Unit(i) / 3;
            mean += 0.45 * jacobian(nodes, L);
        }
        volume += mean / 6;
    }
    return volume;
}

}  // namespace clangor::geometry
