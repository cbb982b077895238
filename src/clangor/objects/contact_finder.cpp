#include <clangor/motion/contact/contact.hpp>
#include <clangor/objects/body.hpp>

#include <limits>

namespace clangor {

ContactFinder::ContactFinder(const Surface& surface)
    : surface_(surface), curvatures_(mean_curvatures(surface_)), closest_(surface_) {}

ContactPoint ContactFinder::operator()(const Vec3& at) const {
    const ClosestPoint hit = closest_(at);
    return {.point = hit.point,
            .distance = hit.distance,
            .curvature = curvature_at(surface_, curvatures_, hit),
            .face = int(hit.face),
            .barycentric = hit.barycentric};
}

double wall_at(const Body& body, const ContactPoint& at) {
    if (!body.wall || at.face < 0) return 0;
    double wall = 0;
    for (int corner = 0; corner < 3; ++corner)
        wall += at.barycentric[corner] * (*body.wall)[body.surface->faces(at.face, corner)];
    return wall;
}

Body ball_of(const Material& material, double radius, double volume) {
    return {.mass = {.volume = volume, .inertia = 0.4 * volume * square(radius) * Mat3::Identity()},
            .material = material,
            .radius = radius,
            .curvature = 1 / radius};
}

Body half_space_of(const Material& material, double thickness) {
    Body body;
    body.material = material;
    body.radius = std::numeric_limits<double>::infinity();
    body.plate = thickness;
    return body;
}

}  // namespace clangor
