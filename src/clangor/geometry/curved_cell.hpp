// The geometry of one 10-node element with curved sides.
#pragma once

#include <clangor/geometry/tetrahedra.hpp>

namespace clangor::geometry {

using CellNodes = Eigen::Matrix<double, 10, 3>;  ///< positions of a cell's nodes [m]

CellNodes cell_nodes(const TetMesh& mesh, int cell);

/// det ∂x/∂ξ at barycentric coordinates: six times the volume that a straight cell would have there [m³].
double jacobian(const CellNodes& nodes, const Eigen::Vector4d& barycentric);

/// The least of the determinants at the ten nodes and four inner points.
double least_jacobian(const CellNodes& nodes);

double volume_of(const TetMesh& mesh);  ///< of 10-node cells, exact [m³]

}  // namespace clangor::geometry
