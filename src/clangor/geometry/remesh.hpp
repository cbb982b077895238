// The same shape with edges of another length: edges are collapsed, split and flipped, vertices slide along the given
// surface.
#pragma once

#include <clangor/geometry/facing_query.hpp>
#include <clangor/geometry/surface_net.hpp>

#include <optional>

namespace clangor::remeshing {

/// The given surface, as it is asked for during remeshing.
struct Original {
    FacingQuery surface;
    std::optional<ClosestPointQuery> lines = {};  ///< sharp edges and rims, as triangles without area
    std::optional<ClosestPointQuery> rims = {};   ///< the border of an open surface, likewise
    Eigen::VectorXd tolerance = {};               ///< how far the new faces may lie off each given one [m]
};

/// `edge_length` sets the tolerance where no wall or gap is thinner; `strictness` 1, 2, 4 … divides it.
Original original_of(const Surface& surface, double edge_length, double strictness);

/// Edges of about the given length, shorter where the tolerance asks for it. The same input gives the same mesh.
Surface remeshed(const Surface& surface, const Original& original, double edge_length);

/// Only cut, where edges are longer: what works on any input.
Surface refined(const Surface& surface, double edge_length);

}  // namespace clangor::remeshing
