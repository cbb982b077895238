// Sheet, disc, dome, can and cymbal: surfaces without a thickness.
#include <clangor/geometry/shapes_build.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor::shapes {
namespace {

double step_of(double radius) { return 2 * pi * radius / turn_segments; }

/// A spherical cap about the y axis, by its rim and how far the axis is from the rim's plane; downward if negative.
struct Cap {
    Eigen::Vector2d rim;
    double rise;
};

/// Appends the meridian of a cap from where it is `from` away from the axis to its rim.
void cap_to(Profile& profile, const Cap& cap, double from, double step) {
    const double R = (square(cap.rim.x()) + square(cap.rise)) / (2 * std::abs(cap.rise));
    const double side = cap.rise > 0 ? 1 : -1;
    const Eigen::Vector2d centre(0, cap.rim.y() + cap.rise - side * R);
    const double first = side * std::acos(from / R);
    const Eigen::Vector2d last = cap.rim - centre;
    arc_to(profile, {centre, R, first, std::atan2(last.y(), last.x())}, step);
}

}  // namespace

Surface build(const Sheet& sheet) {
    check_size("sheet", "width", sheet.width);
    check_size("sheet", "depth", sheet.depth);
    // Cells about as wide as long.
    const double cell = std::max(sheet.width, sheet.depth) / 32;
    const int m = std::max(1, static_cast<int>(std::lround(sheet.width / cell)));
    const int n = std::max(1, static_cast<int>(std::lround(sheet.depth / cell)));
    Surface surface{Points((m + 1) * (n + 1), 3), Triangles(2 * m * n, 3)};
    const auto id = [n](int i, int j) { return i * (n + 1) + j; };
    for (int i = 0; i <= m; ++i)
        for (int j = 0; j <= n; ++j)
            surface.vertices.row(id(i, j)) << sheet.width * (double(i) / m - 0.5), 0,
                sheet.depth * (double(j) / n - 0.5);
    int f = 0;
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j) {
            const int a = id(i, j), b = id(i, j + 1), c = id(i + 1, j + 1), d = id(i + 1, j);
            const bool other = (i + j) % 2 != 0;
            surface.faces.row(f++) << a, b, other ? d : c;
            surface.faces.row(f++) << (other ? b : a), c, d;
        }
    return surface;
}

Surface build(const Disc& disc) {
    check_size("disc", "radius", disc.radius);
    Profile profile{{disc.hole_radius, 0}};
    if (disc.hole_radius != 0) {
        check_size("disc", "hole_radius", disc.hole_radius);
        check_below("disc", "hole_radius", disc.hole_radius, 0.95 * disc.radius, "the radius");
    }
    line_to(profile, {disc.radius, 0}, step_of(disc.radius));
    return turned_sheet(profile);
}

Surface build(const Dome& dome) {
    check_size("dome", "radius", dome.radius);
    check_size("dome", "depth", dome.depth);
    check_below("dome", "depth", dome.depth, 8 * dome.radius, fmt::format("the radius {:g} m", dome.radius));
    Profile profile;
    cap_to(profile, {{dome.radius, dome.depth}, -dome.depth}, 0, step_of(dome.radius));
    profile.front() = {0, 0};  // cos(−π/2) is not quite 0
    return turned_sheet(profile);
}

Surface build(const Can& can) {
    check_size("can", "radius", can.radius);
    check_size("can", "height", can.height);
    const double step = 2 * step_of(can.radius);
    Profile profile{{can.bottom ? 0 : can.radius, 0}};
    if (can.bottom) line_to(profile, {can.radius, 0}, step);
    line_to(profile, {can.radius, can.height}, step);
    return turned_sheet(profile);
}

Surface build(const Cymbal& cymbal) {
    check_size("cymbal", "radius", cymbal.radius);
    check_size("cymbal", "height", cymbal.height);
    check_size("cymbal", "bell_radius", cymbal.bell_radius);
    check_size("cymbal", "bell_height", cymbal.bell_height);
    check_size("cymbal", "hole_radius", cymbal.hole_radius);
    check_below("cymbal", "hole_radius", cymbal.hole_radius, 0.8 * cymbal.bell_radius, "the bell's radius");
    check_below("cymbal", "bell_radius", cymbal.bell_radius, 0.9 * cymbal.radius, "the radius");
    check_below("cymbal", "bell_height", cymbal.bell_height, cymbal.bell_radius, "the bell's radius");
    check_below("cymbal", "height", cymbal.height, 0.5 * (cymbal.radius - cymbal.bell_radius), "the width of the bow");
    // Both are caps of spheres about the axis. That of the bow passes through the bell's rim and the edge.
    const double step = step_of(cymbal.radius), r = cymbal.bell_radius, R = cymbal.radius, H = cymbal.height;
    Profile profile;
    cap_to(profile, {{r, H}, cymbal.bell_height}, cymbal.hole_radius, step);
    const double centre = (square(r) + square(H) - square(R)) / (2 * H);
    arc_to(profile, {{0, centre}, std::hypot(R, centre), std::atan2(H - centre, r), std::atan2(-centre, R)}, step);
    return turned_sheet(profile);
}

}  // namespace clangor::shapes
