// The numeric types that every module shares.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <Eigen/LU>
#include <Eigen/SparseCore>

#include <numbers>

namespace clangor {

inline constexpr double pi = std::numbers::pi;

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;

/// n×3, row-major, so that NumPy and file formats share the memory [m].
using Points = Eigen::Matrix<double, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// Vertex indices of triangles, counter-clockwise seen from outside.
using Triangles = Eigen::Matrix<int, Eigen::Dynamic, 3, Eigen::RowMajor>;

/// Node indices of finite elements, one element a row; the number of columns tells the element.
using Cells = Eigen::Matrix<int, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

using SparseMatrix = Eigen::SparseMatrix<double>;

constexpr double square(double x) { return x * x; }
constexpr double cube(double x) { return x * x * x; }

/// Visits a std::variant with one lambda a case: std::visit(overloaded{…}, v).
template <class... Cases>
struct overloaded : Cases... {
    using Cases::operator()...;
};
template <class... Cases>
overloaded(Cases...) -> overloaded<Cases...>;

/// The air that sound travels through.
struct Air {
    double density = 1.2041;        ///< [kg/m³]
    double speed_of_sound = 343.2;  ///< [m/s]
};

}  // namespace clangor
