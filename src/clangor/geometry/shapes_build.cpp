#include <clangor/geometry/shapes_build.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor {

Surface surface_of(const Shape& shape) {
    return std::visit(overloaded{
                          [](const Box& s) { return shapes::build(s); },
                          [](const Sphere& s) { return shapes::build(s); },
                          [](const Cylinder& s) { return shapes::build(s); },
                          [](const Plate& s) { return shapes::build(s); },
                          [](const Bowl& s) { return shapes::build(s); },
                          [](const Mug& s) { return shapes::build(s); },
                          [](const Bell& s) { return shapes::build(s); },
                          [](const TuningFork& s) { return shapes::build(s); },
                          [](const Ring& s) { return shapes::build(s); },
                          [](const Key& s) { return shapes::build(s); },
                          [](const Sheet& s) { return shapes::build(s); },
                          [](const Disc& s) { return shapes::build(s); },
                          [](const Dome& s) { return shapes::build(s); },
                          [](const Can& s) { return shapes::build(s); },
                          [](const Cymbal& s) { return shapes::build(s); },
                          [](const Tub& s) { return shapes::build(s); },
                          [](const SurfaceOfRevolution& s) { return shapes::build(s); },
                      },
                      shape);
}

bool is_closed(const Shape& shape) {
    if (const auto* turned = std::get_if<SurfaceOfRevolution>(&shape)) return shapes::is_closed(*turned);
    return !std::holds_alternative<Sheet>(shape) && !std::holds_alternative<Disc>(shape) &&
           !std::holds_alternative<Dome>(shape) && !std::holds_alternative<Can>(shape) &&
           !std::holds_alternative<Cymbal>(shape) && !std::holds_alternative<Tub>(shape);
}

namespace shapes {

void check_size(std::string_view shape, std::string_view what, double metres) {
    constexpr double least = 1e-6, most = 1e3;
    if (metres >= least && metres <= most) return;
    throw Error(fmt::format("{}: {} must be between {:g} and {:g} m, but is {:g}", shape, what, least, most, metres));
}

void check_below(std::string_view shape, std::string_view what, double metres, double limit,
                 std::string_view because_of) {
    if (metres < limit) return;
    throw Error(fmt::format("{}: {} {:g} m is more than {} allows; use less than {:.4g}", shape, what, metres,
                            because_of, limit));
}

void line_to(Profile& profile, const Eigen::Vector2d& to, double step) {
    const Eigen::Vector2d from = profile.back();
    const int steps = static_cast<int>(std::clamp(std::ceil((to - from).norm() / step), 1.0, 400.0));
    for (int i = 1; i < steps; ++i) profile.push_back(from + (to - from) * i / steps);
    profile.push_back(to);
}

void arc_to(Profile& profile, const Arc& arc, double step) {
    const double turn = std::abs(arc.to - arc.from);
    const int steps = static_cast<int>(std::ceil(turn / std::clamp(step / arc.radius, pi / 64, pi / 8)));
    for (int i = 0; i <= steps; ++i) {
        const double angle = arc.from + (arc.to - arc.from) * i / steps;
        const Eigen::Vector2d point = arc.centre + arc.radius * Eigen::Vector2d(std::cos(angle), std::sin(angle));
        const bool repeats = !profile.empty() && (point - profile.back()).norm() < 1e-6 * arc.radius;
        if (!repeats) profile.push_back(point);
    }
}

Vec3 on_ring(const Eigen::Vector2d& profile_point, double angle) {
    return {profile_point.x() * std::cos(angle), profile_point.y(), profile_point.x() * std::sin(angle)};
}

namespace {

/// Vertices one after the other; a single one is a tip.
struct RingOfVertices {
    int first, size;
    int at(int k) const { return first + k % size; }
};

void append_band(std::vector<Eigen::RowVector3i>& faces, const RingOfVertices& a, const RingOfVertices& b) {
    for (int k = 0; k < std::max(a.size, b.size); ++k) {
        if (b.size > 1) faces.emplace_back(a.at(k), b.at(k), b.at(k + 1));
        if (a.size > 1) faces.emplace_back(a.at(k), b.at(k + 1), a.at(k + 1));
    }
}

Revolution turned(const Profile& profile, int segments, bool loop) {
    Revolution result;
    std::vector<std::vector<Vec3>> rings;
    int vertex_count = 0;
    for (const Eigen::Vector2d& point : profile) {
        rings.emplace_back();
        for (int k = 0; k < (point.x() == 0 ? 1 : segments); ++k)
            rings.back().push_back(on_ring(point, 2 * pi * k / segments));
        result.ring.push_back(vertex_count);
        vertex_count += static_cast<int>(rings.back().size());
    }
    result.surface = lofted(rings, loop);
    return result;
}

}  // namespace

Surface lofted(const std::vector<std::vector<Vec3>>& rings, bool loop) {
    std::vector<RingOfVertices> placed;
    int vertex_count = 0;
    for (const std::vector<Vec3>& ring : rings) {
        placed.push_back({vertex_count, static_cast<int>(ring.size())});
        vertex_count += placed.back().size;
    }
    std::vector<Eigen::RowVector3i> faces;
    for (std::size_t i = 0; i + (loop ? 0 : 1) < rings.size(); ++i)
        append_band(faces, placed[i], placed[(i + 1) % rings.size()]);
    Surface surface{Points(vertex_count, 3), Triangles(static_cast<Eigen::Index>(faces.size()), 3)};
    Eigen::Index row = 0;
    for (const std::vector<Vec3>& ring : rings)
        for (const Vec3& point : ring) surface.vertices.row(row++) = point;
    for (std::size_t f = 0; f < faces.size(); ++f) surface.faces.row(static_cast<Eigen::Index>(f)) = faces[f];
    return surface;
}

Surface turned_outward(Surface surface) {
    if (mass_properties(surface).volume < 0) surface.faces.col(1).swap(surface.faces.col(2));
    return surface;
}

Revolution revolved(const Profile& profile, int segments) {
    Revolution result = turned(profile, segments, profile.front().x() != 0);
    result.surface = turned_outward(std::move(result.surface));
    return result;
}

Surface turned_sheet(const Profile& profile, int segments) { return turned(profile, segments, false).surface; }

}  // namespace shapes
}  // namespace clangor
