// Spheres in air: their meshes, the pulse that drives them, and the exact sound of it.
#pragma once

#include <clangor/radiation/wave/wave.hpp>

#include <cmath>
#include <functional>
#include <map>
#include <utility>
#include <vector>

namespace clangor::test {

/// Icosahedron cut `levels` times into four, pushed out so that it encloses exactly the sphere's volume.
inline Surface sphere_surface(double radius, int levels) {
    const double g = (1 + std::sqrt(5.0)) / 2;
    std::vector<Vec3> x = {{-1, g, 0},  {1, g, 0},  {-1, -g, 0}, {1, -g, 0}, {0, -1, g},  {0, 1, g},
                           {0, -1, -g}, {0, 1, -g}, {g, 0, -1},  {g, 0, 1},  {-g, 0, -1}, {-g, 0, 1}};
    std::vector<std::array<int, 3>> faces = {{0, 11, 5}, {0, 5, 1},  {0, 1, 7},   {0, 7, 10}, {0, 10, 11},
                                             {1, 5, 9},  {5, 11, 4}, {11, 10, 2}, {10, 7, 6}, {7, 1, 8},
                                             {3, 9, 4},  {3, 4, 2},  {3, 2, 6},   {3, 6, 8},  {3, 8, 9},
                                             {4, 9, 5},  {2, 4, 11}, {6, 2, 10},  {8, 6, 7},  {9, 8, 1}};
    for (Vec3& v : x) v.normalize();
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        auto middle = [&](int a, int b) {
            const auto [at, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(x.size()));
            if (is_new) x.push_back((x[static_cast<std::size_t>(a)] + x[static_cast<std::size_t>(b)]).normalized());
            return at->second;
        };
        std::vector<std::array<int, 3>> finer;
        for (const auto& [a, b, c] : faces) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        faces = std::move(finer);
    }
    Surface surface{Points(static_cast<long>(x.size()), 3), Triangles(static_cast<long>(faces.size()), 3)};
    for (std::size_t i = 0; i < x.size(); ++i) surface.vertices.row(static_cast<long>(i)) = x[i];
    for (std::size_t i = 0; i < faces.size(); ++i)
        surface.faces.row(static_cast<long>(i)) << faces[i][0], faces[i][1], faces[i][2];
    surface.vertices *= radius * std::cbrt(4 * pi / 3 / mass_properties(surface).volume);
    return surface;
}

/// A cubic of Mitchell and Netravali's family: height 7/9, area h, zero outside ±2h.
inline double mitchell_pulse(double t, double h) {
    const double u = std::abs(t) / h, v = 2 - u;
    if (u <= 1) return 5.0 / 6 * u * u * u - 1.5 * u * u + 7.0 / 9;
    return u >= 2 ? 0 : (5 * v * v * v - 3 * v * v) / 18;
}

/// f″ + 2l f′ + 2l² f = A(t) from rest at `start`, l = c/a, in small steps of Runge and Kutta; f and f′ at later times.
class SphereResponse {
public:
    SphereResponse(double radius, double c, const std::function<double(double)>& A, double start, double end, double h)
        : start_(start), step_(h / 400) {
        const double l = c / radius;
        using State = Eigen::Vector2d;
        auto slope = [&](double t, const State& s) { return State(s[1], A(t) - 2 * l * s[1] - 2 * l * l * s[0]); };
        State s = State::Zero();
        for (double t = start; t < end + 2 * step_; t += step_) {
            states_.push_back(s);
            const State k1 = slope(t, s), k2 = slope(t + step_ / 2, s + step_ / 2 * k1),
                        k3 = slope(t + step_ / 2, s + step_ / 2 * k2), k4 = slope(t + step_, s + step_ * k3);
            s += step_ / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
    }
    Eigen::Vector2d operator()(double t) const {
        if (t <= start_) return Eigen::Vector2d::Zero();
        const double at = (t - start_) / step_;
        const auto i = static_cast<std::size_t>(at);
        return states_.at(i) + (at - std::floor(at)) * (states_.at(i + 1) - states_.at(i));
    }

private:
    double start_, step_;
    std::vector<Eigen::Vector2d> states_;
};

}  // namespace clangor::test
