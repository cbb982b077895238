// How much air a section moves along, and so how loud a rod of it is.
#include <clangor/radiation/dipole/dipole.hpp>
#include <geometry/polygon_sections.hpp>

#include <doctest/doctest.h>
#include <Eigen/Eigenvalues>
#include <approx.hpp>

#include <cmath>
#include <vector>

namespace dipole_matrix_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::ellipse_polygon;
using clangor::test::rectangle_polygon;
using Eigen::Matrix2d;
using Vec2 = Eigen::Vector2d;

namespace {

// By the exterior conformal map, to twelve digits: width, height, D along the width, D along the height.
struct Rectangle {
    double width, height, D_xx, D_yy;
};
const std::vector<Rectangle> rectangles = {
    {1, 1, 2.188439615226477, 2.188439615226477},          {1, 0.5, 0.8329153939990906, 1.5710322335404558},
    {1, 0.2, 0.26221364272048014, 1.155849744217602},      {1, 0.1, 0.1174453699364566, 0.9958589554247939},
    {1, 0.02, 0.020889165090854686, 0.8411425158509293},   {1, 0.01, 0.010243784749953272, 0.8164816976425407},
    {25.4, 12.7, 537.3636955924533, 1013.5671557909602},   {33, 7, 306.4589223474895, 1278.564373854496},
    {25.4, 0.79375, 21.475886410389474, 558.873732521102}, {1.6, 0.8, 2.132263408637672, 4.021842517863567},
    {0.95, 0.38, 0.5606808380895508, 1.2985877979427904},
};

}  // namespace

TEST_CASE("a circle moves as much air along as it displaces, and a tube as a circle") {
    const double a = 0.00635;
    CHECK((dipole_matrix(CircleSection{a}) - 2 * pi * a * a * Matrix2d::Identity()).norm() < 1e-18);
    CHECK((dipole_matrix(TubeSection{a, 0.9 * a}) - dipole_matrix(CircleSection{a})).norm() < 1e-18);
}

TEST_CASE("an ellipse: D = πb(a+b) along a, πa(a+b) along b") {
    const Matrix2d D = dipole_matrix(EllipseSection{2, 1});
    CHECK(D(0, 0) == Approx(3 * pi));
    CHECK(D(1, 1) == Approx(6 * pi));
    CHECK(D(0, 1) == 0);
}

TEST_CASE("rectangles agree with the conformal map, lying and standing") {
    for (const Rectangle& r : rectangles) {
        CAPTURE(r.width);
        CAPTURE(r.height);
        const Matrix2d lying = dipole_matrix(RectangleSection{r.width, r.height});
        CHECK(lying(0, 0) == Approx(r.D_xx).epsilon(1e-9));
        CHECK(lying(1, 1) == Approx(r.D_yy).epsilon(1e-9));
        const Matrix2d standing = dipole_matrix(RectangleSection{r.height, r.width});
        CHECK(standing(0, 0) == Approx(r.D_yy).epsilon(1e-9));
        CHECK(standing(1, 1) == Approx(r.D_xx).epsilon(1e-9));
    }
}

TEST_CASE("a strip without thickness moves a circle of air along: D = πw²/4 across, and its area along") {
    const Matrix2d D = dipole_matrix(RectangleSection{1, 1e-5});
    CHECK(D(1, 1) == Approx(pi / 4).epsilon(1e-4));  // the excess is of the order h/w ln(w/h)
    CHECK(D(0, 0) == Approx(1e-5).epsilon(1e-4));
}

TEST_CASE("charges on the outline give polygons the same D as the closed forms, to 0.02 %") {
    for (const Rectangle& r : rectangles) {
        CAPTURE(r.width);
        CAPTURE(r.height);
        const Matrix2d D = dipole_matrix(rectangle_polygon(r.width, r.height));
        CHECK(D(0, 0) == Approx(r.D_xx).epsilon(2e-4));
        CHECK(D(1, 1) == Approx(r.D_yy).epsilon(2e-4));
        CHECK(std::abs(D(0, 1)) < 1e-6 * r.D_yy);
    }
    const double inscribed = square(2 * pi / 256) / 6;  // which such a polygon's area, and D, is low by: 0.01 %
    for (const double b : {1.0, 0.5, 0.1}) {
        CAPTURE(b);
        const Matrix2d exact = dipole_matrix(EllipseSection{1, b}), D = dipole_matrix(ellipse_polygon(1, b, 256));
        CHECK((D - exact).norm() < (2e-4 + inscribed) * exact.norm());
    }
}

TEST_CASE("a section that looks the same after a third of a turn moves the same air in every direction") {
    const Matrix2d D = dipole_matrix(PolygonSection{{{0, 0}, {1, 0}, {0.5, std::sqrt(0.75)}}});
    CHECK(D(0, 0) == Approx(D(1, 1)).epsilon(1e-5));
    CHECK(std::abs(D(0, 1)) < 1e-5 * D(0, 0));
}

TEST_CASE("no section moves less air along than it displaces itself, or than one inside of it") {
    // Added air is energy, and positive; of two bodies, one inside of the other, the larger one's D is larger
    // (Schiffer). An angle is inside of its square, and holds a strip.
    const PolygonSection angle{{{0, 0}, {1, 0}, {1, 0.1}, {0.1, 0.1}, {0.1, 1}, {0, 1}}};
    const Matrix2d D = dipole_matrix(angle);
    const double area = properties_of(angle).area;
    const auto least = [](const Matrix2d& A) { return A.selfadjointView<Eigen::Lower>().eigenvalues()[0]; };
    CHECK(least(D - area * Matrix2d::Identity()) > 0);
    CHECK(least(dipole_matrix(RectangleSection{1, 1}) - D) > 0);
    // Its principal axes lie along the diagonals: D of the strip along x, turned by −45° as the angle is.
    const Eigen::Rotation2Dd turned(-properties_of(angle).angle);
    const Matrix2d strip =
        turned.toRotationMatrix() * dipole_matrix(RectangleSection{1, 0.1}) * turned.inverse().toRotationMatrix();
    CHECK(least(D - strip) > 0);
}

TEST_CASE("what is no section has no dipole either") {
    CHECK_THROWS_WITH(dipole_matrix(CircleSection{-1}), "a rod's section has a radius of -1 m, and needs one above 0");
}

}  // namespace dipole_matrix_test
