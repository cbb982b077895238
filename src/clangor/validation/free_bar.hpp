// Bending of a free bar, as Euler and Bernoulli have it. Internal to validation.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>

namespace clangor::validation {

/// cos β cosh β = 1.
inline constexpr std::array<double, 6> bar_roots = {4.730041, 7.853205, 10.995608, 14.137165, 17.278760, 20.420352};

/// One at its second end, z from −½ to ½ of the length.
inline double bar_shape(std::size_t mode, double z) {
    const double b = bar_roots[mode];
    if (mode % 2 == 0) return (std::cos(b * z) / std::cos(b / 2) + std::cosh(b * z) / std::cosh(b / 2)) / 2;
    return (std::sin(b * z) / std::sin(b / 2) + std::sinh(b * z) / std::sinh(b / 2)) / 2;
}

/// Its slope over z.
inline double bar_slope(std::size_t mode, double z) {
    const double b = bar_roots[mode];
    if (mode % 2 == 0) return b * (std::sinh(b * z) / std::cosh(b / 2) - std::sin(b * z) / std::cos(b / 2)) / 2;
    return b * (std::cos(b * z) / std::sin(b / 2) + std::cosh(b * z) / std::sinh(b / 2)) / 2;
}

}  // namespace clangor::validation
