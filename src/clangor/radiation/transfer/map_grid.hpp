// Fields on the sphere as smooth splines over a grid of angles, without seam or poles.
#pragma once

#include <clangor/core/core.hpp>

#include <cstdint>
#include <vector>

namespace clangor::modal_transfer {

/// `rows` of constant θ, the first half a step from the pole, and twice as many columns of constant φ, the first at φ =
/// 0.
struct MapGrid {
    int rows = 0;

    int columns() const { return 2 * rows; }
    // As stored, with what cubic splines reach beyond the edges: two rows over each pole, one column before and three
    // behind.
    long stored_rows() const { return rows + 4; }
    long stored_columns() const { return columns() + 4; }
};

/// Fine enough for `samples` points in the shortest wave of harmonics up to `degree`.
MapGrid map_grid(int degree, double samples);

/// Coefficients of the cubic B-splines that interpolate fields given by harmonics, a column per field: row·columns +
/// column. Between grid points Σ β(θ−θ_i)β(φ−φ_j)c_ij is twice continuously differentiable, across φ = 2π and along
/// every way through a pole.
Eigen::MatrixXf spline_coefficients(const MapGrid& grid, const Eigen::MatrixXd& harmonics, int degree);

/// Spline coefficients in 16 bits, the fields of a texel side by side and the edges continued.
struct PackedMap {
    std::vector<std::int16_t> texels;
    Eigen::VectorXf scales;  ///< a field each: value of one unit
};
/// Pairs of fields (real and imaginary part) share a scale.
PackedMap packed(const MapGrid& grid, const Eigen::MatrixXf& coefficients);

}  // namespace clangor::modal_transfer
