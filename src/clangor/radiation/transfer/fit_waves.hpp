// From pressures on two spheres around a body to the outgoing waves of its modes.
#pragma once

#include <clangor/radiation/transfer/transfer.hpp>

#include <vector>

namespace clangor::modal_transfer {

struct BoundingSphere {
    Vec3 centre = Vec3::Zero();  ///< [m]
    double radius = 0;           ///< all points lie inside or on it [m]
};

/// No more than 1 % larger than the smallest one.
BoundingSphere bounding_sphere(const Points& points);

/// Of the harmonics that a body of radius R can radiate at wave number k, and a few more: ⌈kR⌉ + 6, from 6 to 60.
int radiated_degree(double wave_number, double radius);

/// Up to which that many harmonics are enough [rad/m].
double largest_directed_wave_number(double radius);

/// Where pressures are known: on each sphere in all ring_directions(degree), sphere after sphere.
struct RecordingSpheres {
    BoundingSphere body = {};
    std::vector<double> radii = {};  ///< ascending; the first becomes the reference sphere [m]
    int degree = 0;                  ///< of the harmonics that the directions tell apart
};

/// At 1.35 R and 1.7 R.
RecordingSpheres spheres_around(const BoundingSphere& body, int degree);

/// One row a pressure that fit_waves wants.
Points shell_points(const RecordingSpheres& spheres);

/// What is heard of each degree, per unit of its coefficients: the root mean square pressure over the directions at 2R,
/// and far away (times r/2R). By these a degree is kept or dropped, and one solution compared with another.
struct Audibility {
    Eigen::VectorXd near, far;  ///< one entry a degree
};
Audibility audibility(const RecordingSpheres& spheres, double wave_number);

struct WaveFit {
    std::vector<ModeTransfer> modes = {};
    /// of each mode: part of the recorded pressure (L2) that no outgoing waves explain
    Eigen::VectorXd residuals = {};
};

/// One column of `pressures` a mode: complex, e^{+iωt}, in the order of shell_points [Pa kg^-1/2 m^-1]. Degrees at the
/// end that matter less than `accuracy`, near and far, are left out.
WaveFit fit_waves(const RecordingSpheres& spheres, const Eigen::MatrixXcd& pressures, const Eigen::VectorXd& omega,
                  const Air& air, double accuracy);

/// What is heard of a mode: its coefficients up to spheres.degree, weighted by audibility, near (first column) and far
/// (second).
Eigen::MatrixXcd heard_waves(const RecordingSpheres& spheres, const ModeTransfer& mode, const Air& air);

}  // namespace clangor::modal_transfer
