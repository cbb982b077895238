#include <clangor/geometry/polygon.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using Vec2 = Eigen::Vector2d;

constexpr std::size_t most_corners = 1000;

double cross_of(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// Twice the area of a triangle, positive if counter-clockwise; none where that is within what machines round.
double turn(const Vec2& a, const Vec2& b, const Vec2& c) {
    const double twice_area = cross_of(b - a, c - a);
    return std::abs(twice_area) < 1e-12 * (b - a).norm() * (c - a).norm() ? 0 : twice_area;
}

bool lies_between(const Vec2& x, const Vec2& a, const Vec2& b) { return turn(a, b, x) == 0 && (x - a).dot(x - b) <= 0; }

bool meet(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
    if (turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0) return true;
    return lies_between(c, a, b) || lies_between(d, a, b) || lies_between(a, c, d) || lies_between(b, c, d);
}

bool is_flat(const Outline& outline) {
    const Vec2& first = outline[0];
    const auto from_first = [&](const Vec2& a, const Vec2& b) { return (a - first).norm() < (b - first).norm(); };
    const Vec2 farthest = *std::max_element(outline.begin(), outline.end(), from_first);
    return std::all_of(outline.begin(), outline.end(),
                       [&](const Vec2& corner) { return turn(first, farthest, corner) == 0; });
}

std::string corner_text(const Vec2& corner) { return fmt::format("({:g}, {:g}) m", corner.x(), corner.y()); }

void check_sides(const Outline& outline) {
    const std::size_t n = outline.size();
    for (std::size_t i = 0; i < n; ++i) {
        const Vec2 &a = outline[i], &b = outline[(i + 1) % n];
        // A side that goes back along the one before it.
        if (lies_between(outline[(i + 2) % n], a, b) || lies_between(a, b, outline[(i + 2) % n]))
            throw Error(
                fmt::format("a rod's section goes back along itself at {}. Leave that corner out.", corner_text(b)));
        for (std::size_t j = i + 2; j < n; ++j)
            if (!(i == 0 && j + 1 == n) && meet(a, b, outline[j], outline[(j + 1) % n]))
                throw Error(fmt::format(
                    "a rod's section cuts or touches itself: the side from {} with the side from {}. Give its "
                    "corners in order along the outline.",
                    corner_text(a), corner_text(outline[j])));
    }
}

}  // namespace

// Each side and the first corner span a triangle, as in mass_properties.
PolygonMoments moments_of(const Outline& outline) {
    PolygonMoments moments;
    Vec2 first = Vec2::Zero();
    Eigen::Matrix2d second = Eigen::Matrix2d::Zero();
    for (std::size_t i = 0; i + 1 < outline.size(); ++i) {
        const Vec2 b = outline[i] - outline[0], c = outline[i + 1] - outline[0], sum = b + c;
        const double twice_area = cross_of(b, c);
        moments.area += twice_area / 2;
        first += twice_area / 6 * sum;
        second += twice_area / 24 * (b * b.transpose() + c * c.transpose() + sum * sum.transpose());
    }
    if (moments.area == 0) return moments;
    const Vec2 offset = first / moments.area;
    moments.centroid = outline[0] + offset;
    moments.second = second - moments.area * offset * offset.transpose();
    return moments;
}

Outline checked_outline(const std::vector<Eigen::Vector2d>& corners) {
    Outline outline;
    for (const Vec2& corner : corners) {
        if (!corner.allFinite()) throw Error("a rod's section has a corner that is not a number");
        if (outline.empty() || corner != outline.back()) outline.push_back(corner);
    }
    while (outline.size() > 1 && outline.back() == outline.front()) outline.pop_back();
    if (outline.size() < 3) throw Error(fmt::format("a rod's section needs three corners, and has {}", outline.size()));
    if (outline.size() > most_corners)
        throw Error(fmt::format("a rod's section has {} corners, and may have {}. Give it fewer.", outline.size(),
                                most_corners));
    if (is_flat(outline))
        throw Error("a rod's section has no area: all its corners lie on a line. Give it a thickness.");
    check_sides(outline);
    if (moments_of(outline).area < 0) std::reverse(outline.begin(), outline.end());
    return outline;
}

}  // namespace clangor
