// One triangle of a thin shell: what it is at rest, its linear strains and its mass.
#pragma once

#include <clangor/vibration/shell/shell.hpp>

#include <array>

namespace clangor {

/// Unknowns of one triangle: of each corner its displacement, then its rotation.
using ShellRow = Eigen::Matrix<double, 1, 18>;
using ShellBlock = Eigen::Matrix<double, 18, 18>;

struct ShellElement {
    std::array<int, 3> corners = {};
    double area = 0;  ///< [m²]
    Vec3 normal = Vec3::Zero();
    std::array<Vec3, 2> axes = {};          ///< e_1, e_2
    Eigen::Matrix<double, 3, 2> places;     ///< of the corners along the axes, from the first one [m]
    Eigen::Matrix<double, 3, 2> gradients;  ///< g_i of the barycentric coordinates [1/m]
    Eigen::Matrix<double, 6, 6> membrane;   ///< ∂²W for (ε_11, ε_22, 2ε_12, δ_0, δ_1, δ_2) [J]
    Eigen::Matrix<double, 6, 6> bending;    ///< ∂²W for (β_01, β_02, β_11 …) [J]
    double mass = 0;                        ///< [kg]
    double rotary_inertia = 0;              ///< [kg m²]
};

/// Of each triangle. Throws Error where something is wrong with the shell.
std::vector<ShellElement> shell_elements(const ThinShell& shell, const Material& material);

/// The Hessian of a triangle's energy at rest, and its mass.
ShellBlock stiffness_of(const ShellElement& element);
ShellBlock mass_of(const ShellElement& element);

}  // namespace clangor
