/// @file geometry.hpp — surfaces, what can be asked of them, and the tetrahedra that fill them.
/// Model     a body is the inside of a closed triangle surface.
/// In        triangles from a file (io) or from a procedural shape.
/// Out       clean surfaces, mass properties, closest points, curvature, surfaces with other edges, tetrahedral meshes.
/// Not here  file formats (io), stiffness and mass (vibration/solid).
///
///     const Surface bowl = surface_of(Bowl{.radius = 0.08});
///     const TetMesh mesh = quadratic(tetrahedralize(bowl, {}).mesh, bowl);
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/decimate.hpp>
#include <clangor/geometry/parts.hpp>
#include <clangor/geometry/remesh.hpp>
#include <clangor/geometry/section.hpp>
#include <clangor/geometry/shapes.hpp>
#include <clangor/geometry/surface.hpp>
#include <clangor/geometry/tet_estimate.hpp>
#include <clangor/geometry/tetrahedra.hpp>
#include <clangor/geometry/two_sided.hpp>
