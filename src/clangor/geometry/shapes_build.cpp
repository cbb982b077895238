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
                      },
                      shape);
}

bool is_closed(const Shape& shape) {
    return !std::holds_alternative<Sheet>(shape) && !std::holds_alternative<Disc>(shape) &&
           !std::holds_alternative<Dome>(shape) && !std::holds_alternative<Can>(shape) &&
           !std::holds_alternative<Cymbal>(shape);
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

/// The band of faces between two rings, of which either may be a single point.
void append_band(std::vector<Eigen::RowVector3i>& faces, int a, bool a_is_point, int b, bool b_is_point, int segments) {
    for (int k = 0; k < segments; ++k) {
        const int next = (k + 1) % segments;
        const int a0 = a_is_point ? a : a + k, a1 = a_is_point ? a : a + next;
        const int b0 = b_is_point ? b : b + k, b1 = b_is_point ? b : b + next;
        if (!b_is_point) faces.emplace_back(a0, b0, b1);
        if (!a_is_point) faces.emplace_back(a0, b1, a1);
    }
}

Revolution turned(const Profile& profile, int segments, bool loop) {
    const auto on_axis = [&](std::size_t i) { return profile[i].x() == 0; };
    Revolution result;
    int vertex_count = 0;
    for (std::size_t i = 0; i < profile.size(); ++i) {
        result.ring.push_back(vertex_count);
        vertex_count += on_axis(i) ? 1 : segments;
    }
    result.surface.vertices.resize(vertex_count, 3);
    std::vector<Eigen::RowVector3i> faces;
    for (std::size_t i = 0; i < profile.size(); ++i) {
        for (int k = 0; k < (on_axis(i) ? 1 : segments); ++k) {
            result.surface.vertices.row(result.ring[i] + k) = on_ring(profile[i], 2 * pi * k / segments);
        }
        if (i + 1 == profile.size() && !loop) break;
        const std::size_t next = (i + 1) % profile.size();
        append_band(faces, result.ring[i], on_axis(i), result.ring[next], on_axis(next), segments);
    }
    result.surface.faces.resize(static_cast<Eigen::Index>(faces.size()), 3);
    for (std::size_t f = 0; f < faces.size(); ++f) result.surface.faces.row(static_cast<Eigen::Index>(f)) = faces[f];
    return result;
}

}  // namespace

Revolution revolved(const Profile& profile, int segments) {
    Revolution result = turned(profile, segments, profile.front().x() != 0);
    // The way round a profile is its author's choice; outward is not.
    if (mass_properties(result.surface).volume < 0) result.surface.faces.col(1).swap(result.surface.faces.col(2));
    return result;
}

Surface turned_sheet(const Profile& profile, int segments) { return turned(profile, segments, false).surface; }

}  // namespace shapes
}  // namespace clangor
