#include <clangor/radiation/compact/face_integrals.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include "bodies.hpp"

#include <cmath>

namespace face_integrals_test {

using namespace clangor;

TEST_CASE("the triangle rule integrates every monomial up to degree 6") {
    for (int a = 0; a <= 6; ++a)
        for (int b = 0; a + b <= 6; ++b) {
            double sum = 0;
            for (const auto& [xi, eta, weight] : compact::triangle_rule())
                sum += weight * std::pow(xi, a) * std::pow(eta, b);
            // a! b! / (a+b+2)!
            const double exact = std::tgamma(a + 1.0) * std::tgamma(b + 1.0) / std::tgamma(a + b + 3.0);
            CHECK(sum == clangor::test::Approx(exact).epsilon(1e-12));  // the rule's coefficients have 15 digits
        }
}

TEST_CASE("shape functions are 1 at their own node, sum to 1, and have consistent derivatives") {
    const double at[6][2] = {{0, 0}, {1, 0}, {0, 1}, {0.5, 0}, {0.5, 0.5}, {0, 0.5}};
    for (const int nodes : {3, 6}) {
        for (int i = 0; i < nodes; ++i) {
            const Eigen::VectorXd values = compact::face_shape(nodes, at[i][0], at[i][1]).values;
            CHECK((values - Eigen::VectorXd::Unit(nodes, i)).norm() == 0.0);
        }
        const double step = 1e-6;
        const auto shape = compact::face_shape(nodes, 0.2, 0.3);
        const Eigen::VectorXd slope_xi =
            (compact::face_shape(nodes, 0.2 + step, 0.3).values - compact::face_shape(nodes, 0.2 - step, 0.3).values) /
            (2 * step);
        const Eigen::VectorXd slope_eta =
            (compact::face_shape(nodes, 0.2, 0.3 + step).values - compact::face_shape(nodes, 0.2, 0.3 - step).values) /
            (2 * step);
        CHECK(shape.values.sum() == clangor::test::Approx(1.0).epsilon(1e-15));
        CHECK((slope_xi - shape.derivatives.col(0)).norm() < 1e-9);  // quadratics: central differences are exact
        CHECK((slope_eta - shape.derivatives.col(1)).norm() < 1e-9);
    }
}

TEST_CASE("curved faces of a sphere have its area") {
    const Skin skin = test::sphere_skin(0.5, 2, 6);
    double area = 0;
    for (long f = 0; f < skin.faces.rows(); ++f) area += compact::face_area(skin.nodes(skin.faces.row(f), Eigen::all));
    CHECK(area == clangor::test::Approx(4 * pi * 0.25).epsilon(3e-4));  // 320 quadratic faces, O(h⁴) with h = 0.3a
}

}  // namespace face_integrals_test
