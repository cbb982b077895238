// Surfaces that tests make of others.
#pragma once

#include <clangor/geometry/surface.hpp>

namespace made_surfaces {

inline clangor::Surface joined(const clangor::Surface& a, const clangor::Surface& b) {
    clangor::Surface both{clangor::Points(a.vertices.rows() + b.vertices.rows(), 3),
                          clangor::Triangles(a.faces.rows() + b.faces.rows(), 3)};
    both.vertices << a.vertices, b.vertices;
    both.faces << a.faces, b.faces.array() + static_cast<int>(a.vertices.rows());
    return both;
}

inline clangor::Surface moved(clangor::Surface surface, const clangor::Vec3& by) {
    surface.vertices.rowwise() += by.transpose();
    return surface;
}

}  // namespace made_surfaces
