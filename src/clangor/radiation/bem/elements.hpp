// The triangles of a radiating surface, made ready to be integrated over.
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <array>
#include <vector>

namespace clangor::bem {

struct Element {
    std::array<Vec3, 3> corners;  ///< relative to Elements::origin [m]
    Vec3 centroid, normal;
    double area = 0;            ///< [m²]
    double diameter = 0;        ///< longest edge [m]
    std::array<Vec3, 3> curls;  ///< n × ∇N_i: the surface curl of the function that is 1 at corner i [1/m]
    std::array<int, 3> nodes;   ///< the unknown at each corner; −1 where the pressure jump is zero

    Vec3 at(const std::array<double, 3>& barycentric) const {
        return barycentric[0] * corners[0] + barycentric[1] * corners[1] + barycentric[2] * corners[2];
    }
};

/// Coordinates are relative to the middle of the body, so that single precision is enough far from the world's origin.
struct Elements {
    std::vector<Element> all;
    Vec3 origin = Vec3::Zero();
    double radius = 0;  ///< of the ball about the origin that holds the surface [m]
    int unknowns = 0;
};

/// node_of: the unknown of each vertex, or −1.
Elements elements_of(const Surface& surface, const std::vector<int>& node_of, int unknowns);

}  // namespace clangor::bem
