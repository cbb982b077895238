// The way that always ends: elements cut from a lattice, whatever the surface is like.
#pragma once

#include <clangor/geometry/tetrahedra.hpp>

#include <string>

namespace clangor::geometry {

/// `why` finer ways did not do begins the message. Throws where there is nothing to fill.
Tetrahedralization lattice_mesh(const Surface& surface, const TetOptions& options, const std::string& why,
                                const Progress& progress);

}  // namespace clangor::geometry
