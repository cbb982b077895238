#include <clangor/geometry/section.hpp>

#include <clangor/geometry/polygon.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace clangor {
namespace {

using Vec2 = Eigen::Vector2d;

constexpr int corners_of_curves = 64;

void check_length(double length, std::string_view what) {
    if (!(length > 0) || !std::isfinite(length))
        throw Error(fmt::format("a rod's section has a {} of {:g} m, and needs one above 0", what, length));
}

void check(const CircleSection& circle) { check_length(circle.radius, "radius"); }

void check(const TubeSection& tube) {
    check_length(tube.radius, "radius");
    check_length(tube.inner_radius, "inner radius");
    if (tube.inner_radius >= tube.radius)
        throw Error(
            fmt::format("a rod's section is a tube with an inner radius of {:g} m, which must be smaller than its "
                        "radius of {:g} m",
                        tube.inner_radius, tube.radius));
}

void check(const RectangleSection& rectangle) {
    check_length(rectangle.width, "width");
    check_length(rectangle.height, "height");
}

void check(const EllipseSection& ellipse) {
    check_length(ellipse.x_radius, "radius along x");
    check_length(ellipse.y_radius, "radius along y");
}

Outline ellipse_outline(double a, double b) {
    Outline outline;
    for (int i = 0; i < corners_of_curves; ++i) {
        const double angle = 2 * pi * i / corners_of_curves;
        outline.emplace_back(a * std::cos(angle), b * std::sin(angle));
    }
    return outline;
}

// J/(a b³) = 1/3 − (64/π⁵) (b/a) Σ_{k odd} tanh(kπa/2b)/k⁵, a ≥ b [Timoshenko1951, art. 109]. Summed as that of 1/k⁵,
// which is (31/32) ζ(5), less that of (1 − tanh)/k⁵, of which five terms are enough.
double rectangle_torsion(double width, double height) {
    const double a = std::max(width, height), b = std::min(width, height);
    double sum = 31.0 / 32 * std::riemann_zeta(5.0);
    for (int k = 1; k < 10; k += 2) sum -= 2 / (std::exp(k * pi * a / b) + 1) / std::pow(k, 5);
    return a * cube(b) * (1.0 / 3 - 64 / std::pow(pi, 5) * b / a * sum);
}

// Torsion's stress function Φ: ∇²Φ = −2 inside, Φ = 0 on the outline, J = 2 ∫ Φ dA. With a charge of 2 per area inside
// and −λ on the outline, such that the potential is none there, it is none outside either, and by Green's theorem
//     J = ½ (Σ λ r² − ∫ 2 r² dA)                                                 docs/theory/section.md, Eq. 6
double polygon_torsion(const Outline& outline) {
    const OutlineElements elements = graded_elements(outline);
    const PolygonMoments moments = moments_of(outline);
    const Eigen::VectorXd charges =
        outline_charges(elements, 2 * filled_potential(elements), Eigen::RowVectorXd::Constant(1, 2 * moments.area));
    double J = -moments.second.trace();
    for (long e = 0; e < elements.size(); ++e)
        J += charges[e] / 2 * (elements.middle(e).squaredNorm() + square(elements.length(e)) / 12);
    return J;
}

double reach_of(const Outline& outline) {
    double reach = 0;
    for (const Vec2& corner : outline) reach = std::max(reach, corner.norm());
    return reach;
}

/// A polygon as it lies by its own axes, and how it lay before.
struct PrincipalPolygon {
    Outline outline;
    PolygonMoments moments;
    Vec2 centroid;
    double angle;
};

PrincipalPolygon principal_polygon(const PolygonSection& section) {
    const Outline given = checked_outline(section.corners);
    const PolygonMoments before = moments_of(given);
    const Eigen::Matrix2d& I = before.second;
    // The axis next to x: round sections, and those given along their axes, stay as they are.
    const double uneven = std::hypot(I(0, 0) - I(1, 1), 2 * I(0, 1));
    double angle = uneven < 1e-9 * I.trace() ? 0 : 0.5 * std::atan2(2 * I(0, 1), I(0, 0) - I(1, 1));
    if (angle > pi / 4) angle -= pi / 2;
    if (angle < -pi / 4) angle += pi / 2;
    const Eigen::Rotation2Dd principal_from_given(-angle);
    PrincipalPolygon polygon{{}, {}, before.centroid, angle};
    for (const Vec2& corner : given) polygon.outline.push_back(principal_from_given * (corner - before.centroid));
    polygon.moments = moments_of(polygon.outline);
    return polygon;
}

SectionProperties checked_properties(const CircleSection& circle) {
    const double a = circle.radius, I = pi * square(square(a)) / 4;
    return {.area = pi * a * a,
            .second_moments = {I, I},
            .torsion_constant = 2 * I,
            .outline = ellipse_outline(a, a),
            .radius = a};
}

SectionProperties checked_properties(const TubeSection& tube) {
    const double a = tube.radius, b = tube.inner_radius, I = pi * (square(square(a)) - square(square(b))) / 4;
    return {.area = pi * (a - b) * (a + b),
            .second_moments = {I, I},
            .torsion_constant = 2 * I,
            .outline = ellipse_outline(a, a),
            .radius = a};
}

SectionProperties checked_properties(const RectangleSection& rectangle) {
    const double w = rectangle.width, h = rectangle.height;
    return {.area = w * h,
            .second_moments = {h * cube(w) / 12, w * cube(h) / 12},
            .torsion_constant = rectangle_torsion(w, h),
            .outline = {{-w / 2, -h / 2}, {w / 2, -h / 2}, {w / 2, h / 2}, {-w / 2, h / 2}},
            .radius = std::hypot(w, h) / 2};
}

SectionProperties checked_properties(const EllipseSection& ellipse) {
    const double a = ellipse.x_radius, b = ellipse.y_radius;
    return {.area = pi * a * b,
            .second_moments = {pi * cube(a) * b / 4, pi * a * cube(b) / 4},
            .torsion_constant = pi * cube(a) * cube(b) / (a * a + b * b),
            .outline = ellipse_outline(a, b),
            .radius = std::max(a, b)};
}

SectionProperties checked_properties(const PolygonSection& section) {
    const PrincipalPolygon polygon = principal_polygon(section);
    return {.area = polygon.moments.area,
            .second_moments = polygon.moments.second.diagonal(),
            .torsion_constant = polygon_torsion(polygon.outline),
            .outline = polygon.outline,
            .radius = reach_of(polygon.outline),
            .centroid = polygon.centroid,
            .angle = polygon.angle};
}

void check(const PolygonSection&) {}  // as its outline is made

}  // namespace

SectionProperties properties_of(const Section& section) {
    return std::visit(
        [](const auto& shape) {
            check(shape);
            return checked_properties(shape);
        },
        section);
}

Section principal(const Section& section) {
    if (const auto* polygon = std::get_if<PolygonSection>(&section))
        return PolygonSection{principal_polygon(*polygon).outline};
    std::visit([](const auto& shape) { check(shape); }, section);
    return section;
}

}  // namespace clangor
