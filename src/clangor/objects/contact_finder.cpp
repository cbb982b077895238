#include <clangor/motion/contact/contact.hpp>
#include <clangor/objects/body.hpp>

#include <cmath>
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

// How often the surface winds around a point, 1 inside and 0 outside: the solid angle of all faces over 4π.
bool is_inside(const Surface& surface, const Vec3& point) {
    double angle = 0;
    for (long f = 0; f < surface.faces.rows(); ++f) {
        Vec3 r[3];
        for (int k = 0; k < 3; ++k) r[k] = Vec3(surface.vertices.row(surface.faces(f, k)).transpose()) - point;
        const double a = r[0].norm(), b = r[1].norm(), c = r[2].norm();
        // tan(Ω/2) = r₀·(r₁×r₂) / (abc + (r₀·r₁)c + (r₁·r₂)a + (r₂·r₀)b)                    [VanOosterom1983, Eq. 8]
        angle += 2 * std::atan2(r[0].dot(r[1].cross(r[2])),
                                a * b * c + r[0].dot(r[1]) * c + r[1].dot(r[2]) * a + r[2].dot(r[0]) * b);
    }
    return angle / (4 * pi) >= 0.5;
}

Body half_space_of(const Material& material, double thickness) {
    Body body;
    body.material = material;
    body.radius = std::numeric_limits<double>::infinity();
    body.plate = thickness;
    return body;
}

}  // namespace clangor
