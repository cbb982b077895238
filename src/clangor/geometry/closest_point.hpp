// The point of a surface that is nearest to a given point.
#pragma once

#include <clangor/geometry/surface.hpp>

#include <memory>

namespace clangor {

struct ClosestPoint {
    Vec3 point;           ///< on the surface [m]
    int face = -1;        ///< the triangle it lies on
    Vec3 barycentric;     ///< its weights on that triangle's corners
    double distance = 0;  ///< from the query [m]
};

/// Keeps a bounding volume hierarchy over a surface. Queries are const and may run in parallel.
class ClosestPointQuery {
public:
    explicit ClosestPointQuery(const Surface& surface);
    ~ClosestPointQuery();
    ClosestPointQuery(ClosestPointQuery&&) noexcept;
    ClosestPointQuery& operator=(ClosestPointQuery&&) noexcept;

    ClosestPoint operator()(const Vec3& query) const;

private:
    struct Tree;
    std::unique_ptr<const Tree> tree_;
};

}  // namespace clangor
