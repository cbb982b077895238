// Bodies with known sound: spheres, spheroids, discs.
#pragma once

#include <clangor/radiation/compact/compact.hpp>

#include <functional>

namespace clangor::test {

/// An icosahedron, each face cut into 4^levels; faces of 3 or 6 nodes, corners and middles on the sphere.
Skin sphere_skin(double radius, int levels, int face_nodes);

/// A flat cylinder about z: rings crowd towards the rim, where the flow is singular.
Skin disc_skin(double radius, double thickness, int rings, int sectors);

/// The skin's nodes, mapped; faces stay.
Skin mapped(const Skin& skin, const std::function<Vec3(const Vec3&)>& map);

/// Shapes with one column a given displacement field.
Eigen::MatrixXd shapes_of(const Skin& skin, const std::vector<std::function<Vec3(const Vec3&)>>& fields);

}  // namespace clangor::test
