// Middle surfaces of plates, discs, caps and cylinders: lattices, and irregular triangles. Internal to validation.
#pragma once

#include <clangor/vibration/shell/shell.hpp>

#include <array>
#include <cmath>
#include <cstdint>

namespace clangor::validation {

/// How the vertices and diagonals of a grid lie.
enum class Grid { OneDiagonal, Alternating, Irregular };

/// Numbers from −½ to ½, the same on every machine.
class Noise {
public:
    double operator()() {
        state_ = state_ * 6364136223846793005u + 1442695040888963407u;
        return double(state_ >> 11) / double(std::uint64_t(1) << 53) - 0.5;
    }

private:
    std::uint64_t state_ = 12345;
};

/// The two triangles of a cell with these corners in turn, from face f on: cut from the first to the third, or by the
/// other diagonal.
inline void add_cell(Surface& s, int& f, const std::array<int, 4>& corner, bool other) {
    const auto [a, b, c, d] = corner;
    s.faces.row(f++) << a, b, (other ? d : c);
    s.faces.row(f++) << (other ? b : a), c, d;
}

/// n×n squares of a unit square, each cut in two. Irregular: inner vertices are moved by up to a quarter of an edge
/// along each axis, and diagonals lie at random.
inline Surface unit_square(int n, Grid grid) {
    Surface s{Points((n + 1) * (n + 1), 3), Triangles(2 * n * n, 3)};
    Noise noise;
    const auto id = [n](int i, int j) { return i * (n + 1) + j; };
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j) {
            const bool moves = grid == Grid::Irregular;
            const double dx = moves && i > 0 && i < n ? 0.5 * noise() : 0,
                         dy = moves && j > 0 && j < n ? 0.5 * noise() : 0;
            s.vertices.row(id(i, j)) << (i + dx) / n, (j + dy) / n, 0;
        }
    int f = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const bool other = grid == Grid::Alternating ? (i + j) % 2 != 0 : grid == Grid::Irregular && noise() > 0;
            add_cell(s, f, {id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)}, other);
        }
    return s;
}

/// along×across cells with alternating diagonals.
inline Surface rectangle(int along, int across, double length, double width) {
    Surface s{Points((along + 1) * (across + 1), 3), Triangles(2 * along * across, 3)};
    const auto id = [across](int i, int j) { return i * (across + 1) + j; };
    for (int i = 0; i <= along; ++i)
        for (int j = 0; j <= across; ++j) s.vertices.row(id(i, j)) << length * i / along, width * j / across, 0;
    int f = 0;
    for (int i = 0; i < along; ++i)
        for (int j = 0; j < across; ++j)
            add_cell(s, f, {id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)}, (i + j) % 2 != 0);
    return s;
}

/// Rings of 6, 12, 18 … vertices about a centre; `place` maps radius (0 to 1) and angle to a point.
template <class Place>
Surface of_rings(int rings, const Place& place) {
    Surface s{Points(1 + 3 * rings * (rings + 1), 3), Triangles(6 * rings * rings, 3)};
    const auto id = [](int r, int k) { return r == 0 ? 0 : 1 + 3 * r * (r - 1) + k % (6 * r); };
    s.vertices.row(0) = place(0.0, 0.0);
    for (int r = 1; r <= rings; ++r)
        for (int k = 0; k < 6 * r; ++k) s.vertices.row(id(r, k)) = place(double(r) / rings, 2 * pi * k / (6 * r));
    int f = 0;
    for (int r = 1; r <= rings; ++r)
        for (int sector = 0; sector < 6; ++sector)
            for (int k = 0; k < r; ++k) {
                const int outer = sector * r + k, inner = sector * (r - 1) + k;
                s.faces.row(f++) << id(r - 1, inner), id(r, outer), id(r, outer + 1);
                if (k < r - 1) s.faces.row(f++) << id(r - 1, inner), id(r, outer + 1), id(r - 1, inner + 1);
            }
    return s;
}

inline Surface disc(int rings) {
    return of_rings(
        rings, [](double r, double angle) { return Eigen::RowVector3d(r * std::cos(angle), r * std::sin(angle), 0); });
}

/// Up to half_angle from the pole.
inline Surface spherical_cap(int rings, double radius, double half_angle) {
    return of_rings(rings, [=](double r, double angle) {
        const double polar = r * half_angle;
        return Eigen::RowVector3d(radius * std::sin(polar) * std::cos(angle),
                                  radius * std::sin(polar) * std::sin(angle), radius * std::cos(polar));
    });
}

/// Open at both ends. Grid::OneDiagonal: rows are shifted by half an edge, so that triangles are alike.
inline Surface cylinder(int around, int along, double radius, double length, Grid grid) {
    Surface s{Points(around * (along + 1), 3), Triangles(2 * around * along, 3)};
    Noise noise;
    const auto id = [around](int i, int j) { return j * around + (i + around) % around; };
    for (int j = 0; j <= along; ++j)
        for (int i = 0; i < around; ++i) {
            const bool moves = grid == Grid::Irregular, inside = j > 0 && j < along;
            const double shift = grid == Grid::OneDiagonal ? 0.5 * (j % 2) : moves ? 0.5 * noise() : 0;
            const double lift = moves && inside ? 0.5 * noise() : 0;
            const double angle = 2 * pi * (i + shift) / around;
            s.vertices.row(id(i, j)) << radius * std::cos(angle), radius * std::sin(angle), length * (j + lift) / along;
        }
    int f = 0;
    for (int j = 0; j < along; ++j)
        for (int i = 0; i < around; ++i) {
            const bool other = grid == Grid::OneDiagonal   ? j % 2 == 0
                               : grid == Grid::Alternating ? (i + j) % 2 != 0
                                                           : noise() > 0;
            add_cell(s, f, {id(i, j), id(i + 1, j), id(i + 1, j + 1), id(i, j + 1)}, other);
        }
    return s;
}

inline ThinShell of_thickness(const Surface& middle, double thickness) {
    return {middle, Eigen::VectorXd::Constant(1, thickness)};
}

}  // namespace clangor::validation
