// Bell: a flared wall along a curve, its lip twice as thick, closed by a domed crown.
#include <clangor/geometry/shapes_build.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor::shapes {
namespace {

using Vec2 = Eigen::Vector2d;

/// The middle of the wall, from the lip up to the axis, with the tangent at each point.
struct MidLine {
    Profile points, tangents;
};

// A cubic from the lip to the shoulder, which it meets upright, then a quarter ellipse to the crown. The lip leans
// outward by 50° from the vertical; its cap of radius t then touches the mouth's radius and y = 0.
MidLine mid_line(const Bell& bell) {
    const double t = bell.thickness;
    const double crown_y = bell.height - t / 2;
    const double a = 0.5 * bell.radius, b = std::min(0.35 * bell.height, 1.2 * a);  // the shoulder's half-axes
    const Vec2 lip(bell.radius - t, t), shoulder(a, crown_y - b);
    const double reach = (shoulder - lip).norm() / 2;
    const Vec2 lean(-std::sin(50 * pi / 180), std::cos(50 * pi / 180));
    // However tall the bell, the flare does not swing in past the shoulder.
    const double flare = std::min(0.7 * reach, 0.9 * (lip.x() - a) / -lean.x());
    const Vec2 controls[4] = {lip, lip + flare * lean, shoulder - Vec2(0, reach), shoulder};
    constexpr int flare_steps = 48, dome_steps = 32;
    MidLine line;
    for (int i = 0; i < flare_steps; ++i) {
        const double s = static_cast<double>(i) / flare_steps, r = 1 - s;
        line.points.push_back(cube(r) * controls[0] + 3 * r * r * s * controls[1] + 3 * r * s * s * controls[2] +
                              cube(s) * controls[3]);
        line.tangents.push_back((r * r * (controls[1] - controls[0]) + 2 * r * s * (controls[2] - controls[1]) +
                                 s * s * (controls[3] - controls[2]))
                                    .normalized());
    }
    for (int i = 0; i <= dome_steps; ++i) {
        const double angle = pi / 2 * i / dome_steps;
        line.points.push_back(Vec2(a * std::cos(angle), crown_y - b + b * std::sin(angle)));
        line.tangents.push_back(Vec2(-a * std::sin(angle), b * std::cos(angle)).normalized());
    }
    line.points.back().x() = 0;
    line.tangents.back() = Vec2(-1, 0);
    return line;
}

/// Thickness over the wall's, along the height: 2 at the lip, 1 from a third of the height on.
double thickening(const Bell& bell, double y) {
    const double s = std::clamp((y - bell.thickness) / (bell.height / 3), 0.0, 1.0);
    return 2 - s * s * (3 - 2 * s);
}

/// The thickness at which the wall's inner side would fold at the mid-line's sharpest bend.
double folding_thickness(const Bell& bell, const MidLine& line) {
    double limit = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i + 1 < line.points.size(); ++i) {
        const double turn = (line.tangents[i + 1] - line.tangents[i]).norm();
        const double radius = (line.points[i + 1] - line.points[i]).norm() / std::max(turn, 1e-12);
        limit = std::min(limit, 2 * radius / thickening(bell, line.points[i].y()));
    }
    return limit;
}

void check(const Bell& bell) {
    check_size("bell", "radius", bell.radius);
    check_size("bell", "height", bell.height);
    check_size("bell", "thickness", bell.thickness);
    check_below("bell", "height", bell.height, 10 * bell.radius, fmt::format("the radius {:g} m", bell.radius));
    check_below("bell", "thickness", bell.thickness, bell.radius / 6, fmt::format("the radius {:g} m", bell.radius));
    check_below("bell", "thickness", bell.thickness, bell.height / 8, fmt::format("the height {:g} m", bell.height));
}

}  // namespace

Surface build(const Bell& bell) {
    check(bell);
    const MidLine line = mid_line(bell);
    check_below("bell", "thickness", bell.thickness, 0.8 * folding_thickness(bell, line),
                fmt::format("the curve of a bell {:g} m high and {:g} m in radius", bell.height, bell.radius));

    Profile outer, inner;
    for (std::size_t i = 0; i < line.points.size(); ++i) {
        const Vec2 outward(line.tangents[i].y(), -line.tangents[i].x());
        const Vec2 half = thickening(bell, line.points[i].y()) * bell.thickness / 2 * outward;
        outer.push_back(line.points[i] + half);
        inner.push_back(line.points[i] - half);
    }
    // From the crown's inside down to the lip, round it, and up the outside.
    Profile profile(inner.rbegin(), inner.rend());
    const Vec2 to_inner = inner.front() - line.points.front();
    const double start = std::atan2(to_inner.y(), to_inner.x());
    arc_to(profile, {line.points.front(), bell.thickness, start, start + pi}, 2 * pi * bell.radius / turn_segments);
    profile.insert(profile.end(), outer.begin() + 1, outer.end());
    profile.front().x() = profile.back().x() = 0;
    return revolved(profile).surface;
}

}  // namespace clangor::shapes
