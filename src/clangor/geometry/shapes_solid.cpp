// Box, plate, sphere and cylinder.
#include <clangor/geometry/shapes_build.hpp>

#include <cmath>
#include <map>
#include <utility>

namespace clangor::shapes {
namespace {

/// Twelve faces: its edges are sharp, and the mesher makes its own triangles.
Surface cuboid(const Vec3& size) {
    Surface surface;
    surface.vertices.resize(8, 3);
    for (int v = 0; v < 8; ++v) {
        const Vec3 sign((v & 1) ? 1 : -1, (v & 2) ? 1 : -1, (v & 4) ? 1 : -1);
        surface.vertices.row(v) = 0.5 * sign.cwiseProduct(size);
    }
    surface.faces.resize(12, 3);
    surface.faces << 0, 4, 6, 0, 6, 2,  // −x
        1, 3, 7, 1, 7, 5,               // +x
        0, 1, 5, 0, 5, 4,               // −y
        2, 6, 7, 2, 7, 3,               // +y
        0, 2, 3, 0, 3, 1,               // −z
        4, 5, 7, 4, 7, 6;               // +z
    return surface;
}

Surface icosahedron() {
    const double g = std::numbers::phi;
    Surface surface;
    surface.vertices.resize(12, 3);
    surface.vertices << -1, g, 0, 1, g, 0, -1, -g, 0, 1, -g, 0, 0, -1, g, 0, 1, g, 0, -1, -g, 0, 1, -g, g, 0, -1, g, 0,
        1, -g, 0, -1, -g, 0, 1;
    surface.faces.resize(20, 3);
    surface.faces << 0, 11, 5, 0, 5, 1, 0, 1, 7, 0, 7, 10, 0, 10, 11, 1, 5, 9, 5, 11, 4, 11, 10, 2, 10, 7, 6, 7, 1, 8,
        3, 9, 4, 3, 4, 2, 3, 2, 6, 3, 6, 8, 3, 8, 9, 4, 9, 5, 2, 4, 11, 6, 2, 10, 8, 6, 7, 9, 8, 1;
    return surface;
}

/// Each face becomes four.
Surface subdivided(const Surface& coarse) {
    std::vector<Vec3> vertices;
    for (int v = 0; v < coarse.vertices.rows(); ++v) vertices.emplace_back(coarse.vertices.row(v));
    std::map<std::pair<int, int>, int> middles;
    const auto middle = [&](int a, int b) {
        const auto [entry, is_new] = middles.try_emplace(std::minmax(a, b), static_cast<int>(vertices.size()));
        if (is_new) vertices.emplace_back((vertices[a] + vertices[b]) / 2);
        return entry->second;
    };
    Surface fine;
    fine.faces.resize(4 * coarse.faces.rows(), 3);
    for (int f = 0; f < coarse.faces.rows(); ++f) {
        const int a = coarse.faces(f, 0), b = coarse.faces(f, 1), c = coarse.faces(f, 2);
        const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
        fine.faces.middleRows(4 * f, 4) << a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca;
    }
    fine.vertices.resize(static_cast<Eigen::Index>(vertices.size()), 3);
    for (std::size_t v = 0; v < vertices.size(); ++v) {
        fine.vertices.row(static_cast<Eigen::Index>(v)) = vertices[v].normalized();
    }
    return fine;
}

/// A ball of the rounding's radius, cut along the three planes through its middle and pulled apart to the corners: what
/// lies on a plane stays in the middle, and the faces that span it become those of the box.
Surface rounded(const Box& box) {
    Surface surface = icosahedron();
    for (int level = 0; level < 4; ++level) surface = subdivided(surface);
    const Vec3 half = box.size / 2 - Vec3::Constant(box.rounding);
    for (int v = 0; v < surface.vertices.rows(); ++v)
        for (int axis = 0; axis < 3; ++axis) {
            const double n = surface.vertices(v, axis);
            const double side = std::abs(n) < 1e-12 ? 0 : n > 0 ? 1 : -1;
            surface.vertices(v, axis) = box.rounding * n + side * half[axis];
        }
    return surface;
}

}  // namespace

Surface build(const Box& box) {
    check_size("box", "size along x", box.size.x());
    check_size("box", "size along y", box.size.y());
    check_size("box", "size along z", box.size.z());
    if (box.rounding == 0) return cuboid(box.size);
    check_size("box", "rounding", box.rounding);
    check_below("box", "rounding", box.rounding, box.size.minCoeff() / 2, "half of its smallest size");
    return rounded(box);
}

Surface build(const Plate& plate) {
    check_size("plate", "width", plate.width);
    check_size("plate", "depth", plate.depth);
    check_size("plate", "thickness", plate.thickness);
    return cuboid({plate.width, plate.thickness, plate.depth});
}

Surface build(const Sphere& sphere) {
    check_size("sphere", "radius", sphere.radius);
    Surface surface = icosahedron();
    // Five times gives 20 480 faces, which enclose 0.05 % less than the ball.
    for (int level = 0; level < 5; ++level) surface = subdivided(surface);
    surface.vertices *= sphere.radius;
    return surface;
}

Surface build(const Cylinder& cylinder) {
    check_size("cylinder", "radius", cylinder.radius);
    check_size("cylinder", "height", cylinder.height);
    const double R = cylinder.radius, half = cylinder.height / 2, inner = cylinder.inner_radius;
    const double step = 8 * 2 * pi * R / turn_segments;
    if (inner == 0) {
        Profile profile{{0, -half}};
        line_to(profile, {R, -half}, step);
        line_to(profile, {R, half}, step);
        line_to(profile, {0, half}, step);
        return revolved(profile).surface;
    }
    check_size("cylinder", "inner_radius", inner);
    check_below("cylinder", "inner_radius", inner, R, "the outer radius");
    Profile profile{{R, -half}};
    line_to(profile, {R, half}, step);
    line_to(profile, {inner, half}, step);
    line_to(profile, {inner, -half}, step);
    line_to(profile, {R, -half}, step);
    profile.pop_back();  // the loop closes itself
    return revolved(profile).surface;
}

}  // namespace clangor::shapes
