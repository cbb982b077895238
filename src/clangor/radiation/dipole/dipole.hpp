/// @file dipole.hpp — how thin bodies sound as they move: a rod is a line of dipoles.
/// Model     p = (1/4π) Σ_i [ ∂_t (r̂·F_i/cR_i) + r̂·F_i/R_i² + S_i/R_i ], t − R_i/c      docs/theory/rod-radiation.md
///           F = ρ0 l D a: the force on the air, S: what swells. Exact for points that move slower than sound.
/// In        sections (geometry), where a rod's points are from instant to instant and how they are accelerated.
/// Out       dipole matrices of sections; the pressure at a receiver, over the emission time of a centre.
/// Not here  the motion of rods (vibration/rod), reflections, and the way from the centre to an ear (listening).
///
///     const RadiatingRod rod = radiating_rod(CircleSection{0.005}, lengths);
///     DipoleSum sum({.source_rate = 96000, .sample_rate = 48000, .reach = 0.5}, Air{});
///     for (const RodInstant& instant : motion) sum.add(sources_of(rod, instant, Air{}), {.receiver = {0, 1, 0}});
///     std::vector<float> pressure(sum.ready());
///     sum.take(pressure);
#pragma once

#include <clangor/geometry/geometry.hpp>

#include <memory>
#include <span>

namespace clangor {

/// Along a section's principal axes, per length: the dipole of its motion along one axis is a column of
///     D_ij = ∮ (y_i − φ_i) n_j ds,   ∇²φ_i = 0 outside, ∂φ_i/∂n = n_i, φ_i → 0                     [m²]
/// ρ0 (D − area) is the air that moves along. Symmetric. Closed forms but for polygons, which take some milliseconds
/// and are right to 0.02 %. Throws Error as properties_of does.
Eigen::Matrix2d dipole_matrix(const Section& section);

/// What of a rod radiates.
struct RadiatingRod {
    Eigen::VectorXd lengths;                           ///< of the rod that each point stands for, ends half [m]
    Eigen::Matrix2d dipole = Eigen::Matrix2d::Zero();  ///< of its section, per length [m²]
    double area = 0;                                   ///< inside of the outline: of a tube, with its hole [m²]
    double poisson = 0.3;                              ///< of its material: where it is stretched it gets thinner
    bool closed = false;                               ///< the last point joins the first
    /// Of the air that moves along with each point, along d_1 and d_2, what is left beside free ends; empty: all [1]
    Eigen::MatrixX2d beside_ends = {};
};
RadiatingRod radiating_rod(const Section& section, const Eigen::VectorXd& lengths);

/// The same with free ends, around which air flows: beside them less of it moves along. Bending modes that send little
/// straight across, because their parts cancel, are 4 dB too soft there without.
RadiatingRod with_free_ends(RadiatingRod rod);

/// A rod's points at an instant, one a row.
struct RodInstant {
    Eigen::MatrixX3d positions;        ///< [m]
    Eigen::MatrixX3d accelerations;    ///< an impulse: the change of velocity, over the time between instants [m/s²]
    Eigen::MatrixX3d d_1, d_2;         ///< unit vectors along the section's principal axes
    Eigen::MatrixX3d velocities = {};  ///< read by add_turning alone [m/s]
};

/// At points, from the edges between them, a row each: halfway turned from the edge before to the edge behind, and at
/// ends as their only edge. Edges turn by less than a right angle from one to the next.
struct SectionFrames {
    Eigen::MatrixX3d d_1, d_2;
};
SectionFrames frames_at_points(const SectionFrames& edges, bool closed);

/// Forces on the air, and air that is pushed away, at points.
struct PointSources {
    Eigen::MatrixX3d positions;  ///< [m]
    Eigen::MatrixX3d forces;     ///< F: of dipoles [N]
    Eigen::VectorXd flows;       ///< S = ρ0 d²V/dt²: of monopoles [kg/s²]
    double nearest = 0;          ///< nobody is heard from nearer than this [m]
    /// F and S, integrated over time, where they are those of a body that moves along with the points: its near field
    /// goes with it. Empty: what pushes the air there is no body [N s, kg/s].
    Eigen::MatrixX4d momenta = {};
};

/// Of a rod, in air: F = ρ0 l D a across it; S from its ends, that push air ahead of them, and from its sides where it
/// is stretched. It takes the storage of `reused`, so that instants allocate nothing.
PointSources sources_of(const RadiatingRod& rod, const RodInstant& instant, const Air& air, PointSources reused = {});

/// What sections add that turn as they move: F and S are the changes of ρ0 l D v and ρ0 A t·v, D and t among them.
/// `before` is the instant 1/rate earlier.
void add_turning(const RadiatingRod& rod, const RodInstant& before, const RodInstant& now, double rate, const Air& air,
                 PointSources& sources);

struct DipoleSumOptions {
    double source_rate = 48000;  ///< of instants [Hz]
    double sample_rate = 48000;  ///< of pressure; need not be that of the instants [Hz]
    double reach = 1;            ///< no source is farther from the centre [m]
    /// Sections as wide as a wavelength radiate less than D says. This is exact for circles of that radius and sound
    /// across the rod; 0: not heeded [m].
    double thick_radius = 0;
};

/// Where sound is counted from, and where it is heard that the centre emits at an instant [m].
struct EmissionPlace {
    Vec3 centre = Vec3::Zero();
    Vec3 receiver = Vec3::Zero();
};

/// The pressure of moving points at one receiver, over the emission time of a centre: what a listener hears who reads
/// it with the delay of the centre alone. What is nearer than the centre is heard earlier, what is farther later.
///
/// Flat within 0.001 dB to 0.42 of the lower rate (20 kHz at 48 kHz); from half of it on, 100 dB down. Some 3 ns a
/// source and instant, and 0.15 µs a sample. The bytes do not depend on the pieces that samples are taken in. One
/// thread uses it at a time.
class DipoleSum {
public:
    DipoleSum(const DipoleSumOptions& options, const Air& air);
    ~DipoleSum();
    DipoleSum(DipoleSum&&) noexcept;
    DipoleSum& operator=(DipoleSum&&) noexcept;

    /// The next instant; the first is at time 0. Throws Error (Blame::Work) for a source farther from the centre than
    /// `reach`, or nowhere.
    void add(const PointSources& sources, const EmissionPlace& place);

    /// So many samples are done: no later instant changes them.
    long ready() const;

    /// The next of them; the first is at time 0.
    void take(std::span<float> out);

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace clangor
