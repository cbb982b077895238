// Shapes that bodies collide with, and their distances.
#include <clangor/motion/rigid/collision_shape.hpp>

#include <fmt/core.h>

#include <cmath>
#include <limits>

namespace clangor {
namespace rigid {
namespace {

Probe probe_of(const HalfSpace&, const Vec3& point) { return {point.y(), Vec3::UnitY()}; }

Probe probe_of(const Sphere& sphere, const Vec3& point) {
    const double from_centre = point.norm();
    return {from_centre - sphere.radius, from_centre > 0 ? Vec3(point / from_centre) : Vec3::UnitY()};
}

Probe probe_of(const Box& box, const Vec3& point) {
    const Vec3 beyond = point.cwiseAbs() - box.size / 2;
    const Vec3 sign = point.unaryExpr([](double x) { return x < 0 ? -1.0 : 1.0; });
    Eigen::Index axis = 0;
    const double nearest = beyond.maxCoeff(&axis);
    if (nearest <= 0) return {nearest, sign[axis] * Vec3::Unit(axis)};
    const Vec3 outside = beyond.cwiseMax(0).cwiseProduct(sign);
    return {outside.norm(), outside.normalized()};
}

Probe probe_of(const Cylinder& cylinder, const Vec3& point) {
    const double from_axis = std::sqrt(square(point.x()) + square(point.z()));
    const Vec3 out = from_axis > 0 ? Vec3(point.x() / from_axis, 0, point.z() / from_axis) : Vec3::UnitX();
    const Vec3 up = point.y() < 0 ? Vec3(0, -1, 0) : Vec3(0, 1, 0);
    const double beside = from_axis - cylinder.radius, above = std::abs(point.y()) - cylinder.height / 2;
    if (beside <= 0 && above <= 0) return beside > above ? Probe{beside, out} : Probe{above, up};
    if (beside <= 0) return {above, up};
    if (above <= 0) return {beside, out};
    return {std::sqrt(square(beside) + square(above)), (beside * out + above * up).normalized()};
}

Probe probe_of(const DistanceField& field, const Vec3& point) { return probe(field, point); }

CollisionShapePtr made(Solid solid, SurfacePoints shell, const Vec3& half_size, double thickness) {
    return std::make_shared<const CollisionShape>(CollisionShape{
        std::move(solid), std::move(shell), {-half_size, half_size}, 2 * half_size.maxCoeff(), thickness});
}

void check_positive(const char* what, double value) {
    if (!(value > 0) || !std::isfinite(value))
        throw Error(fmt::format("a collision shape needs a positive {}, but this one has {:g}", what, value));
}

CollisionShapePtr ball(const Sphere& sphere) {
    check_positive("radius", sphere.radius);
    return made(sphere, {}, Vec3::Constant(sphere.radius), 2 * sphere.radius);
}

CollisionShapePtr block(const Box& box) {
    for (int k = 0; k < 3; ++k) check_positive("size", box.size[k]);
    return made(box, surface_points(box), box.size / 2, box.size.minCoeff());
}

CollisionShapePtr rod(const Cylinder& cylinder) {
    check_positive("radius", cylinder.radius);
    check_positive("height", cylinder.height);
    return made(cylinder, surface_points(cylinder), {cylinder.radius, cylinder.height / 2, cylinder.radius},
                std::min(2 * cylinder.radius, cylinder.height));
}

}  // namespace

Probe probe(const CollisionShape& shape, const Vec3& point) {
    return std::visit([&](const auto& solid) { return probe_of(solid, point); }, shape.solid);
}

double distance_bound(const CollisionShape& shape, const Vec3& point) {
    if (const auto* field = as<DistanceField>(shape)) return distance_bound(*field, point);
    return probe(shape, point).distance;
}

}  // namespace rigid

CollisionShapePtr collision_shape(const Surface& surface, const Progress& progress) {
    const rigid::SmoothSurface smooth = rigid::smooth_surface(surface);
    const double thickness = rigid::wall_thickness(smooth);
    rigid::DistanceField field = rigid::distance_field(smooth, thickness, progress);
    rigid::SurfacePoints shell = rigid::surface_points(smooth, field.padding);
    Bounds bounds = bounds_of(surface.vertices);
    // A curved wall stands a little off its triangles.
    const Vec3 border = Vec3::Constant(field.padding + field.cell);
    bounds = {bounds.low - border, bounds.high + border};
    const double size = (bounds.high - bounds.low).maxCoeff();
    return std::make_shared<const CollisionShape>(
        CollisionShape{std::move(field), std::move(shell), bounds, size, thickness});
}

CollisionShapePtr collision_shape(const Shape& shape, double scale, const Progress& progress) {
    rigid::check_positive("scale", scale);
    if (const auto* sphere = std::get_if<Sphere>(&shape)) return rigid::ball({sphere->radius * scale});
    if (const auto* box = std::get_if<Box>(&shape); box && box->rounding == 0) return rigid::block({box->size * scale});
    if (const auto* plate = std::get_if<Plate>(&shape))
        return rigid::block({Vec3(plate->width, plate->thickness, plate->depth) * scale});
    if (const auto* cylinder = std::get_if<Cylinder>(&shape); cylinder && cylinder->inner_radius == 0)
        return rigid::rod({cylinder->radius * scale, cylinder->height * scale, 0});
    Surface surface = surface_of(shape);
    surface.vertices *= scale;
    return collision_shape(surface, progress);
}

CollisionShapePtr half_space() {
    constexpr double infinite = std::numeric_limits<double>::infinity();
    return std::make_shared<const CollisionShape>(
        CollisionShape{rigid::HalfSpace{}, {}, {Vec3::Zero(), Vec3::Zero()}, infinite, infinite});
}

double signed_distance(const CollisionShape& shape, const Vec3& point) { return rigid::probe(shape, point).distance; }

}  // namespace clangor
