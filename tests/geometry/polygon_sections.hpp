// Sections with known closed forms, as polygons.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <cmath>

namespace clangor::test {

/// About its centre, counter-clockwise; `width` along x [m].
inline PolygonSection rectangle_polygon(double width, double height) {
    return {{{-width / 2, -height / 2}, {width / 2, -height / 2}, {width / 2, height / 2}, {-width / 2, height / 2}}};
}

/// Corners on an ellipse of half axes a along x and b along y [m].
inline PolygonSection ellipse_polygon(double a, double b, int corners) {
    PolygonSection polygon;
    for (int i = 0; i < corners; ++i)
        polygon.corners.emplace_back(a * std::cos(2 * pi * i / corners), b * std::sin(2 * pi * i / corners));
    return polygon;
}

}  // namespace clangor::test
