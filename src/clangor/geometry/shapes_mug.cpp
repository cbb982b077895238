// Mug: a turned cup, and a handle whose ends grow out of holes cut into the wall.
#include <clangor/geometry/shapes_build.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor::shapes {
namespace {

constexpr int tube_segments = 48;

/// The cup's meridian, and the rows of it that are the straight outer wall.
struct CupProfile {
    Profile points;
    int wall_first = 0, wall_last = 0;
};

// The base's corner is rounded inside and outside about the same centre, so that the wall keeps its thickness round it;
// the rim is a half circle.
CupProfile cup_profile(const Mug& mug) {
    const double R = mug.radius, H = mug.height, t = mug.thickness;
    const double step = 2 * pi * R / turn_segments;
    const Eigen::Vector2d corner(R - 2 * t, 2 * t), rim(R - t / 2, H - t / 2);
    CupProfile cup{{{0, 0}}, 0, 0};
    line_to(cup.points, {corner.x(), 0}, 4 * step);
    arc_to(cup.points, {corner, 2 * t, -pi / 2, 0}, step);
    cup.wall_first = static_cast<int>(cup.points.size()) - 1;
    line_to(cup.points, {R, rim.y()}, step);
    cup.wall_last = static_cast<int>(cup.points.size()) - 1;
    arc_to(cup.points, {rim, t / 2, 0, pi}, step);
    line_to(cup.points, {R - t, corner.y()}, 4 * step);
    arc_to(cup.points, {corner, t, 0, -pi / 2}, step);
    line_to(cup.points, {0, t}, 4 * step);
    return cup;
}

/// A tube of radius t: half a torus in the plane z = 0, with short straight ends along −x into the wall.
struct Handle {
    double tube, bend;  ///< radii of the tube and of its middle line [m]
    double x, y;        ///< centre of the bend [m]
    double wall;        ///< radius of the wall [m]

    /// The point at `around` the tube's section; `along` from −90° (lower end) to 90°.
    Vec3 in_bend(double along, double around) const {
        const double out = bend + tube * std::cos(around);
        return {x + out * std::cos(along), y + out * std::sin(along), tube * std::sin(around)};
    }
    /// Where the end's straight lines meet the wall's cylinder.
    Vec3 on_wall(double along, double around) const {
        const Vec3 point = in_bend(along, around);
        return {std::sqrt(square(wall) - square(point.z())), point.y(), point.z()};
    }
};

Handle handle_of(const Mug& mug) {
    const double t = mug.thickness;
    return {.tube = t, .bend = 0.28 * mug.height, .x = mug.radius + t / 2, .y = 0.52 * mug.height, .wall = mug.radius};
}

// Each end needs straight wall around it: the tube and a cell and a half of the grid on either side. The lower end
// stands 0.24 H high and the wall starts at 2t; the upper end stands at 0.8 H and the wall ends at H − t/2.
void check_handle(const Mug& mug) {
    const double margin = 1.6 * 2 * pi * mug.radius / turn_segments;
    const double thickest = std::min((0.24 * mug.height - margin) / 3, (0.2 * mug.height - margin) / 1.5);
    if (mug.thickness < thickest) return;
    const std::string cure =
        thickest > 0 ? fmt::format("use a thickness below {:.3g} or ", thickest) : "make it higher or ";
    throw Error(fmt::format("mug: a handle {:g} m thick does not fit on a wall {:g} m high; {}set \"handle\": false",
                            2 * mug.thickness, mug.height, cure));
}

/// Vertices in order around the middle of a hole.
struct Loop {
    std::vector<int> vertices;
    std::vector<double> angles;  ///< seen from the hole's middle, rising within a turn [rad]
};

/// Starts the loop at its smallest angle.
Loop sorted(const Loop& loop) {
    std::vector<int> order(loop.vertices.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
    std::sort(order.begin(), order.end(), [&](int a, int b) { return loop.angles[a] < loop.angles[b]; });
    Loop result;
    for (const int i : order) {
        result.vertices.push_back(loop.vertices[i]);
        result.angles.push_back(loop.angles[i]);
    }
    return result;
}

/// Faces between two loops around the same middle, always advancing on the one that lags behind.
void stitch(std::vector<Eigen::RowVector3i>& faces, const Loop& a, const Loop& b) {
    const auto angle = [](const Loop& loop, std::size_t i) {
        return loop.angles[i % loop.angles.size()] + (i >= loop.angles.size() ? 2 * pi : 0.0);
    };
    const auto vertex = [](const Loop& loop, std::size_t i) { return loop.vertices[i % loop.vertices.size()]; };
    std::size_t i = 0, j = 0;
    while (i < a.vertices.size() || j < b.vertices.size()) {
        const bool advance_a = j == b.vertices.size() || (i < a.vertices.size() && angle(a, i + 1) <= angle(b, j + 1));
        if (advance_a) {
            faces.emplace_back(vertex(a, i), vertex(a, i + 1), vertex(b, j));
            ++i;
        } else {
            faces.emplace_back(vertex(a, i), vertex(b, j + 1), vertex(b, j));
            ++j;
        }
    }
}

/// Grid cells [row_low, row_high] × [−columns, columns] of the wall, about φ = 0.
struct Hole {
    int row_low, row_high, columns;
};

struct MugBuilder {
    const CupProfile& cup;
    const Handle& handle;
    Revolution& body;
    std::vector<Vec3> vertices;
    std::vector<Eigen::RowVector3i> faces;

    int grid_vertex(int row, int column) const { return body.ring[row] + (column + turn_segments) % turn_segments; }
    double row_y(int row) const { return cup.points[row].y(); }

    /// The smallest block of cells that leaves at least half a cell around the tube.
    Hole hole_about(double y) const {
        const double cell = 2 * pi * handle.wall / turn_segments, reach = handle.tube + 0.6 * cell;
        Hole hole{cup.wall_first, cup.wall_last, static_cast<int>(std::ceil(reach / cell))};
        while (row_y(hole.row_low + 1) <= y - reach) ++hole.row_low;
        while (row_y(hole.row_high - 1) >= y + reach) --hole.row_high;
        return hole;
    }

    double angle_about(double y, const Vec3& x) const {
        return std::atan2(x.y() - y, handle.wall * std::atan2(x.z(), x.x()));
    }

    Loop border(const Hole& hole, double y) const {
        Loop loop;
        const auto add = [&](int row, int column) {
            loop.vertices.push_back(grid_vertex(row, column));
            loop.angles.push_back(angle_about(y, vertices[loop.vertices.back()]));
        };
        for (int column = -hole.columns; column <= hole.columns; ++column) {
            add(hole.row_low, column);
            add(hole.row_high, column);
        }
        for (int row = hole.row_low + 1; row < hole.row_high; ++row) {
            add(row, -hole.columns);
            add(row, hole.columns);
        }
        return sorted(loop);
    }

    bool is_inside(const Hole& hole, int vertex) const {
        for (int row = hole.row_low; row <= hole.row_high; ++row) {
            const int column = vertex - body.ring[row];
            if (column < 0 || column >= turn_segments) continue;
            return std::min(column, turn_segments - column) <= hole.columns;
        }
        return false;
    }

    /// Adds one ring of the tube.
    template <class Place>
    std::vector<int> add_ring(const Place& place) {
        std::vector<int> ring;
        for (int k = 0; k < tube_segments; ++k) {
            ring.push_back(static_cast<int>(vertices.size()));
            vertices.push_back(place(2 * pi * k / tube_segments));
        }
        return ring;
    }

    void join_rings(const std::vector<int>& a, const std::vector<int>& b) {
        for (int k = 0; k < tube_segments; ++k) {
            const int next = (k + 1) % tube_segments;
            faces.emplace_back(a[k], b[k], b[next]);
            faces.emplace_back(a[k], b[next], a[next]);
        }
    }

    /// Cuts the wall around one end of the handle and closes the cut with that end's ring.
    void grow_end(double along, const std::vector<int>& ring) {
        const double y = handle.y + handle.bend * std::sin(along);
        const Hole hole = hole_about(y);
        std::erase_if(faces, [&](const Eigen::RowVector3i& face) {
            return is_inside(hole, face[0]) && is_inside(hole, face[1]) && is_inside(hole, face[2]);
        });
        Loop end;
        for (const int vertex : ring) {
            end.vertices.push_back(vertex);
            end.angles.push_back(angle_about(y, vertices[vertex]));
        }
        stitch(faces, border(hole, y), sorted(end));
    }
};

Surface with_handle(const CupProfile& cup, const Handle& handle, Revolution body) {
    MugBuilder mug{cup, handle, body, {}, {}};
    for (int v = 0; v < body.surface.vertices.rows(); ++v) mug.vertices.emplace_back(body.surface.vertices.row(v));
    for (int f = 0; f < body.surface.faces.rows(); ++f) mug.faces.emplace_back(body.surface.faces.row(f));

    const std::vector<int> first = mug.add_ring([&](double around) { return handle.on_wall(-pi / 2, around); });
    mug.grow_end(-pi / 2, first);
    constexpr int bend_steps = 48;
    std::vector<int> last = first;
    for (int i = 0; i <= bend_steps; ++i) {
        const double along = pi * i / bend_steps - pi / 2;
        const std::vector<int> ring = mug.add_ring([&](double around) { return handle.in_bend(along, around); });
        mug.join_rings(last, ring);
        last = ring;
    }
    const std::vector<int> end = mug.add_ring([&](double around) { return handle.on_wall(pi / 2, around); });
    mug.join_rings(last, end);
    mug.grow_end(pi / 2, end);

    Surface surface{Points(static_cast<Eigen::Index>(mug.vertices.size()), 3),
                    Triangles(static_cast<Eigen::Index>(mug.faces.size()), 3)};
    for (std::size_t v = 0; v < mug.vertices.size(); ++v) surface.vertices.row(static_cast<long>(v)) = mug.vertices[v];
    for (std::size_t f = 0; f < mug.faces.size(); ++f) surface.faces.row(static_cast<long>(f)) = mug.faces[f];
    return clean(surface).surface;  // drops the vertices inside the holes, and winds the stitches like the rest
}

}  // namespace

Surface build(const Mug& mug) {
    check_size("mug", "radius", mug.radius);
    check_size("mug", "height", mug.height);
    check_size("mug", "thickness", mug.thickness);
    check_below("mug", "thickness", mug.thickness, mug.radius / 3, fmt::format("the radius {:g} m", mug.radius));
    check_below("mug", "thickness", mug.thickness, mug.height / 6, fmt::format("the height {:g} m", mug.height));
    check_below("mug", "height", mug.height, 20 * mug.radius, fmt::format("the radius {:g} m", mug.radius));

    const CupProfile cup = cup_profile(mug);
    Revolution body = revolved(cup.points);
    if (!mug.handle) return body.surface;
    check_handle(mug);
    return with_handle(cup, handle_of(mug), std::move(body));
}

}  // namespace clangor::shapes
