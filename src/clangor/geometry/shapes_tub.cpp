// Tub: a tray, box or bin with rounded upright edges.
#include <clangor/geometry/shapes_build.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::shapes {
namespace {

struct RoundedRectangle {
    double half_width, half_depth;
    double rounding;
};

/// Steps along the sides, and along the arcs between them: the same at every height.
struct OutlineSteps {
    int width, depth, arc;
};

// From the corner at +x, +z on, towards −x.
std::vector<Vec3> outline(const RoundedRectangle& shape, double y, const OutlineSteps& steps) {
    std::vector<Vec3> points;
    for (int corner = 0; corner < 4; ++corner) {
        const double x = (corner == 0 || corner == 3 ? 1 : -1) * (shape.half_width - shape.rounding);
        const double z = (corner < 2 ? 1 : -1) * (shape.half_depth - shape.rounding);
        const auto on_arc = [&](int k) -> Vec3 {
            const double angle = pi / 2 * (corner + double(k) / steps.arc);
            return {x + shape.rounding * std::cos(angle), y, z + shape.rounding * std::sin(angle)};
        };
        for (int k = 0; k <= steps.arc; ++k) points.push_back(on_arc(k));
        const bool along_x = corner % 2 == 0;
        const Vec3 way = along_x ? Vec3(-2 * x, 0, 0) : Vec3(0, 0, -2 * z), from = points.back();
        const int count = along_x ? steps.width : steps.depth;
        for (int k = 1; k < count; ++k) points.push_back(from + way * k / count);
    }
    return points;
}

int steps_along(double length, double step, int least = 1) {
    return static_cast<int>(std::clamp(std::ceil(length / step), double(least), 400.0));
}

void check(const Tub& tub) {
    check_size("tub", "width", tub.width);
    check_size("tub", "depth", tub.depth);
    check_size("tub", "height", tub.height);
    check_size("tub", "rounding", tub.rounding);
    if (tub.taper != 0) check_size("tub", "taper", tub.taper);
    if (tub.rim != 0) check_size("tub", "rim", tub.rim);
    const double half = std::min(tub.width, tub.depth) / 2;
    check_below("tub", "taper", tub.taper, 0.9 * half, "the mouth");
    check_below("tub", "rounding", tub.rounding, half - tub.taper, "the bottom");
}

}  // namespace

Surface build(const Tub& tub) {
    check(tub);
    const double step = 2 * (tub.width + tub.depth) / turn_segments, rho = tub.rounding;
    const double a = tub.width / 2, b = tub.depth / 2;
    const OutlineSteps steps = {steps_along(2 * (a - rho), step), steps_along(2 * (b - rho), step),
                                steps_along(pi / 2 * rho, step, 4)};

    std::vector<std::vector<Vec3>> rings{{Vec3::Zero()}};
    const RoundedRectangle bottom{a - tub.taper, b - tub.taper, rho};
    const int floor_rows = steps_along(std::min(bottom.half_width, bottom.half_depth), step);
    for (int i = 1; i <= floor_rows; ++i) {
        const double part = double(i) / floor_rows;
        rings.push_back(outline({part * bottom.half_width, part * bottom.half_depth, part * rho}, 0, steps));
    }
    const int wall_rows = steps_along(std::hypot(tub.height, tub.taper), step);
    for (int i = 1; i <= wall_rows; ++i) {
        const double part = double(i) / wall_rows, out = part * tub.taper;
        rings.push_back(outline({bottom.half_width + out, bottom.half_depth + out, rho}, part * tub.height, steps));
    }
    const int rim_rows = tub.rim > 0 ? steps_along(tub.rim, step) : 0;
    for (int i = 1; i <= rim_rows; ++i) {
        const double out = tub.rim * i / rim_rows;
        rings.push_back(outline({a + out, b + out, rho + out}, tub.height, steps));
    }
    return lofted(rings);
}

}  // namespace clangor::shapes
