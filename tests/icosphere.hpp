// A ball of nearly equal triangles, for tests and benchmarks that need one of a given number of faces.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

namespace clangor::test {

/// An icosahedron cut `levels` times into four: 20·4^levels faces. Scaled so that it encloses the ball's volume, or,
/// inscribed, with its vertices on the sphere: then it is too small by e²/8 of its edges e on the average, per unit
/// radius.
inline Surface icosphere(double radius, int levels, bool same_volume = true) {
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
        const auto middle = [&](int a, int b) {
            const auto [at, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(x.size()));
            if (is_new) x.push_back((x[a] + x[b]).normalized());
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
    surface.vertices *= radius * (same_volume ? std::cbrt(4 * pi / 3 / mass_properties(surface).volume) : 1.0);
    return surface;
}

}  // namespace clangor::test
