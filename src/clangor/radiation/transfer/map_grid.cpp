#include "map_grid.hpp"

#include <clangor/radiation/spherical/spherical.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::modal_transfer {
namespace {

// One order m of a field is f_m(θ) cos mφ (or sin mφ), and f_m(−θ) = (−1)^m f_m(θ): over the pole one comes out on the
// other side. So splines along θ need no boundary condition but this symmetry:
//     (c_{i−1} + 4c_i + c_{i+1})/6 = f_i,     c_{−1} = (−1)^m c_0
// A field has one value at a pole and one slope, so that f_m(0) = 0 for even m ≥ 2 and f_m′(0) = 0 for odd m ≥ 3.
// Splines would keep this only up to their error, and a listener who passes close by a pole would hear it change with
// φ. For these orders the first equation gives way:
//     f_m(0) = (23c_0 + c_1)/24 = 0,     f_m′(0) ∝ 5c_0 + c_1 = 0
// Rows of `values`, a field each, become c.
void solve_meridians(Eigen::MatrixXd& values, int order) {
    const long n = values.cols();
    double diagonal = (order % 2 == 0 ? 5 : 3) / 6.0, off = 1.0 / 6;
    if (order > 1) {
        diagonal = order % 2 == 0 ? 23 : 5;
        off = 1;
        values.col(0).setZero();
        values.col(n - 1).setZero();
    }
    // Thomas' elimination: both ends have the same equation, mirrored.
    Eigen::VectorXd above(n);
    above[0] = off / diagonal;
    values.col(0) /= diagonal;
    for (long i = 1; i < n; ++i) {
        const bool last = i == n - 1;
        const double below = last ? off : 1.0 / 6;
        const double pivot = (last ? diagonal : 4.0 / 6) - below * above[i - 1];
        above[i] = 1.0 / 6 / pivot;
        values.col(i) = (values.col(i) - below * values.col(i - 1)) / pivot;
    }
    for (long i = n - 2; i >= 0; --i) values.col(i) -= above[i] * values.col(i + 1);
}

/// f_m(θ_i) of each order from −degree: a row per field, a column per row of the grid.
std::vector<Eigen::MatrixXd> by_order(const MapGrid& grid, const Eigen::MatrixXd& harmonics, int degree) {
    const Eigen::MatrixXd fields = harmonics.transpose();
    std::vector<Eigen::MatrixXd> orders(2 * degree + 1, Eigen::MatrixXd::Zero(fields.rows(), grid.rows));
    for (int i = 0; i < grid.rows; ++i) {
        const double theta = pi * (i + 0.5) / grid.rows;
        const Eigen::VectorXd Y = spherical_harmonics({std::sin(theta), 0, std::cos(theta)}, degree);  // at φ = 0
        for (int l = 0; l <= degree; ++l)
            for (int m = -l; m <= l; ++m)
                orders[m + degree].col(i) += Y[l * l + l + std::abs(m)] * fields.col(l * l + l + m);
    }
    return orders;
}

/// cos mφ or sin |m|φ at the columns, a row an order from −degree, over what a spline makes of them: (2 + cos(mΔφ))/3.
Eigen::MatrixXf spline_waves(const MapGrid& grid, int degree) {
    Eigen::MatrixXf waves(2 * degree + 1, grid.columns());
    for (int m = -degree; m <= degree; ++m) {
        const double step = 2 * pi / grid.columns(), gain = 3 / (2 + std::cos(m * step));
        for (int j = 0; j < grid.columns(); ++j)
            waves(m + degree, j) =
                static_cast<float>(gain * (m < 0 ? std::sin(-m * step * j) : std::cos(m * step * j)));
    }
    return waves;
}

}  // namespace

// Two rows beyond what was asked for make low degrees, whose energy lies all in the highest harmonic, as good as
// others.
MapGrid map_grid(int degree, double samples) {
    return {.rows = static_cast<int>(std::ceil(samples * (degree + 1) / 2)) + 2};
}

Eigen::MatrixXf spline_coefficients(const MapGrid& grid, const Eigen::MatrixXd& harmonics, int degree) {
    CLANGOR_ASSERT(harmonics.rows() == (degree + 1) * (degree + 1), "a row a harmonic");
    const long fields = harmonics.cols();
    std::vector<Eigen::MatrixXd> orders = by_order(grid, harmonics, degree);
    std::vector<Eigen::MatrixXf> meridians(fields, Eigen::MatrixXf(2 * degree + 1, grid.rows));
    for (int m = -degree; m <= degree; ++m) {
        Eigen::MatrixXd& values = orders[m + degree];
        solve_meridians(values, std::abs(m));
        for (long f = 0; f < fields; ++f) meridians[f].row(m + degree) = values.row(f).cast<float>();
    }
    const Eigen::MatrixXf waves = spline_waves(grid, degree);
    Eigen::MatrixXf coefficients(grid.rows * grid.columns(), fields);
    for (long f = 0; f < fields; ++f)
        coefficients.col(f).reshaped(grid.columns(), grid.rows) = waves.transpose() * meridians[f];
    return coefficients;
}

PackedMap packed(const MapGrid& grid, const Eigen::MatrixXf& coefficients) {
    const long fields = coefficients.cols(), n = grid.rows, around = grid.columns();
    PackedMap map{std::vector<std::int16_t>(grid.stored_rows() * grid.stored_columns() * fields),
                  Eigen::VectorXf::Zero(fields)};
    Eigen::VectorXf inverse = Eigen::VectorXf::Zero(fields);
    for (long f = 0; f < fields; ++f) {
        const float peak = coefficients.middleCols(f - f % 2, 2).cwiseAbs().maxCoeff();
        if (!(peak > 1e-30f)) continue;  // silence, or below what float can divide
        map.scales[f] = peak / 32767;
        inverse[f] = 32767 / peak;
    }
    std::int16_t* texel = map.texels.data();
    for (long i = -2; i < n + 2; ++i) {
        const bool beyond = i < 0 || i >= n;  // over the pole: the same ring, half way around
        const long row = i < 0 ? -1 - i : i >= n ? 2 * n - 1 - i : i;
        for (long j = -1; j < around + 3; ++j) {
            const long column = (j + around + (beyond ? n : 0)) % around;
            for (long f = 0; f < fields; ++f)
                *texel++ = static_cast<std::int16_t>(std::lround(coefficients(row * around + column, f) * inverse[f]));
        }
    }
    return map;
}

}  // namespace clangor::modal_transfer
