// Surfaces of revolution: straight lines or curves through the points of a profile, turned about y, with upright ribs.
#include <clangor/geometry/shapes_build.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>

namespace clangor::shapes {
namespace {

using Vec2 = Eigen::Vector2d;

/// The points of a profile, each once.
struct CorneredProfile {
    Profile points;
    std::vector<char> corner;  ///< of each point, whether the curve turns there
    bool loop = false;         ///< the last point is followed by the first
};

CorneredProfile cornered(const SurfaceOfRevolution& shape) {
    CorneredProfile outline;
    for (const Vec2& point : shape.profile) {
        const bool again = !outline.points.empty() && outline.points.back() == point;
        if (!again) {
            outline.points.push_back(point);
            outline.corner.push_back(!shape.smooth);
        }
        outline.corner.back() |= char(again);
    }
    outline.loop = outline.points.size() > 2 && outline.points.front() == outline.points.back();
    if (!outline.loop) return outline;
    outline.corner.front() |= outline.corner.back();
    outline.points.pop_back();
    outline.corner.pop_back();
    // It begins at a corner, where it has one.
    const auto first = std::find(outline.corner.begin(), outline.corner.end(), char(true)) - outline.corner.begin();
    if (first == std::ssize(outline.corner)) return outline;
    std::rotate(outline.points.begin(), outline.points.begin() + first, outline.points.end());
    std::rotate(outline.corner.begin(), outline.corner.begin() + first, outline.corner.end());
    return outline;
}

/// A curve between two corners, with what is beyond its ends where it goes on smoothly.
struct CurveRun {
    Profile points;
    std::optional<Vec2> before = {}, after = {};
};

std::vector<CurveRun> runs_of(CorneredProfile outline) {
    const auto mirrored = [](const Vec2& p) -> Vec2 { return {-p.x(), p.y()}; };
    Profile& points = outline.points;
    const bool smooth_loop = outline.loop && !outline.corner.front();
    if (outline.loop) points.push_back(Vec2(points.front())), outline.corner.push_back(outline.corner.front());
    const std::size_t last = points.size() - 1;
    std::vector<CurveRun> runs(1);
    for (std::size_t i = 0; i <= last; ++i) {
        runs.back().points.push_back(points[i]);
        if (outline.corner[i] && i > 0 && i < last) runs.push_back({.points = {points[i]}});
    }
    CurveRun &first = runs.front(), &end = runs.back();
    if (smooth_loop) {
        first.before = points[last - 1];
        end.after = points[1];
    }
    if (points.front().x() == 0 && !outline.corner.front()) first.before = mirrored(points[1]);
    if (points.back().x() == 0 && !outline.corner.back()) end.after = mirrored(points[last - 1]);
    return runs;
}

// Catmull's and Rom's spline with centripetal knots, √|P_{i+1} − P_i| apart: at each point the tangent of the parabola
// through it and its neighbours; at a free end, that with which the first piece is a parabola.
Profile tangents_of(const CurveRun& run, const std::vector<double>& h) {
    const Profile& P = run.points;
    const std::size_t n = P.size() - 1;
    const auto slope = [&](std::size_t i) -> Vec2 { return (P[i + 1] - P[i]) / h[i]; };
    const auto parabola = [](const Vec2& in, double h_in, const Vec2& out, double h_out) -> Vec2 {
        return (h_out * in + h_in * out) / (h_in + h_out);
    };
    Profile T(n + 1, Vec2::Zero());
    for (std::size_t i = 1; i < n; ++i) T[i] = parabola(slope(i - 1), h[i - 1], slope(i), h[i]);
    const auto beyond = [&](const Vec2& from, const Vec2& to) { return std::sqrt((to - from).norm()); };
    if (run.before) {
        const double h_in = beyond(*run.before, P[0]);
        T[0] = parabola((P[0] - *run.before) / h_in, h_in, slope(0), h[0]);
    }
    if (run.after) {
        const double h_out = beyond(P[n], *run.after);
        T[n] = parabola(slope(n - 1), h[n - 1], (*run.after - P[n]) / h_out, h_out);
    }
    if (n == 1 && !run.before && !run.after) return {slope(0), slope(0)};
    if (!run.before) T[0] = 2 * slope(0) - T[1];
    if (!run.after) T[n] = 2 * slope(n - 1) - T[n - 1];
    return T;
}

/// Appends a run to a profile that ends where it begins, in steps no longer than `step`.
void append(Profile& profile, const CurveRun& run, double step) {
    const Profile& P = run.points;
    const bool straight = P.size() == 2 && !run.before && !run.after;
    if (straight) return line_to(profile, P[1], step);
    std::vector<double> h;
    for (std::size_t i = 0; i + 1 < P.size(); ++i) h.push_back(std::sqrt((P[i + 1] - P[i]).norm()));
    const Profile T = tangents_of(run, h);
    for (std::size_t i = 0; i + 1 < P.size(); ++i) {
        const int steps = static_cast<int>(std::clamp(std::ceil((P[i + 1] - P[i]).norm() / step), 4.0, 400.0));
        for (int k = 1; k < steps; ++k) {
            const double u = double(k) / steps, v = 1 - u;
            profile.push_back(square(v) * (1 + 2 * u) * P[i] + square(u) * (1 + 2 * v) * P[i + 1] +
                              h[i] * u * v * (v * T[i] - u * T[i + 1]));
        }
        profile.push_back(P[i + 1]);
    }
}

/// How far ribs stand out at each point of a profile, from 0 to 1: wherever it is steeper than 45°, but within a rib's
/// width from where that begins and ends.
std::vector<double> rib_heights(const Profile& profile, double rib_width) {
    std::vector<double> heights(profile.size(), 0);
    const auto steep = [&](std::size_t i) {
        const Vec2 way = profile[i + 1] - profile[i];
        return std::abs(way.y()) > std::abs(way.x());
    };
    for (std::size_t begin = 0; begin + 1 < profile.size(); ++begin) {
        if (!steep(begin)) continue;
        std::vector<double> along{0};
        std::size_t end = begin;
        for (; end + 1 < profile.size() && steep(end); ++end)
            along.push_back(along.back() + (profile[end + 1] - profile[end]).norm());
        for (std::size_t i = begin; i <= end; ++i) {
            const double from_end = std::min(along[i - begin], along.back() - along[i - begin]);
            const double s = std::min(from_end / rib_width, 1.0);
            heights[i] = s * s * (3 - 2 * s);
        }
        begin = end;
    }
    return heights;
}

Surface ribbed(const SurfaceOfRevolution& shape, const Profile& profile, double radius, bool loop) {
    const double rib_width = 2 * pi * radius / shape.ribs;
    check_size("revolution", "rib_depth", shape.rib_depth);
    check_below("revolution", "rib_depth", shape.rib_depth, rib_width / 2, fmt::format("{} ribs", shape.ribs));
    const std::vector<double> heights = rib_heights(profile, rib_width);
    constexpr int steps_per_rib = 8;
    const int segments = shape.ribs * std::max(steps_per_rib, turn_segments / shape.ribs);
    std::vector<std::vector<Vec3>> rings;
    for (std::size_t i = 0; i < profile.size(); ++i) {
        rings.emplace_back();
        for (int k = 0; k < (profile[i].x() == 0 ? 1 : segments); ++k) {
            const double angle = 2 * pi * k / segments;
            const double out = shape.rib_depth * heights[i] * (1 - std::cos(shape.ribs * angle)) / 2;
            rings.back().push_back(on_ring(profile[i] + Vec2(out, 0), angle));
        }
    }
    return lofted(rings, loop);
}

void check(const CorneredProfile& outline) {
    const Profile& points = outline.points;
    for (std::size_t i = 0; i < points.size(); ++i) {
        const bool end = !outline.loop && (i == 0 || i + 1 == points.size());
        const bool good = points[i].allFinite() && points[i].x() >= 0 && points[i].cwiseAbs().maxCoeff() <= 1e3;
        if (good && (end || points[i].x() > 0)) continue;
        throw Error(fmt::format("revolution: the profile's point [{:g}, {:g}] must {}", points[i].x(), points[i].y(),
                                good ? "not be on the axis, as it is not one of two ends"
                                     : "have a radius of 0 to 1000 m and a height of at most 1000 m"));
    }
    if (points.size() < 2) throw Error("revolution: the profile must have two points or more that are apart");
    if (points.size() == 2 && points[0].x() == 0 && points[1].x() == 0)
        throw Error("revolution: the profile lies on the axis; give it a point beside it");
}

}  // namespace

bool is_closed(const SurfaceOfRevolution& shape) {
    if (shape.profile.size() < 2) return false;
    const Vec2 &first = shape.profile.front(), &last = shape.profile.back();
    return first == last || (first.x() == 0 && last.x() == 0);
}

Surface build(const SurfaceOfRevolution& shape) {
    const CorneredProfile outline = cornered(shape);
    check(outline);
    double radius = 0, length = 0;
    for (const Vec2& point : outline.points) radius = std::max(radius, point.x());
    for (std::size_t i = 1; i < outline.points.size(); ++i)
        length += (outline.points[i] - outline.points[i - 1]).norm();
    const double step = std::max(2 * pi * radius / turn_segments, length / 400);
    Profile profile{outline.points.front()};
    for (const CurveRun& run : runs_of(outline)) append(profile, run, step);
    for (std::size_t i = 1; i + 1 < profile.size(); ++i) {
        if (profile[i].x() > 0) continue;
        throw Error(
            fmt::format("revolution: the curve through the profile's points crosses the axis at height {:.3g} "
                        "m; give it more points there, or say \"smooth\": false",
                        profile[i].y()));
    }
    if (outline.loop) profile.pop_back();
    const bool closed = is_closed(shape);
    if (shape.ribs > 0) {
        Surface surface = ribbed(shape, profile, radius, outline.loop);
        return closed ? turned_outward(std::move(surface)) : surface;
    }
    return closed ? revolved(profile).surface : turned_sheet(profile);
}

}  // namespace clangor::shapes
