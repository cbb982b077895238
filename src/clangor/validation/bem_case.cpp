// Boundary elements against vibrating spheres.
#include <clangor/validation/cases.hpp>

#include <clangor/radiation/bem/bem.hpp>
#include <clangor/validation/exact_sphere.hpp>

#include <fmt/format.h>

namespace clangor::validation {
namespace {

constexpr double sphere_radius = 0.1;

// The mean over each face, from the middles of its edges.
Eigen::VectorXcd gradient_of(const Surface& ball, int n, double omega, const Air& air) {
    Eigen::VectorXcd q = Eigen::VectorXcd::Zero(ball.faces.rows());
    for (long f = 0; f < q.size(); ++f)
        for (int c = 0; c < 3; ++c) {
            const Vec3 middle =
                (ball.vertices.row(ball.faces(f, c)) + ball.vertices.row(ball.faces(f, (c + 1) % 3))).transpose();
            q[f] += square(omega) * air.density * legendre(n, middle.normalized().z()) / 3;
        }
    return q;
}

Points listeners() {
    Points points(60, 3);
    for (long i = 0; i < points.rows(); ++i) {  // a spiral over the sphere, from 2 to 10 radii
        const double z = 1 - (2.0 * double(i) + 1) / 60, phi = 2.4 * double(i), s = std::sqrt(1 - z * z);
        points.row(i) =
            sphere_radius * (2 + 8 * double(i % 7) / 6) * Vec3(s * std::cos(phi), s * std::sin(phi), z).transpose();
    }
    return points;
}

// L2 over the listeners.
double error_of(const Surface& ball, int n, double ka) {
    const Air air;
    const double k = ka / sphere_radius, omega = k * air.speed_of_sound;
    const Points points = listeners();
    const Eigen::VectorXcd found = pressure_at(solve_radiation(ball, gradient_of(ball, n, omega, air), k), points);
    double difference = 0, norm = 0;
    for (long i = 0; i < points.rows(); ++i) {
        const double r = points.row(i).norm();
        const std::complex<double> exact =
            sphere_pressure(n, sphere_radius, r, omega, air) * legendre(n, points(i, 2) / r);
        difference += std::norm(found[i] - exact);
        norm += std::norm(exact);
    }
    return std::sqrt(difference / norm);
}

}  // namespace

Case bem_case(const Progress& progress) {
    Case result{.name = "bem",
                .title = "Vibrating spheres by boundary elements, 8 per wavelength",
                .source = "spherical waves in closed form (docs/theory/boundary-elements.md)",
                .settings =
                    "8 elements per wavelength, as reference quality has, and edges of 0.15 a at most; the exact "
                    "motion on each face"};
    // π and 4.4934… are resonances of the air inside, which must not be heard.
    const std::vector<double> sizes = {0.1, 1, pi, 4.493409, 6.3, 20};
    double worst = 0, resonant = 0;
    std::vector<Curve> curves(5);
    const Surface smooth = surface_of(Sphere{.radius = sphere_radius});
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        progress("spheres", double(i) / double(sizes.size()));
        const double edge = std::min(2 * pi * sphere_radius / sizes[i] / 8, 0.15 * sphere_radius);
        const Surface ball = radiating_mesh(smooth, edge).surface;
        for (int n = 0; n <= 4; ++n) {
            const double error = error_of(ball, n, sizes[i]);
            curves[n].label = fmt::format("n = {}", n);
            curves[n].x.push_back(sizes[i]);
            curves[n].y.push_back(error);
            worst = worse(error, worst);
            if (i == 2 || i == 3) resonant = worse(error, resonant);
        }
    }
    result.plots = {{.x_label = "ka",
                     .y_label = "error of the pressure at 2 to 10 a (L2)",
                     .log_x = true,
                     .log_y = true,
                     .curves = std::move(curves)}};
    result.bounds = {{.what = "worst error, n = 0 … 4, ka 0.1 … 20", .found = worst, .limit = 0.01},
                     {.what = "worst error at resonances of the inside", .found = resonant, .limit = 0.01}};
    return result;
}

}  // namespace clangor::validation
