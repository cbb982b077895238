// Where two segments are nearest.
#include <clangor/motion/capsules/capsules.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

// The least of |p(s) − q(t)|² + ε (|e|² + |f|²) ((s − ½)² + (t − ½)²) over the unit square: a convex function whose
// minimum is unique, and moves steadily as segments that lie side by side turn. Without ε it would leap from end to
// end. For segments that cross at an angle θ the distance comes out long by about ε²|e|²/(4 d sin²θ).
NearestOnSegments nearest_on_segments(const Vec3& p0, const Vec3& p1, const Vec3& q0, const Vec3& q1) {
    constexpr double epsilon = 1e-4;
    const Vec3 e = p1 - p0, f = q1 - q0, w = p0 - q0;
    const double shift = epsilon * (e.squaredNorm() + f.squaredNorm());
    if (shift == 0) return {};
    const double a = e.squaredNorm() + shift, b = e.dot(f), c = f.squaredNorm() + shift;
    const double d = 0.5 * shift - e.dot(w), g = 0.5 * shift + f.dot(w);  // a s − b t = d, −b s + c t = g
    const double determinant = a * c - b * b;
    const NearestOnSegments inside{(d * c + b * g) / determinant, (a * g + b * d) / determinant};
    const auto on_segment = [](double x) { return 0 <= x && x <= 1; };
    if (on_segment(inside.first) && on_segment(inside.second)) return inside;

    const auto cost = [&](const NearestOnSegments& at) {
        return at.first * (0.5 * a * at.first - b * at.second - d) + at.second * (0.5 * c * at.second - g);
    };
    NearestOnSegments best;
    double least = std::numeric_limits<double>::infinity();
    for (const double end : {0.0, 1.0}) {
        for (const NearestOnSegments& at : {NearestOnSegments{end, std::clamp((g + b * end) / c, 0.0, 1.0)},
                                            NearestOnSegments{std::clamp((d + b * end) / a, 0.0, 1.0), end}}) {
            if (cost(at) < least) least = cost(at), best = at;
        }
    }
    return best;
}

}  // namespace clangor
