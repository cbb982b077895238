// Cross-sections of rods: how large they are, how they bend and twist.
#include <geometry/polygon_sections.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <utility>
#include <vector>

namespace section_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::ellipse_polygon;
using clangor::test::rectangle_polygon;
using Vec2 = Eigen::Vector2d;

namespace {

PolygonSection moved(PolygonSection polygon, double angle, const Vec2& by) {
    for (Vec2& corner : polygon.corners) corner = Eigen::Rotation2Dd(angle) * corner + by;
    return polygon;
}

}  // namespace

TEST_CASE("circle, tube and ellipse: area, second moments and torsion in closed form") {
    const double a = 0.004, b = 0.003;
    const SectionProperties circle = properties_of(CircleSection{a});
    CHECK(circle.area == Approx(pi * a * a));
    CHECK(circle.second_moments.x() == Approx(pi * std::pow(a, 4) / 4));
    CHECK(circle.torsion_constant == Approx(pi * std::pow(a, 4) / 2));
    CHECK(circle.radius == a);

    // A tube is the difference of two circles, and as a circle does not warp.
    const SectionProperties tube = properties_of(TubeSection{a, b}), hole = properties_of(CircleSection{b});
    CHECK(tube.area == Approx(circle.area - hole.area).epsilon(1e-12));
    CHECK(tube.second_moments.y() == Approx(circle.second_moments.y() - hole.second_moments.y()).epsilon(1e-12));
    CHECK(tube.torsion_constant == Approx(circle.torsion_constant - hole.torsion_constant).epsilon(1e-12));

    const SectionProperties ellipse = properties_of(EllipseSection{a, b});
    CHECK(ellipse.area == Approx(pi * a * b));
    CHECK(ellipse.second_moments.x() == Approx(pi * cube(a) * b / 4));
    CHECK(ellipse.second_moments.y() == Approx(pi * a * cube(b) / 4));
    CHECK(ellipse.torsion_constant == Approx(pi * cube(a * b) / (a * a + b * b)));
}

// Saint-Venant's series, summed to twelve digits: long side over short side, J over long · short³.
const std::vector<std::pair<double, double>> rectangles = {
    {1, 0.1405770149551555}, {1.5, 0.19576070887554523}, {2, 0.22868167711957244},  {3, 0.2633169310015012},
    {5, 0.2913167541879895}, {10, 0.3123250374572057},   {100, 0.33123250374572044}};

TEST_CASE("rectangle: Saint-Venant's torsion constant, whichever side is the longer") {
    for (const auto& [ratio, J] : rectangles) {
        CAPTURE(ratio);
        CHECK(properties_of(RectangleSection{ratio * 0.01, 0.01}).torsion_constant ==
              Approx(J * ratio * 1e-8).epsilon(1e-9));
        CHECK(properties_of(RectangleSection{0.01, ratio * 0.01}).torsion_constant ==
              Approx(J * ratio * 1e-8).epsilon(1e-9));
    }
    const SectionProperties flat = properties_of(RectangleSection{0.03, 0.01});
    CHECK(flat.second_moments.x() == Approx(0.01 * cube(0.03) / 12));
    CHECK(flat.second_moments.y() == Approx(0.03 * cube(0.01) / 12));
}

TEST_CASE("a polygon's torsion constant by line charges agrees with the closed forms") {
    // 0.05 %: constant charges on some 300 elements, see docs/theory/section.md
    for (const auto& [ratio, J] : rectangles) {
        CAPTURE(ratio);
        CHECK(properties_of(rectangle_polygon(ratio * 0.01, 0.01)).torsion_constant ==
              Approx(J * ratio * 1e-8).epsilon(5e-4));
    }
    const double side =
        0.02;  // the stress function of an equilateral triangle is the product of its three sides' distances
    const SectionProperties triangle =
        properties_of(PolygonSection{{{0, 0}, {side, 0}, {side / 2, side * std::sqrt(0.75)}}});
    CHECK(triangle.torsion_constant == Approx(std::sqrt(3) * std::pow(side, 4) / 80).epsilon(5e-4));
}

TEST_CASE("polygons tend to the ellipse with the square of their sides") {
    // A polygon inside an ellipse is the affine image of one in a circle; its area is low by (2π/n)²/6, J by twice that
    // to leading order, as J of a circle is A²/2π.
    const double exact = properties_of(EllipseSection{0.01, 0.004}).torsion_constant;
    const double error_100 = 1 - properties_of(ellipse_polygon(0.01, 0.004, 100)).torsion_constant / exact;
    const double error_200 = 1 - properties_of(ellipse_polygon(0.01, 0.004, 200)).torsion_constant / exact;
    CHECK(error_100 / error_200 == Approx(4).epsilon(0.05));
    CHECK(error_200 == Approx(2 * square(2 * pi / 200) / 6).epsilon(0.25));
}

TEST_CASE("a thin angle twists as the strip that it is bent from") {
    // Σ b t³/3 over the middle lines, less what two free ends take, 0.105 t⁴ each; the corner adds about as much as one
    // of them takes, so that the sum is right to a part t/b.
    const double t = 0.0005, b = 0.02;
    const PolygonSection angle{{{0, 0}, {b, 0}, {b, t}, {t, t}, {t, b}, {0, b}}};
    CHECK(properties_of(angle).torsion_constant == Approx((2 * b - t) * cube(t) / 3).epsilon(t / b));
}

TEST_CASE("a strip that is too thin for its torsion to be found is refused, and does not come out wrong") {
    CHECK_THROWS_WITH(
        properties_of(rectangle_polygon(0.1, 0.0001)),
        "an outline of 4 corners has details too fine for its size: they would take more than 2000 elements. "
        "Leave details out, or give a thin strip as a rectangle.");
}

TEST_CASE("a polygon is turned to its principal axes, and says by how much") {
    const SectionProperties straight = properties_of(RectangleSection{0.03, 0.01});
    for (const double turned : {-0.7, -0.2, 0.0, 0.3, 0.78}) {
        CAPTURE(turned);
        const SectionProperties found = properties_of(moved(rectangle_polygon(0.03, 0.01), turned, {0.5, -0.2}));
        CHECK(found.angle == doctest::Approx(turned).epsilon(1e-9));
        CHECK((found.centroid - Vec2(0.5, -0.2)).norm() < 1e-12);
        CHECK(found.area == Approx(straight.area).epsilon(1e-9));
        CHECK((found.second_moments - straight.second_moments).norm() < 1e-9 * straight.second_moments.norm());
        CHECK(found.radius == Approx(straight.radius).epsilon(1e-9));
        for (std::size_t i = 0; i < 4; ++i) CHECK((found.outline[i] - straight.outline[i]).norm() < 1e-12);
    }
    // A square has no axes of its own: it stays as it is given.
    CHECK(properties_of(moved(rectangle_polygon(0.01, 0.01), 0.3, {0, 0})).angle == 0);
}

TEST_CASE("a polygon that is given clockwise, or closed by its first corner, is the same section") {
    PolygonSection polygon{{{0, 0}, {0.02, 0}, {0.01, 0.01}}};
    const double J = properties_of(polygon).torsion_constant;
    polygon.corners.push_back(polygon.corners.front());
    CHECK(properties_of(polygon).torsion_constant == Approx(J).epsilon(1e-12));
    std::reverse(polygon.corners.begin(), polygon.corners.end());
    CHECK(properties_of(polygon).torsion_constant == Approx(J).epsilon(1e-12));
    CHECK(properties_of(polygon).area == Approx(0.0001));
}

TEST_CASE("what is no section is refused, with what to do") {
    CHECK_THROWS_WITH(properties_of(CircleSection{0}), "a rod's section has a radius of 0 m, and needs one above 0");
    CHECK_THROWS_WITH(properties_of(RectangleSection{0.01, -0.02}),
                      "a rod's section has a height of -0.02 m, and needs one above 0");
    CHECK_THROWS_WITH(
        properties_of(TubeSection{0.004, 0.004}),
        "a rod's section is a tube with an inner radius of 0.004 m, which must be smaller than its radius of 0.004 m");
    CHECK_THROWS_WITH(properties_of(PolygonSection{{{0, 0}, {1, 0}}}),
                      "a rod's section needs three corners, and has 2");
    CHECK_THROWS_WITH(properties_of(PolygonSection{{{0, 0}, {1, 0}, {2, 0}}}),
                      "a rod's section has no area: all its corners lie on a line. Give it a thickness.");
    CHECK_THROWS_WITH(properties_of(PolygonSection{{{0, 0}, {1, 1}, {1, 0}, {0, 1}}}),
                      "a rod's section cuts or touches itself: the side from (0, 0) m with the side from (1, 0) m. "
                      "Give its corners in order along the outline.");
    CHECK_THROWS_WITH(properties_of(PolygonSection{{{0, 0}, {2, 0}, {1, 0}, {1, 1}}}),
                      "a rod's section goes back along itself at (2, 0) m. Leave that corner out.");
    CHECK_THROWS_WITH(properties_of(PolygonSection{{{0, 0}, {NAN, 0}, {1, 1}}}),
                      "a rod's section has a corner that is not a number");
}

}  // namespace section_test
