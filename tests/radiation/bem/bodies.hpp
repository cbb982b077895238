// Bodies whose sound is known, and that sound.
#pragma once

#include <clangor/radiation/bem/bem.hpp>

#include <complex>

namespace clangor::test {

/// Icosahedron cut `levels` times into four, pushed out so that it encloses exactly the volume of the ball.
Surface ball(double radius, int levels);

/// A flat disc in the plane z = 0, facing +z: rings of equal width.
Surface disc(double radius, int rings);

/// A closed square plate facing ±z; its wide sides are cut into cells × cells × 2 triangles, its narrow ones once.
Surface plate(double width, double thickness, int cells);

/// Part of a surface's triangles, wound the other way: the wall of a void.
Surface inside_out(const Surface& surface);
Surface joined(const Surface& a, const Surface& b);

Vec3 centroid(const Surface& surface, long face);
Vec3 area_vector(const Surface& surface, long face);  ///< normal × area

/// Points between 2 and 10 radii, evenly spread over all directions.
Points points_around(double radius, int count);

/// What ∂p/∂n = P_n(cos θ) on a ball makes of the air at r ≥ a, without the factor P_n: h_n(kr)/(k h_n′(ka)).
std::complex<double> exact_multipole(int n, double k, double a, double r);
double legendre(int n, double x);

/// Mean of P_n(cos θ) over each flat face, θ from the z axis: what a face's flux tells of the motion.
Eigen::VectorXcd legendre_means(const Surface& surface, int n);

/// ‖a − b‖/‖b‖
double relative_error(const Eigen::VectorXcd& a, const Eigen::VectorXcd& b);

}  // namespace clangor::test
