// Filling the grid, and reading it.
#include <clangor/motion/rigid/distance_field.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace clangor::rigid {
namespace {

constexpr double cells_per_wall = 3;
constexpr double band_cells = 3;
constexpr double max_nodes = 8e6;
// A wall of fewer cells than this loses its inside to the spline, and bodies would fall through it: it is thickened.
constexpr double least_cells_per_wall = 2.5;

DistanceField empty_field(const Surface& surface, double thickness) {
    const Bounds bounds = bounds_of(surface.vertices);
    const Vec3 size = bounds.high - bounds.low;
    DistanceField field;
    // A thick body needs no cells finer than 1/48 of its size: its corners are rounded by a sixth of a cell.
    field.cell = std::min(thickness / cells_per_wall, size.maxCoeff() / 48);
    const auto count = [&] { return ((size / field.cell).array() + 2 * (band_cells + 2)).prod(); };
    while (count() > max_nodes) field.cell *= 1.05;
    field.padding = std::max(0.0, (least_cells_per_wall * field.cell - thickness) / 2);
    const double border = (band_cells + 1.5) * field.cell + field.padding;
    field.low = bounds.low.array() - border;
    for (int k = 0; k < 3; ++k) field.nodes[k] = static_cast<int>(std::ceil((size[k] + 2 * border) / field.cell)) + 1;
    field.values.assign(field.nodes.cast<long>().prod() + 1, 0.0f);  // one more: the last row is read as four
    return field;
}

enum Mark : unsigned char { Far, Band, Inside };

// Marks the nodes around a triangle; large ones in parts, so that their boxes stay near them.
void mark_triangle(const DistanceField& field, const std::array<Vec3, 3>& x, double reach,
                   std::vector<unsigned char>& marks) {
    int longest = 0;
    double length = 0;
    for (int k = 0; k < 3; ++k)
        if (const double side = (x[(k + 1) % 3] - x[k]).norm(); side > length) longest = k, length = side;
    if (length > 6 * field.cell) {
        const Vec3 middle = (x[longest] + x[(longest + 1) % 3]) / 2;
        mark_triangle(field, {x[longest], middle, x[(longest + 2) % 3]}, reach, marks);
        mark_triangle(field, {middle, x[(longest + 1) % 3], x[(longest + 2) % 3]}, reach, marks);
        return;
    }
    Eigen::Vector3i first, last;
    for (int k = 0; k < 3; ++k) {
        const auto [low, high] = std::minmax({x[0][k], x[1][k], x[2][k]});
        first[k] = std::max(0, static_cast<int>(std::ceil((low - reach - field.low[k]) / field.cell)));
        last[k] =
            std::min(field.nodes[k] - 1, static_cast<int>(std::floor((high + reach - field.low[k]) / field.cell)));
    }
    for (int k = first.z(); k <= last.z(); ++k)
        for (int j = first.y(); j <= last.y(); ++j)
            for (int i = first.x(); i <= last.x(); ++i) marks[field.index(i, j, k)] = Band;
}

void measure(DistanceField& field, const SmoothSurface& surface, const std::vector<unsigned char>& marks,
             unsigned char which) {
    parallel_for(field.nodes.z(), [&](long k) {
        for (int j = 0; j < field.nodes.y(); ++j)
            for (int i = 0; i < field.nodes.x(); ++i) {
                const long at = field.index(i, j, static_cast<int>(k));
                if (marks[at] != which) continue;
                const Vec3 node = field.low + field.cell * Vec3(i, j, double(k));
                field.values[at] = static_cast<float>(signed_distance(surface, node) - field.padding);
            }
    });
}

// Beyond the band, a row starts outside, and stays on the side of the last node in the band.
void mark_inside(const DistanceField& field, std::vector<unsigned char>& marks) {
    for (int k = 0; k < field.nodes.z(); ++k)
        for (int j = 0; j < field.nodes.y(); ++j) {
            bool inside = false;
            for (int i = 0; i < field.nodes.x(); ++i) {
                const long at = field.index(i, j, k);
                if (marks[at] == Band)
                    inside = field.values[at] < 0;
                else if (inside)
                    marks[at] = Inside;
            }
        }
}

// Distances further out from neighbour to neighbour, forth and back. Paths over the grid are longer than straight ones
// by at most 1 − 1/1.128 (steps along axes, and the diagonals of faces and cubes); 0.88 makes them a lower bound.
void spread_outward(DistanceField& field, const std::vector<unsigned char>& marks) {
    constexpr float unknown = std::numeric_limits<float>::max();
    for (std::size_t i = 0; i < marks.size(); ++i)
        if (marks[i] == Far) field.values[i] = unknown;
    const Eigen::Vector3i n = field.nodes;
    const auto relax = [&](int i, int j, int k, int direction) {
        const long at = field.index(i, j, k);
        if (marks[at] != Far) return;
        for (int dz = -1; dz <= 0; ++dz)
            for (int dy = -1; dy <= (dz < 0 ? 1 : 0); ++dy)
                for (int dx = -1; dx <= (dz < 0 || dy < 0 ? 1 : -1); ++dx) {
                    const int x = i + direction * dx, y = j + direction * dy, z = k + direction * dz;
                    if (x < 0 || y < 0 || z < 0 || x >= n.x() || y >= n.y() || z >= n.z()) continue;
                    const float from = field.values[field.index(x, y, z)];
                    if (from == unknown) continue;
                    const double way = 0.88 * field.cell * std::sqrt(double(dx * dx + dy * dy + dz * dz));
                    field.values[at] = std::min(field.values[at], from + static_cast<float>(way));
                }
    };
    for (int k = 0; k < n.z(); ++k)
        for (int j = 0; j < n.y(); ++j)
            for (int i = 0; i < n.x(); ++i) relax(i, j, k, 1);
    for (int k = n.z() - 1; k >= 0; --k)
        for (int j = n.y() - 1; j >= 0; --j)
            for (int i = n.x() - 1; i >= 0; --i) relax(i, j, k, -1);
}

}  // namespace

DistanceField distance_field(const SmoothSurface& surface, double thickness, const Progress& progress) {
    DistanceField field = empty_field(surface.surface, thickness);
    std::vector<unsigned char> marks(field.values.size(), Far);
    const double reach = band_cells * field.cell + field.padding;
    const Triangles& faces = surface.surface.faces;
    for (int f = 0; f < faces.rows(); ++f) {
        std::array<Vec3, 3> corners;
        for (int k = 0; k < 3; ++k) corners[k] = surface.surface.vertices.row(faces(f, k)).transpose();
        mark_triangle(field, corners, reach, marks);
    }
    progress("collision shape", 0.1);
    measure(field, surface, marks, Band);
    progress("collision shape", 0.7);
    mark_inside(field, marks);
    measure(field, surface, marks, Inside);
    spread_outward(field, marks);
    progress("collision shape", 1);
    return field;
}

namespace {

Vec3 clamped(const DistanceField& field, const Vec3& point) {
    const Vec3 border = Vec3::Constant(0.51 * field.cell);
    const Vec3 high = field.low + field.cell * (field.nodes.cast<double>() - Vec3::Ones());
    return point.cwiseMax(field.low + border).cwiseMin(high - border);
}

}  // namespace

Probe probe(const DistanceField& field, const Vec3& point) {
    const Vec3 inside = clamped(field, point);
    const Vec3 x = (inside - field.low) / field.cell;
    // Quadratic B-spline: three nodes an axis, weights ½(½−u)², ¾−u², ½(½+u)² with u from the nearest node.
    Eigen::Vector3i base;
    double weight[3][3], slope[3][3];
    for (int axis = 0; axis < 3; ++axis) {
        const double nearest = std::floor(x[axis] + 0.5);
        const double u = x[axis] - nearest;
        base[axis] = std::clamp(static_cast<int>(nearest) - 1, 0, field.nodes[axis] - 3);
        weight[axis][0] = 0.5 * square(0.5 - u), slope[axis][0] = u - 0.5;
        weight[axis][1] = 0.75 - u * u, slope[axis][1] = -2 * u;
        weight[axis][2] = 0.5 * square(0.5 + u), slope[axis][2] = u + 0.5;
    }
    // Rows along x as vectors of four, of which the last does not count.
    using Row = Eigen::Array4d;
    const long next_row = field.nodes.x(), next_layer = next_row * field.nodes.y();
    const float* const first = &field.values[field.index(base.x(), base.y(), base.z())];
    Row sum = Row::Zero(), along_y = Row::Zero(), along_z = Row::Zero();
    for (int c = 0; c < 3; ++c) {
        const float* const at = first + c * next_layer;
        const Row r0 = Eigen::Array4f::Map(at).cast<double>(), r1 = Eigen::Array4f::Map(at + next_row).cast<double>(),
                  r2 = Eigen::Array4f::Map(at + 2 * next_row).cast<double>();
        const Row layer = weight[1][0] * r0 + weight[1][1] * r1 + weight[1][2] * r2;
        sum += weight[2][c] * layer;
        along_z += slope[2][c] * layer;
        along_y += weight[2][c] * (slope[1][0] * r0 + slope[1][1] * r1 + slope[1][2] * r2);
    }
    const auto across = [&](const Row& row, const double w[3]) {
        return w[0] * row[0] + w[1] * row[1] + w[2] * row[2];
    };
    double value = across(sum, weight[0]);
    const Vec3 gradient(across(sum, slope[0]), across(along_y, weight[0]), across(along_z, weight[0]));
    Vec3 normal = gradient.normalized();
    if (const Vec3 out = point - inside; out.squaredNorm() > 0) {
        value = std::max(value, 0.0) * 0.5 + out.norm();
        normal = out.normalized();
    }
    return {value, normal};
}

double distance_bound(const DistanceField& field, const Vec3& point) {
    const Vec3 inside = clamped(field, point);
    const Vec3 x = (inside - field.low) / field.cell;
    const long at =
        field.index(static_cast<int>(x.x() + 0.5), static_cast<int>(x.y() + 0.5), static_cast<int>(x.z() + 0.5));
    const double value = double(field.values[at]) - 0.9 * field.cell;  // half a cell's diagonal to the nearest node
    const double out = (point - inside).norm();
    return out > 0 ? std::max(out, value - out) : value;
}

}  // namespace clangor::rigid
