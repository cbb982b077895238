// Bodies as motion and contacts see them.
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>

#include <memory>

namespace clangor {

/// A point on a body's surface.
struct ContactPoint {
    Vec3 point = Vec3::Zero();        ///< on the surface, body frame [m]
    double distance = 0;              ///< from where it was asked for [m]
    double curvature = 0;             ///< mean curvature there, positive where convex [1/m]
    int face = -1;                    ///< of the surface
    Vec3 barycentric = Vec3::Zero();  ///< in that face
};

/// Finds contact points of one surface. Construction builds a search tree; equal bodies share it.
class ContactFinder {
public:
    explicit ContactFinder(const Surface& surface);
    ContactPoint operator()(const Vec3& at) const;

private:
    Surface surface_;
    Eigen::VectorXd curvatures_;
    ClosestPointQuery closest_;
};

/// Equal objects share its parts.
struct Body {
    /// Where others touch it: the skin of its elastic model where it has one. None: a half space.
    std::shared_ptr<const Surface> surface = {};
    std::shared_ptr<const ContactFinder> finder = {};  ///< of that surface
    /// What collides: the mesh as it was given, cleaned; the skin where that is open. None: a half space.
    std::shared_ptr<const Surface> collision = {};
    bool is_closed = true;
    MassProperties mass = {};  ///< at unit density
    Material material = {};
    /// Of each vertex of the surface: how thick the body is behind it; none where it does not ring [m].
    std::shared_ptr<const Eigen::VectorXd> wall = {};
    double radius = 0;     ///< about the centre of mass, of all of it; infinite for a half space [m]
    double curvature = 0;  ///< mean, where it has no finder to tell it [1/m]
    double plate = 0;      ///< of a half space that is a plate without an end: its thickness; 0: no underside [m]
};

/// How thick a body is behind a point of its surface, the same from either side of an edge; 0: unknown [m].
double wall_at(const Body& body, const ContactPoint& at);

/// A ball in a frame about its own centre, which weighs what so much of its material does.
Body ball_of(const Material& material, double radius, double volume);

/// Whether a point is inside of a closed surface.
bool is_inside(const Surface& surface, const Vec3& point);

/// A half space: no surface, no end; with a thickness, an underside.
Body half_space_of(const Material& material, double thickness = 0);

}  // namespace clangor
