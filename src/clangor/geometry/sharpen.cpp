#include <clangor/geometry/sharpen.hpp>

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/mesh_quality.hpp>
#include <clangor/geometry/sharp_lines.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clangor::geometry {
namespace {

constexpr double reach = 1.0;          // of a node, in spacings
constexpr double least_angle_deg = 5;  // that a move may leave, unless there was a smaller one before
constexpr double on_boundary = 0.05;   // in spacings: lines deeper than this lie within the body, and bound nothing
constexpr int passes = 2;              // a node that has moved makes room for others
constexpr double worth_it = 0.9;       // of what is cut off: a move leaves less

/// Points where sharp lines meet, end or turn, as triangles without area.
Surface corners_of(const Surface& lines) {
    std::vector<std::vector<Vec3>> directions(lines.vertices.rows());
    for (int f = 0; f < lines.faces.rows(); ++f) {
        const int a = lines.faces(f, 0), b = lines.faces(f, 1);
        const Vec3 along = (lines.vertices.row(b) - lines.vertices.row(a)).transpose().normalized();
        directions[a].push_back(along);
        directions[b].push_back(-along);
    }
    const double straight = -std::cos(sharp_angle_deg * pi / 180);
    std::vector<int> corners;
    for (int v = 0; v < lines.vertices.rows(); ++v) {
        const std::vector<Vec3>& out = directions[v];
        if (out.empty() || (out.size() == 2 && out[0].dot(out[1]) < straight)) continue;
        corners.push_back(v);
    }
    Surface points{lines.vertices, Triangles(static_cast<int>(corners.size()), 3)};
    for (std::size_t i = 0; i < corners.size(); ++i) points.faces.row(static_cast<int>(i)).setConstant(corners[i]);
    return points;
}

/// Volume between the boundary faces around a node and the body's own boundary, roughly, if the node were at `at`.
double cut_off(const TetComplex& complex, int node, const Vec3& at, const Depth& depth) {
    double volume = 0;
    for (const int index : complex.star[node]) {
        const Cell& cell = complex.cells[index];
        if (!is_ghost(complex, cell)) continue;
        const auto x = [&](int k) { return cell[k] == node ? at : complex.points[cell[k]]; };
        const double area = (x(1) - x(0)).cross(x(2) - x(0)).norm() / 2;
        volume += area * std::abs(depth((x(0) + x(1) + x(2)) / 3));
    }
    return volume;
}

double smallest_angle(const TetComplex& complex, int node) {
    double smallest = 180;
    for (const int index : complex.star[node])
        if (!is_ghost(complex, complex.cells[index]))
            smallest = std::min(smallest, min_dihedral_deg(complex, complex.cells[index]));
    return smallest;
}

struct Move {
    double distance;
    int node;
    Vec3 to;
};

/// The nearest first, so that of two rows of nodes along a line the nearer takes it.
std::vector<Move> moves_onto(const Surface& lines, const TetComplex& complex, const Depth& depth, double spacing) {
    const ClosestPointQuery closest(lines);
    std::vector<int> boundary;
    for (int node = 0; node < complex.ghost; ++node)
        if (complex.freedom[node] == Freedom::Surface && !complex.star[node].empty()) boundary.push_back(node);
    std::vector<Move> all(boundary.size());
    parallel_for(std::ssize(boundary), [&](long i) {
        const ClosestPoint found = closest(complex.points[boundary[i]]);
        const bool is_near = found.distance < reach * spacing && std::abs(depth(found.point)) < on_boundary * spacing;
        all[i] = {is_near ? found.distance : -1, boundary[i], found.point};
    });
    std::erase_if(all, [](const Move& move) { return move.distance < 0; });
    std::sort(all.begin(), all.end(),
              [](const Move& a, const Move& b) { return std::tie(a.distance, a.node) < std::tie(b.distance, b.node); });
    return all;
}

bool try_move(TetComplex& complex, const Move& move, const Depth& depth, Freedom freedom) {
    const Vec3 from = complex.points[move.node];
    const double lost = cut_off(complex, move.node, from, depth), angle = smallest_angle(complex, move.node);
    if (cut_off(complex, move.node, move.to, depth) > worth_it * lost) return false;
    move_node(complex, move.node, move.to);
    if (smallest_angle(complex, move.node) < std::min(least_angle_deg, angle)) {
        move_node(complex, move.node, from);
        return false;
    }
    complex.freedom[move.node] = freedom;
    return true;
}

}  // namespace

void sharpen(TetComplex& complex, const Surface& surface, const Depth& depth, double spacing) {
    const Surface lines = sharp_lines(surface);
    if (lines.faces.rows() == 0) return;
    const std::vector<Freedom> before = complex.freedom;
    const Surface corners = corners_of(lines);
    if (corners.faces.rows() > 0)
        for (const Move& move : moves_onto(corners, complex, depth, spacing))
            try_move(complex, move, depth, Freedom::None);
    for (int pass = 0; pass < passes; ++pass)
        for (const Move& move : moves_onto(lines, complex, depth, spacing))
            try_move(complex, move, depth, Freedom::Line);
    complex.freedom = before;
}

}  // namespace clangor::geometry
