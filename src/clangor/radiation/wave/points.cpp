#include <clangor/radiation/wave/points.hpp>

#include <Eigen/QR>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor::wave {
namespace {

using Cell = std::array<int, 3>;

// Lagrange's cubic through −1, 0, 1, 2 at t in [0, 1].
std::array<double, 4> cubic_weights(double t) {
    return {-t * (t - 1) * (t - 2) / 6, (t + 1) * (t - 1) * (t - 2) / 2, -(t + 1) * t * (t - 2) / 2,
            (t + 1) * t * (t - 1) / 6};
}

struct Stencil {
    Cell first;  ///< of 4×4×4
    std::array<std::array<double, 4>, 3> weights;
};

Stencil cubic_stencil(const Grid& grid, const Vec3& point) {
    Stencil stencil{};
    for (int k = 0; k < 3; ++k) {
        const double s = (point[k] - grid.origin[k]) / grid.cell_size - 0.5;
        stencil.first[k] = static_cast<int>(std::floor(s)) - 1;
        stencil.weights[k] = cubic_weights(s - std::floor(s));
    }
    return stencil;
}

// No surface passes through it or close by.
bool is_free(const AirCells& air, const Cell& cell) {
    if (!air.box.holds(cell)) return true;
    const std::size_t i = air.box.at(cell);
    return air.kind[i] == PartKind::Air && air.touched[i] < 0;
}

bool all_free(const AirCells& air, const Stencil& stencil) {
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 4; ++y)
            for (int x = 0; x < 4; ++x)
                if (!is_free(air, {stencil.first[0] + x, stencil.first[1] + y, stencil.first[2] + z})) return false;
    return true;
}

void append_cubic(std::vector<Tap>& taps, const Grid& grid, const Stencil& stencil, int point) {
    for (int z = 0; z < 4; ++z)
        for (int y = 0; y < 4; ++y) {
            const double weight = stencil.weights[1][y] * stencil.weights[2][z];
            Tap tap{
                point, static_cast<int>(grid.index(stencil.first[0], stencil.first[1] + y, stencil.first[2] + z)), {}};
            for (std::size_t x = 0; x < 4; ++x) tap.weights[x] = static_cast<float>(weight * stencil.weights[0][x]);
            taps.push_back(tap);
        }
}

/// A cell that a point can see, at `offset` from it in cells.
struct Seen {
    Cell cell;
    Vec3 offset;
};

std::vector<Seen> seen_cells(const Grid& grid, const AirCells& air, const Sight& sight, const Vec3& point,
                             bool& cavity) {
    std::vector<Seen> seen;
    Cell home{};
    for (int k = 0; k < 3; ++k) home[k] = static_cast<int>(std::floor((point[k] - grid.origin[k]) / grid.cell_size));
    for (int dz = -2; dz <= 2; ++dz)
        for (int dy = -2; dy <= 2; ++dy)
            for (int dx = -2; dx <= 2; ++dx) {
                const Cell cell = {home[0] + dx, home[1] + dy, home[2] + dz};
                const bool inside = air.box.holds(cell);
                const std::size_t i = inside ? air.box.at(cell) : 0;
                if (inside && (air.kind[i] == PartKind::Solid || air.divided[i] || air.volume[i] < 0.5f)) continue;
                const Vec3 centre = grid.centre(cell[0], cell[1], cell[2]);
                if (!sight.clear(point, centre)) continue;
                if (inside && air.kind[i] == PartKind::Cavity)
                    cavity = true;
                else
                    seen.push_back({cell, (centre - point) / grid.cell_size});
            }
    return seen;
}

// Weights w with p(0) ≈ Σ w_i p_i: value of a polynomial fitted with weights that fall off over two cells.
Eigen::VectorXd fit_weights(const std::vector<Seen>& seen) {
    const auto count = static_cast<long>(seen.size());
    const long terms = count >= 20 ? 10 : count >= 8 ? 4 : 1;
    Eigen::MatrixXd A(count, terms);
    Eigen::VectorXd w(count);
    for (long i = 0; i < count; ++i) {
        const Vec3& d = seen[i].offset;
        Eigen::Matrix<double, 10, 1> basis;
        basis << 1, d.x(), d.y(), d.z(), d.x() * d.x(), d.y() * d.y(), d.z() * d.z(), d.x() * d.y(), d.y() * d.z(),
            d.z() * d.x();
        w[i] = std::exp(-d.squaredNorm() / 2);
        A.row(i) = w[i] * basis.head(terms).transpose();
    }
    // The first row of the pseudo-inverse; of minimal norm where the cells do not determine all terms.
    const Eigen::MatrixXd inverse = A.completeOrthogonalDecomposition().pseudoInverse();
    Eigen::VectorXd weights = inverse.row(0).transpose().cwiseProduct(w);
    return weights / weights.sum();
}

}  // namespace

std::vector<Tap> point_taps(const Grid& grid, const Points& points, const AirCells& air, const Sight& sight) {
    std::vector<Tap> taps;
    for (int i = 0; i < points.rows(); ++i) {
        const Vec3 point = points.row(i);
        const Stencil stencil = cubic_stencil(grid, point);
        if (all_free(air, stencil)) {
            append_cubic(taps, grid, stencil, i);
            continue;
        }
        bool cavity = false;
        const std::vector<Seen> seen = seen_cells(grid, air, sight, point, cavity);
        if (seen.empty() && cavity) continue;
        if (seen.empty())
            throw Error(
                fmt::format("point {} at ({:g}, {:g}, {:g}) m lies inside the body or in a gap finer than the cells "
                            "of {:g} m; move it into the air or take smaller cells",
                            i, point.x(), point.y(), point.z(), grid.cell_size));
        const Eigen::VectorXd weights = fit_weights(seen);
        for (long k = 0; k < weights.size(); ++k) {
            const Cell& cell = seen[k].cell;
            taps.push_back({i,
                            static_cast<int>(grid.index(cell[0], cell[1], cell[2])),
                            {static_cast<float>(weights[k]), 0, 0, 0}});
        }
    }
    return taps;
}

}  // namespace clangor::wave
