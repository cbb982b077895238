// The nearest place of an object, for collisions that are known only nearly   docs/guide/grains.md.
#include <clangor/objects/grains/wall_surfaces.hpp>

#include <clangor/objects/grains/grain_world.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {

const WallSurfaces::Solid* WallSurfaces::solid(int wall) {
    std::shared_ptr<const Solid>& solid = solids_[size_t(wall)];
    if (!solid) {
        const std::variant<GrainPlane, Surface> shape = shape_of(around_.neighbours[size_t(wall)]);
        if (const Surface* const surface = std::get_if<Surface>(&shape))
            solid = std::make_shared<const Solid>(Solid{*surface, ClosestPointQuery(*surface)});
    }
    return solid.get();
}

Vec3 WallSurfaces::nearest(int wall, const Vec3& point) {
    const Solid* const its = solid(wall);
    return its ? its->closest(point).point : Vec3(point.x(), 0, point.z());
}

// By the side of the nearest face. Where that is nearest at its edge, the other one might tell otherwise: a point close
// by has a face that is nearest in its middle.
bool WallSurfaces::is_inside(int wall, const Vec3& point, double time) {
    constexpr double edge = 1e-3, aside = 1e-2;
    constexpr int most_tries = 20;
    const Neighbour& neighbour = around_.neighbours[size_t(wall)];
    const Vec3 own = pose_at(*neighbour.path, time).inverse() * point;
    const Solid* const its = neighbour.sounding->body->is_closed ? solid(wall) : nullptr;
    if (!its) return false;
    Random random(1);
    Vec3 near = own;
    for (int i = 0; i < most_tries; ++i) {
        const ClosestPoint closest = its->closest(near);
        const auto corner = [&](int k) { return Vec3(its->surface.vertices.row(its->surface.faces(closest.face, k))); };
        const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        if (closest.barycentric.minCoeff() > edge || i + 1 == most_tries) return (near - closest.point).dot(normal) < 0;
        const Vec3 step(random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5);
        near = own + aside * closest.distance * step;
    }
    return false;
}

Vec3 WallSurfaces::nearest_in_world(int wall, const Vec3& point, double time) {
    const Eigen::Isometry3d pose = pose_at(*around_.neighbours[size_t(wall)].path, time);
    return pose * nearest(wall, pose.inverse() * point);
}

double WallSurfaces::size_of(int wall) const {
    const double radius = around_.neighbours[size_t(wall)].sounding->body->radius;
    return std::isfinite(radius) ? 2 * radius : 0;
}

// In the frame of the wall, that may move: from where the ball is at the start to where it is in the end, in steps as
// long as nothing can be in the way.
std::optional<WallSurfaces::Hit> WallSurfaces::hit_on(int wall, const Flight& flight) {
    constexpr int most_steps = 200;
    constexpr double touching = 1e-3;  // of the radius
    const Trajectory& path = *around_.neighbours[size_t(wall)].path;
    const Vec3 from = pose_at(path, flight.begin).inverse() * flight.from;
    const Vec3 way = pose_at(path, flight.end).inverse() * flight.to - from;
    const double length = way.norm();
    const Body& body = *around_.neighbours[size_t(wall)].sounding->body;
    constexpr double around = 1.2;  // a collision mesh lies a little off the body's own
    if (std::isfinite(body.radius) && (from - body.mass.centre).norm() > length + flight.radius + around * body.radius)
        return {};
    double gone = 0;
    for (int step = 0; step < most_steps; ++step) {
        const Vec3 centre = from + (length > 0 ? gone / length : 0) * way, point = nearest(wall, centre);
        const double gap = (centre - point).norm() - flight.radius;
        if (gap < touching * flight.radius) {
            if (step == 0) return {};
            const Vec3 normal = (centre - point).normalized();
            const double speed = -way.dot(normal) / (flight.end - flight.begin);
            if (!(speed > 0)) return {};
            const double time = flight.begin + gone / length * (flight.end - flight.begin);
            const Eigen::Isometry3d pose = pose_at(path, time);
            return Hit{wall, time, pose * point, pose.linear() * normal, speed};
        }
        gone += gap;
        if (gone >= length) return {};
    }
    return {};
}

std::optional<WallSurfaces::Hit> WallSurfaces::first_hit(const Flight& flight) {
    std::optional<Hit> first;
    for (int wall = 0; wall < int(around_.neighbours.size()); ++wall) {
        const std::optional<Hit> hit = hit_on(wall, flight);
        if (hit && (!first || hit->time < first->time)) first = hit;
    }
    return first;
}

}  // namespace clangor
