/// @file compact.hpp — how a vibrating body sounds, for bodies that are small against the wavelength.
/// Model     p_k(x) = −ρ0 ω² Σ_e s_ke e^{−ik|x−y_e|} / (4π|x−y_e|)               docs/theory/compact-radiation.md
///           y_e = y − χ(y): where a small patch at y appears to be, since the body itself is in the sound's way.
/// In        the boundary of the body's mesh and how each mode moves it.
/// Out       CompactSources (baked), then the pressure of each mode at a listener.
/// Not here  bodies that are large against the wavelength (their loudness stays bounded, but is a guess), rooms, the
///           wave's path to several ears (listening).
///
///     const CompactSources sources = compact_sources(skin, skin_shapes);
///     const Eigen::VectorXcd pressures = transfer(sources, modes.omega, {0, 0.3, 1}, Air{});
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <memory>

namespace clangor {

/// Small monopoles that together sound like the body. All lengths are in the frame of the skin.
struct CompactSources {
    Points positions;            ///< effective positions y_e [m]
    Eigen::VectorXd radii;       ///< of a disc as large as the surface that each stands for [m]
    Eigen::MatrixXf strengths;   ///< sources × modes: ∫ N_e n·u_k dS per unit q [m² kg^-1/2]
    Vec3 centre = Vec3::Zero();  ///< centroid of the surface: distances and delays are counted from here [m]
    double radius = 0;           ///< of the smallest sphere about the centre that holds the body [m]
};

struct CompactOptions {
    int max_unknowns = 2000;  ///< of the potential χ; time grows with the cube, memory with the square of it
};

/// One source per node of the skin. `skin_shapes` has three rows per node and one column per mode [kg^-1/2]. The skin
/// must be closed; the walls of voids inside the body are left out, because no sound of theirs comes out. Takes about a
/// second for 2000 unknowns. Throws Error (Blame::Work) if the potential cannot be solved for.
CompactSources compact_sources(const Skin& skin, const Eigen::MatrixXd& skin_shapes,
                               const CompactOptions& options = {});

/// Complex pressure of each mode at a point, per unit of its coordinate q, with the delay of R = |listener − centre|
/// taken out:  p(t) = Re{ P_k q_a(t − R/c) }, where q_a is the analytic signal of q_k  [Pa kg^-1/2 m^-1].
/// A source is never nearer than its own radius, so that the pressure stays finite everywhere.
Eigen::VectorXcd transfer(const CompactSources& sources, const Eigen::VectorXd& omega, const Vec3& listener,
                          const Air& air);

/// The same to 1e-4 of the loudest direction, several times faster: for sources that move.
Eigen::VectorXcd quick_transfer(const CompactSources& sources, const Eigen::VectorXd& omega, const Vec3& listener,
                                const Air& air);

/// An estimate of what its own sound takes from each mode, as a part of critical damping: as good as the compact
/// sources are (docs/theory/compact-radiation.md says how good), in a fraction of a second. Sound fields tell it better
/// (radiation/transfer).
Eigen::VectorXd radiation_damping(const CompactSources& sources, const Eigen::VectorXd& omega, const Air& air);

/// The transfer of one body in all directions, for bodies that tumble: found where it is asked for, on a grid of 4° and
/// of distances half as far again, kept, and interpolated. Within four radii of the body quick_transfer is asked
/// instead. Threads may share it, and the result does not depend on who asked first.
class DirectionTable {
public:
    DirectionTable(const CompactSources& sources, const Eigen::VectorXd& omega, const Air& air);
    ~DirectionTable();
    Eigen::VectorXcd operator()(const Vec3& listener) const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// True inside the sphere about the centre that holds the body. There, `transfer` is finite but only a guess.
bool in_near_field(const CompactSources& sources, const Vec3& listener);

/// The first two moments of each mode's sources; what is left of the model for ka → 0.
struct Multipoles {
    Eigen::VectorXd monopole;  ///< S_k = ∮ n·u_k dS [m² kg^-1/2]
    Eigen::MatrixXd dipole;    ///< modes × 3: D_k = ∮ (y − χ − centre) n·u_k dS [m³ kg^-1/2]
};
Multipoles multipoles_of(const CompactSources& sources);

}  // namespace clangor
