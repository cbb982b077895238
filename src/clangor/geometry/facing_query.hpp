// The nearest point of a surface among the faces that look the same way: the near side of a thin wall, never its far
// side.
#pragma once

#include <clangor/geometry/closest_point.hpp>
#include <clangor/geometry/surface.hpp>

#include <array>
#include <memory>
#include <vector>

namespace clangor::remeshing {

/// One search tree for each of 14 directions, over the faces that look within 75° of it. Queries may run in parallel.
class FacingQuery {
public:
    explicit FacingQuery(const Surface& surface);

    /// Nearest to x among faces whose normal is within 40° of n for certain, beyond 110° never. The nearest of all if
    /// none is.
    ClosestPoint operator()(const Vec3& x, const Vec3& n) const;

    ClosestPoint nearest(const Vec3& x) const { return all_(x); }
    Vec3 normal(int face) const { return normals_.row(face); }

private:
    struct Side {
        Vec3 direction = Vec3::Zero();
        std::vector<int> faces = {};  ///< of the surface, by number in the tree
        std::unique_ptr<const ClosestPointQuery> query = {};
    };
    ClosestPointQuery all_;
    Points normals_;
    std::array<Side, 14> sides_;
};

/// Unit normals of all faces; zero for a face without area.
Points unit_normals(const Surface& surface);

/// How far each face is from one that looks back at it: through the material (the wall's thickness) or through the air
/// (a gap), the lesser of the two; `limit` if it is farther [m].
Eigen::VectorXd clearances(const Surface& surface, const FacingQuery& query, double limit);

}  // namespace clangor::remeshing
