// Tuning fork: a U and its stem, drawn as a flat sheet and extruded to a square section.
#include <clangor/geometry/shapes_build.hpp>

#include <clangor/geometry/edges.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor::shapes {
namespace {

using Vec2 = Eigen::Vector2d;

/// A flat triangulation, counter-clockwise.
struct FlatFork {
    std::vector<Vec2> points;
    std::vector<Eigen::RowVector3i> faces;

    int add(const Vec2& point) {
        points.push_back(point);
        return static_cast<int>(points.size()) - 1;
    }
    void add_quad(int a, int b, int c, int d) {
        faces.emplace_back(a, b, c);
        faces.emplace_back(a, c, d);
    }
};

/// Places along the U where its inner and outer sides are joined.
struct Rungs {
    std::vector<Vec2> inner, outer;
    std::size_t stem_first = 0, stem_last = 0;  ///< the stem hangs from the outer points between them
};

// Down the left tine, round the yoke, up the right tine. The yoke has rungs where the stem's sides meet it.
Rungs rungs_of(const TuningFork& fork) {
    const double w = fork.tine_width, inner = fork.gap / 2, outer = inner + w;
    const Vec2 centre(0, inner);
    Rungs rungs;
    const auto add = [&](const Vec2& a, const Vec2& b) {
        rungs.inner.push_back(a);
        rungs.outer.push_back(b);
    };
    const double straight = fork.tine_length - inner;
    const int steps = static_cast<int>(std::clamp(std::ceil(straight / w), 1.0, 400.0));
    for (int i = steps; i > 0; --i) {
        const double y = inner + straight * i / steps;
        add({-inner, y}, {-outer, y});
    }
    // Angles from straight down; ±corner are the stem's sides.
    const double corner = std::asin(w / 2 / outer);
    const auto add_arc = [&](double from, double to, int count) {
        for (int i = 0; i < count; ++i) {
            const double angle = from + (to - from) * i / count;
            const Vec2 direction(std::sin(angle), -std::cos(angle));
            add(centre + inner * direction, centre + outer * direction);
        }
    };
    add_arc(-pi / 2, -corner, 12);
    rungs.stem_first = rungs.outer.size();
    add_arc(-corner, corner, 8);
    rungs.stem_last = rungs.outer.size();
    add_arc(corner, pi / 2, 12);
    for (int i = 0; i <= steps; ++i) {
        const double y = inner + straight * i / steps;
        add({inner, y}, {outer, y});
    }
    return rungs;
}

FlatFork sheet_of(const TuningFork& fork) {
    const Rungs rungs = rungs_of(fork);
    FlatFork sheet;
    std::vector<int> outer;
    for (std::size_t i = 0; i < rungs.inner.size(); ++i) {
        sheet.add(rungs.inner[i]);
        outer.push_back(sheet.add(rungs.outer[i]));
        if (i > 0) sheet.add_quad(outer[i - 1], outer[i], outer[i] - 1, outer[i - 1] - 1);
    }
    const double w = fork.tine_width;
    const int rows = static_cast<int>(std::clamp(std::ceil(fork.stem_length / w), 1.0, 400.0));
    std::vector<int> above(outer.begin() + static_cast<long>(rungs.stem_first),
                           outer.begin() + static_cast<long>(rungs.stem_last) + 1);
    for (int row = 1; row <= rows; ++row) {
        std::vector<int> below;
        for (const int top : above) {
            // From the yoke's round bottom to level rows.
            below.push_back(sheet.add({sheet.points[top].x(), -w - fork.stem_length * row / rows}));
        }
        for (std::size_t i = 1; i < above.size(); ++i) {
            sheet.add_quad(below[i - 1], below[i], above[i], above[i - 1]);
        }
        above = below;
    }
    return sheet;
}

/// The sheet in front, its mirror image behind, and a wall along its border.
Surface extruded(const FlatFork& sheet, double depth) {
    const int count = static_cast<int>(sheet.points.size());
    Triangles front(static_cast<Eigen::Index>(sheet.faces.size()), 3);
    for (int f = 0; f < front.rows(); ++f) front.row(f) = sheet.faces[f];

    std::vector<Eigen::RowVector3i> walls;
    for_each_edge(edge_table(front, count), [&](int, std::span<const EdgeUse> uses) {
        if (uses.size() != 1) return;
        const int a = edge_begin(front, uses[0].corner), b = edge_end(front, uses[0].corner);
        walls.emplace_back(b, a, a + count);
        walls.emplace_back(b, a + count, b + count);
    });
    Surface surface;
    surface.vertices.resize(2 * count, 3);
    for (int v = 0; v < count; ++v) {
        surface.vertices.row(v) << sheet.points[v].x(), sheet.points[v].y(), depth / 2;
        surface.vertices.row(v + count) << sheet.points[v].x(), sheet.points[v].y(), -depth / 2;
    }
    surface.faces.resize(2 * front.rows() + static_cast<Eigen::Index>(walls.size()), 3);
    surface.faces.topRows(front.rows()) = front;
    surface.faces.middleRows(front.rows(), front.rows()) = front.rowwise().reverse().array() + count;
    for (std::size_t i = 0; i < walls.size(); ++i) {
        surface.faces.row(2 * front.rows() + static_cast<Eigen::Index>(i)) = walls[i];
    }
    return surface;
}

}  // namespace

Surface build(const TuningFork& fork) {
    check_size("tuning_fork", "tine_length", fork.tine_length);
    check_size("tuning_fork", "tine_width", fork.tine_width);
    check_size("tuning_fork", "gap", fork.gap);
    check_size("tuning_fork", "stem_length", fork.stem_length);
    check_below("tuning_fork", "gap", fork.gap, 2 * fork.tine_length,
                fmt::format("the tine_length {:g} m", fork.tine_length));
    return extruded(sheet_of(fork), fork.tine_width);
}

}  // namespace clangor::shapes
