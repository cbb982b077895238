// Quadrature on a triangle.
#pragma once

#include <array>
#include <span>

namespace clangor::bem {

/// Barycentric coordinates and a weight; the weights of a rule sum to 1, so that it yields the mean.
struct RulePoint {
    std::array<double, 3> at;
    double weight;
};

std::span<const RulePoint> rule_of_degree_2();  ///< 3 points; point i lies towards corner i: 2/3, 1/6, 1/6
std::span<const RulePoint> rule_of_degree_4();  ///< 6 points
std::span<const RulePoint> rule_of_degree_6();  ///< 12 points
std::span<const RulePoint> rule_in_quarters();  ///< the one of degree 6 in each of the four quarters, 48 points

}  // namespace clangor::bem
