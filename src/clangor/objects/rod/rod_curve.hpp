// Where the control points of a rod are. Internal to objects/rod.
#pragma once

#include <clangor/scene/scene.hpp>

namespace clangor {

struct CurvePoints {
    Points points = {};   ///< in the rod's own frame [m]
    bool closed = false;  ///< the last joins the first
    double length = 0;    ///< of the rod [m]
    /// How far the first point is before the rod's beginning: half a spacing, where that end is clamped [m].
    double before = 0;
};

/// At equal distances along the curve. Where an end is clamped, half a spacing of it is inside of what holds it. Throws
/// Error for files that cannot be read, points that repeat, and points that are too few.
CurvePoints curve_points(const scene::Rod& rod);

/// So many control points are chosen at most where no count is stated.
inline constexpr long most_points = 1000;

/// The pitch up to which waves of bending across the thin side are eight spacings long or longer, and so right to
/// 0.04 % (docs/theory/rod.md) [Hz].
double followed_hz(const scene::Rod& rod, double spacing);

/// The same from points that are known already: for tests.
Points resampled(const Points& points, bool closed, double from, double to, long count);

}  // namespace clangor
