#include <clangor/radiation/wave/lattice_lines.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

namespace clangor::wave {
namespace {

/// A triangle seen along the axis, wound counter-clockwise there.
struct Projected {
    std::array<int, 3> vertex;
    std::array<double, 3> u, v, w;  ///< w is along the axis
    bool facing_up;                 ///< its normal points up the axis
};

// Twice the area of (a, b, p), positive where p is left of a → b. The lower vertex always comes first, so that the
// triangle on the other side gets the same number with the opposite sign.
double side(const Projected& t, std::size_t a, std::size_t b, double u, double v) {
    const bool swap = t.vertex[a] > t.vertex[b];
    const std::size_t i = swap ? b : a, j = swap ? a : b;
    const double area = (t.u[j] - t.u[i]) * (v - t.v[i]) - (t.v[j] - t.v[i]) * (u - t.u[i]);
    return swap ? -area : area;
}

// A point exactly on an edge belongs to the triangle on one side of it only; at a vertex the rule picks one of the fan.
bool is_inside(const Projected& t, double u, double v) {
    for (std::size_t a = 0; a < 3; ++a) {
        const std::size_t b = (a + 1) % 3;
        const double s = side(t, a, b, u, v);
        const double du = t.u[b] - t.u[a], dv = t.v[b] - t.v[a];
        const bool owns_edge = dv < 0 || (dv == 0 && du > 0);
        if (s < 0 || (s == 0 && !owns_edge)) return false;
    }
    return true;
}

double height(const Projected& t, double u, double v) {
    const double s0 = side(t, 1, 2, u, v), s1 = side(t, 2, 0, u, v), s2 = side(t, 0, 1, u, v);
    return (s0 * t.w[0] + s1 * t.w[1] + s2 * t.w[2]) / (s0 + s1 + s2);
}

struct Range {
    int begin, end;
};

// Lattice lines between two coordinates, one more on each side for rounding.
Range lines_between(double low, double high, double first, double step, int count) {
    const double begin = std::floor((low - first) / step) - 1, end = std::ceil((high - first) / step) + 2;
    return {static_cast<int>(std::clamp(begin, 0.0, double(count))),
            static_cast<int>(std::clamp(end, 0.0, double(count)))};
}

}  // namespace

std::vector<Crossing> crossings(const Surface& surface, const std::vector<char>& use, const Lattice& lattice) {
    const int axis_w = lattice.axis, axis_u = (axis_w + 1) % 3, axis_v = (axis_w + 2) % 3;
    std::vector<Crossing> found;
    for (int f = 0; f < surface.faces.rows(); ++f) {
        if (!use[f]) continue;
        Projected t{};
        for (std::size_t k = 0; k < 3; ++k) {
            t.vertex[k] = surface.faces(f, static_cast<int>(k));
            t.u[k] = surface.vertices(t.vertex[k], axis_u);
            t.v[k] = surface.vertices(t.vertex[k], axis_v);
            t.w[k] = surface.vertices(t.vertex[k], axis_w);
        }
        const double area = side(t, 0, 1, t.u[2], t.v[2]);
        if (area == 0) continue;
        t.facing_up = area > 0;
        if (!t.facing_up) {
            std::swap(t.vertex[1], t.vertex[2]);
            std::swap(t.u[1], t.u[2]);
            std::swap(t.v[1], t.v[2]);
            std::swap(t.w[1], t.w[2]);
        }
        const auto [low_u, high_u] = std::minmax({t.u[0], t.u[1], t.u[2]});
        const auto [low_v, high_v] = std::minmax({t.v[0], t.v[1], t.v[2]});
        const auto [low_w, high_w] = std::minmax({t.w[0], t.w[1], t.w[2]});
        const Range is = lines_between(low_u, high_u, lattice.first_u, lattice.step_u, lattice.count_u);
        const Range js = lines_between(low_v, high_v, lattice.first_v, lattice.step_v, lattice.count_v);
        for (int i = is.begin; i < is.end; ++i)
            for (int j = js.begin; j < js.end; ++j) {
                const double u = lattice.first_u + i * lattice.step_u, v = lattice.first_v + j * lattice.step_v;
                if (!is_inside(t, u, v)) continue;
                const double at = std::clamp(height(t, u, v), low_w, high_w);
                found.push_back({i * lattice.count_v + j, !t.facing_up, at});
            }
    }
    std::sort(found.begin(), found.end(), [](const Crossing& a, const Crossing& b) {
        return std::tie(a.line, a.at, b.entering) < std::tie(b.line, b.at, a.entering);
    });
    return found;
}

}  // namespace clangor::wave
