/// @file shell.hpp — thin elastic shells from triangles: energy, forces, stiffness and mass.
/// Model     W = ∫ ½ C q(ε) + ½ D q(κ) dA,  C = Eh/(1−ν²),  D = Eh³/(12(1−ν²))              docs/theory/shell.md
/// In        a triangle surface, closed or with boundaries (free edges), its thickness and a material.
/// Out       StiffnessMass: modal finds the modes. ElasticShell: energy and forces of large motions.
/// Not here  eigenvalues (modal), bodies that are thick (solid), motion in time.
///
///     const ThinShell shell{lid, Eigen::VectorXd::Constant(1, 0.002)};
///     const std::vector<std::string> too_coarse = resolution_problems(shell, steel, 5e3);
///     const Modes modes = vibration_modes(assemble(shell, steel), {.max_hz = 5e3});
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/vibration/modal/modal.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace clangor {

/// A middle surface with a thickness. All triangles are wound alike, and no edge has more than two.
struct ThinShell {
    Surface middle;
    Eigen::VectorXd thickness;  ///< one value for all, or one per vertex, linear between them [m]
};

/// Everything that is wrong with it, one sentence each: empty surfaces, vertices that no triangle names or that hold
/// the shell together by a point, triangles without area, edges of three triangles or of two wound against each other,
/// thicknesses that are not positive or not those of a thin shell.
std::vector<std::string> problems_of(const ThinShell& shell);

/// Up to which frequency the triangles follow bending waves, whose frequencies are then within about 1 %: six edges per
/// wavelength where waves are shortest against the edges [Hz].
double resolved_hz(const ThinShell& shell, const Material& material);

/// The longest edges that follow bending waves of this frequency where the shell is so thick [m].
double longest_edge(const Material& material, double thickness, double hz);

/// Where modes up to max_hz need shorter edges, one sentence each: for their waves, or for the curvature of the
/// surface, whose chords are stiffer than its arcs.
std::vector<std::string> resolution_problems(const ThinShell& shell, const Material& material, double max_hz);

/// Degree of freedom 3i + d is the displacement of vertex i along axis d, and 3n + 3i + d its rotation about it, of n
/// vertices: the first 3n rows of a mode are what radiates. Throws Error for the first of the problems above.
StiffnessMass assemble(const ThinShell& shell, const Material& material);

/// Where each vertex is, and how far it is turned since rest.
struct ShellPose {
    Points positions;             ///< [m]
    std::vector<Mat3> rotations;  ///< orthonormal
};

ShellPose rest_pose(const ThinShell& shell);

/// The pose displaced and then turned, by as many numbers as there are degrees of freedom in `assemble` [m, rad].
ShellPose moved(const ShellPose& pose, const Eigen::VectorXd& step);

struct ShellEnergy {
    double membrane = 0;  ///< of strain in the plane [J]
    double bending = 0;   ///< of curvature [J]
    double total() const { return membrane + bending; }
};

struct ShellElement;

/// A shell that keeps what its triangles were at rest. Poses may be far from it; strains are small. The same bits for
/// any number of threads.
class ElasticShell {
public:
    /// Throws as `assemble` does.
    ElasticShell(const ThinShell& shell, const Material& material);
    ~ElasticShell();
    ElasticShell(ElasticShell&&) noexcept;
    ElasticShell& operator=(ElasticShell&&) noexcept;

    ShellEnergy energy(const ShellPose& pose) const;

    /// ∂W for each degree of freedom, as `moved` counts them: minus the elastic forces [N] and torques [N m].
    Eigen::VectorXd gradient(const ShellPose& pose) const;

private:
    std::vector<ShellElement> elements_;
};

/// Strain of the wall to second order in displacements u from rest, s(u) = Bu + n(u), for models that keep W to fourth
/// order (nonlinear). Of each triangle ε_11, ε_22, 2ε_12 and the turning of its corners δ_i; columns are independent.
class WallStretch {
public:
    /// Throws as `assemble` does.
    WallStretch(const ThinShell& shell, const Material& material);
    ~WallStretch();
    WallStretch(WallStretch&&) noexcept;
    WallStretch& operator=(WallStretch&&) noexcept;

    long strains() const;                        ///< six per triangle
    long vertices() const { return vertices_; }  ///< of the shell

    /// n(u), of displacements and rotations [1].
    Eigen::MatrixXd quadratic(const Eigen::MatrixXd& displacements) const;

    /// ∂W/∂u at rest where the wall is strained so: for each degree of freedom of `assemble` [N, N m].
    Eigen::MatrixXd forces(const Eigen::MatrixXd& strains) const;

    /// ∂W by each strain, of such strains and those that are linear in displacements and rotations [N m].
    Eigen::MatrixXd stresses(const Eigen::MatrixXd& strains, const Eigen::MatrixXd& displacements) const;

private:
    long vertices_ = 0;
    std::vector<ShellElement> elements_;
};

/// One triangle in its own axes e_1, e_2, n, for models that sum over few of them (subspace). What it feels are 15
/// numbers: ∂_1 u and ∂_2 u of its displacement, then the rotation vectors of its corners. Its energy is
/// W = ½ sᵀ membrane s + ½ βᵀ bending β of the strains of docs/theory/shell.md, Eq. 2 to 5.
struct ShellTriangle {
    std::array<int, 3> corners = {};
    double area = 0;                       ///< [m²]
    Eigen::Matrix<double, 15, 18> local;   ///< from displacement and rotation of each corner [1/m, 1]
    Eigen::Matrix<double, 6, 6> membrane;  ///< of (ε_11, ε_22, 2ε_12, δ_0, δ_1, δ_2) [J]
    Eigen::Matrix<double, 6, 6> bending;   ///< of (β_01, β_02, β_11 …) [J]
};

/// Of each face. Throws as `assemble` does.
std::vector<ShellTriangle> shell_triangles(const ThinShell& shell, const Material& material);

}  // namespace clangor
