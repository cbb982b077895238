// Stretches as few squares of how far edges turn. Internal to nonlinear.
#pragma once

#include <clangor/vibration/nonlinear/stress_modes.hpp>

namespace clangor {

/// c(q) ≈ squares (v∘v), v = edges·q
struct EdgeCubature {
    Eigen::MatrixXd edges;    ///< D, n×r [kg^-1/2]
    Eigen::MatrixXd squares;  ///< Ŵ, K×n [J^1/2 m^-2]
};

/// Of unit length, each triangle counting by its area.
Points vertex_normals(const Surface& middle);

/// n_e·(u_b − u_a) of each edge of the surface, or of so many of them drawn at random: rows of DU, three of U per
/// vertex.
Eigen::MatrixXd edge_turns(const Surface& middle, const Eigen::MatrixXd& shapes, long most, std::uint64_t seed);

/// The best squares for q_i ~ N(0, 1/ω_i²), of the candidates that, one after the other, explain most.
EdgeCubature edge_cubature(const BendingModes& modes, const StressModes& stress, const Eigen::MatrixXd& candidates,
                           long count, const Progress& progress);

}  // namespace clangor
