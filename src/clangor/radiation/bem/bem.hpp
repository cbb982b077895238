/// @file bem.hpp — the sound of a vibrating surface at one frequency, by boundary elements: the reference solver.
/// Model     (∇² + k²)p = 0 outside, ∂p/∂n = q on the surface, waves go outward; Burton and Miller's combined equation
///           on closed bodies, the double layer of the pressure jump on open sheets docs/theory/boundary-elements.md
/// In        triangles, k, and q on each of them.
/// Out       the pressure on the surface (or its jump across a sheet), and from it the pressure anywhere outside.
/// Not here  the time domain (radiation/wave), what is kept of the sound of a mode (radiation/transfer).
///
///     const BemSolution sound = solve_radiation(ball, q, k);
///     const Eigen::VectorXcd p = pressure_at(sound, listeners);
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <complex>
#include <cstddef>
#include <string>
#include <vector>

namespace clangor {

/// Auto: dense while that is faster and fits into the memory, hierarchical beyond.
enum class BemMethod { Auto, Dense, Hierarchical };

/// q = ∂p/∂n, linear on each face; neighbours need not meet.
struct CornerGradient {
    Eigen::MatrixX3cd corners = {};  ///< one row per face: at its three corners [Pa/m]
};

struct BemOptions {
    BemMethod method = BemMethod::Auto;
    double tolerance = 1e-4;       ///< of GMRES: residual against the right side; low-rank blocks are as good, to 3e-5
    int max_iterations = 300;      ///< of GMRES; where it stalls, a direct solve is tried if it fits into the memory
    std::size_t memory_limit = 0;  ///< [bytes]; 0: 80 % of what the machine has free
};

/// Pressure on the surface: linear on each face, continuous. e^{+iωt}; outgoing waves are e^{−ikr}/r.
struct BemSolution {
    Surface surface = {};
    double wave_number = 0;          ///< k [1/m]
    bool open = false;               ///< a sheet: `pressure` is the jump p⁺ − p⁻, + on the side of the normal
    Eigen::VectorXcd pressure = {};  ///< mean of each face [Pa]
    Eigen::VectorXcd vertex_pressure = {};  ///< at the vertices, linear between them [Pa]
    CornerGradient gradient = {};           ///< q = ∂p/∂n, linear on each face [Pa/m]
    std::string method = {};                ///< "dense LU", "dense GMRES", "hierarchical GMRES"
    int iterations = 0;                     ///< of GMRES
    double residual = 0;                    ///< relative, of the linear system
    std::size_t bytes = 0;                  ///< of the operator
    std::vector<std::string> warnings = {};
};

/// q = ∂p/∂n = −ρ0 a_n at the corners of each face, such that ∫N_i q dS over it is right. The surface is closed and
/// faces outward (Burton–Miller), or an open sheet of one or more pieces. Throws for bad input (mixed open and closed
/// pieces, sizes, NaN), if nothing fits into the memory (says how much it needs, before it starts), and Error
/// (Blame::Work) if no method reaches the tolerance. Fewer than 6 elements a wavelength is a warning.
BemSolution solve_radiation(const Surface& surface, const CornerGradient& gradient, double wave_number,
                            const BemOptions& options = {}, const Progress& progress = {});

/// The same from one number per face, the mean of q over it (a sample at the centroid is off by h²/48 ∇²q). Slopes are
/// those that the neighbours suggest.
BemSolution solve_radiation(const Surface& surface, const Eigen::VectorXcd& gradient, double wave_number,
                            const BemOptions& options = {}, const Progress& progress = {});

/// Pressure at points outside, however near or far. Costs three kernels a face and point: 10 000 points and 5 120 faces
/// 0.2 s.
Eigen::VectorXcd pressure_at(const BemSolution& solution, const Points& points);

/// A mesh whose edges fit a wavelength, and how the fluxes of another surface fall on its faces.
struct RadiatingMesh {
    Surface surface = {};
    /// corners of this mesh (three per face) × given faces: ∫N_i q dS of each given face's flux; columns sum to 1
    SparseMatrix shares = {};
};

/// The same shape with edges of about `edge_length`: coarsened where they are shorter, refined where longer; finer than
/// asked for where a curved thin wall would else lose its thickness. The fluxes ∫ n·u dS of the given faces go, patch
/// by patch, to the nearest point of a face that looks the same way, so that the total flux and its first moments are
/// kept. Closed surfaces stay closed, rims of sheets stay where they are, the two sides of a thin wall stay apart,
/// however coarse. Where that cannot be had (the given surface cuts itself), it is refined only.
RadiatingMesh radiating_mesh(const Surface& surface, double edge_length);

/// The density on the faces of the radiating mesh, at their corners, that has the same ∫N_i q dS as the fluxes of the
/// given surface's faces [flux/m²].
CornerGradient density_on(const RadiatingMesh& mesh, const Eigen::VectorXd& fluxes);

/// Its mean on each face.
Eigen::VectorXd mean_on(const RadiatingMesh& mesh, const Eigen::VectorXd& fluxes);

}  // namespace clangor
