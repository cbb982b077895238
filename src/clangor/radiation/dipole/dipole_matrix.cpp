#include <clangor/radiation/dipole/dipole.hpp>

#include <cmath>

namespace clangor {
namespace {

// A rectangle's outside is the conformal image of a circle's, z = c₁(ζ + c₋₁/ζ + …), by Schwarz' and Christoffel's
// integral. With the corners at ζ = ±e^{±iα}, and K, E the complete elliptic integrals of the parameter m,
//     F(m) = E(m) − (1 − m) K(m),   F(sin²α)/F(cos²α) = height/width,   c₁ = height/(4F(sin²α))
double side_integral(double m) { return std::comp_ellint_2(std::sqrt(m)) - (1 - m) * std::comp_ellint_1(std::sqrt(m)); }

Eigen::Matrix2d matrix_of(const RectangleSection& rectangle) {
    const double width = rectangle.width, height = rectangle.height;
    if (height > width) {  // so that sin²α keeps its digits for thin ones
        const Eigen::Matrix2d turned = matrix_of(RectangleSection{height, width});
        return Eigen::Vector2d(turned(1, 1), turned(0, 0)).asDiagonal();
    }
    double low = 0, high = 0.5;  // of sin²α
    for (int i = 0; i < 100; ++i) {
        const double m = (low + high) / 2;
        (side_integral(m) / side_integral(1 - m) < height / width ? low : high) = m;
    }
    const double c = width / (4 * side_integral(1 - low));
    return Eigen::Vector2d(4 * pi * c * c * low, 4 * pi * c * c * (1 - low)).asDiagonal();
}

Eigen::Matrix2d matrix_of(const EllipseSection& ellipse) {
    const double a = ellipse.x_radius, b = ellipse.y_radius;
    return (pi * (a + b) * Eigen::Vector2d(b, a)).asDiagonal();
}

Eigen::Matrix2d matrix_of(const CircleSection& circle) {
    return matrix_of(EllipseSection{circle.radius, circle.radius});
}
Eigen::Matrix2d matrix_of(const TubeSection& tube) { return matrix_of(EllipseSection{tube.radius, tube.radius}); }

// The stream function of the flow around the section is the potential of an uncharged wire of this section in a field
// across the flow: charges on the outline that make the potential y there have the moment (−D_xy, D_xx), and those that
// make x the moment (D_yy, −D_xy)  (docs/theory/rod-radiation.md, Eq. 8).
Eigen::Matrix2d matrix_of(const PolygonSection& polygon) {
    const OutlineElements elements = graded_elements(polygon.corners);
    Eigen::MatrixXd middles(elements.size(), 2);
    for (long e = 0; e < elements.size(); ++e) middles.row(e) = elements.middle(e);
    const Eigen::Matrix2d moments =
        middles.transpose() * outline_charges(elements, middles, Eigen::RowVector2d::Zero());
    const double across = -(moments(0, 1) + moments(1, 0)) / 2;
    return Eigen::Matrix2d{{moments(1, 1), across}, {across, moments(0, 0)}};
}

}  // namespace

Eigen::Matrix2d dipole_matrix(const Section& section) {
    return std::visit([](const auto& shape) { return matrix_of(shape); }, principal(section));
}

}  // namespace clangor
