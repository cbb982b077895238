/// @file contact.hpp — the force of one contact over time: how long it lasts, how it rises and falls, what it damps.
/// Model     F(t) = (J/(A_p τ)) sin^p(πt/τ), 0 < t < τ; ∫F dt = J; τ = 2.868 (m²/(r E*² V))^{1/5}
///           docs/theory/contact.md
/// In        an impulse, and the masses, materials and curvatures of the two bodies where they meet.
/// Out       ContactPulse: vibration and acceleration noise are driven by it.
/// Not here  where and when bodies meet (motion/rigid).
///
///     const HertzContact hertz{.inverse_mass = 1 / m1 + 1 / m2,
///                              .curvature = H1 + H2,
///                              .modulus = contact_modulus(steel, glass)};
///     const double tau = hertz_time(hertz, 1.5);
///     const ContactPulse tap{.start = 0.1, .duration = 2e-4, .impulse = {0, -0.02, 0}};
///     const double force = tap.impulse.norm() / tap.duration * unit_pulse(tap.shape, 0.5);  // its peak [N]
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/motion/contact/elastic_impact.hpp>

#include <complex>
#include <cstdint>
#include <vector>

namespace clangor {

/// Hertz: sin^1.5886, within 0.3 % of the exact Hertz peak. HalfSine: what the papers use, peak 14.6 % low.
enum class PulseShape { Hertz, HalfSine };

/// A contact force at a point of a body, in its frame: its direction is the impulse's, its time integral the impulse.
struct ContactPulse {
    double start = 0;     ///< [s]
    double duration = 0;  ///< 0: an instantaneous impulse [s]
    PulseShape shape = PulseShape::Hertz;
    Vec3 point = Vec3::Zero();    ///< [m]
    Vec3 impulse = Vec3::Zero();  ///< [N·s]
};

/// The pulse of unit impulse and unit duration, at x = (t − start)/duration; 0 outside (0, 1). The audio thread may
/// call it.
double unit_pulse(PulseShape shape, double x) noexcept;

/// p of sin^p: the pulse grows as x^p after its start.
constexpr double pulse_exponent(PulseShape shape) noexcept { return shape == PulseShape::Hertz ? 1.5886 : 1.0; }

/// A_p = ∫₀¹ sin^p(πx) dx = B((p+1)/2, ½)/π; 1/A_p is the peak force times τ/J.
double pulse_area(PulseShape shape) noexcept;

/// ln |Γ(x)|. Unlike std::lgamma, it writes no variable that threads share.
double log_gamma(double x) noexcept;

/// ∫ F e^{−iωt} dt/J about the pulse's middle, at ωτ/2π cycles in its length: 1 for slow modes, falling, and of either
/// sign, for those that turn within the contact.
double pulse_spectrum(PulseShape shape, double cycles) noexcept;

/// The same for PulseShape::Hertz within 2e-8, mostly from a table: tens of millions are asked for in crowded scenes.
double hertz_spectrum(double cycles) noexcept;

/// χV of a contact between rigid bodies that part at e times the speed V at which they met, for e in [0, 1]: the loss
/// of the material. 0 for e = 1, and no more than 50   docs/theory/contact.md, Eq. 9.
double loss_of_restitution(double restitution);

/// How fast an infinite plate gives way under a force at a point: 1/(8√(Dρh)), D = Eh³/(12(1 − ν²)) [m/(N·s)].
double plate_mobility(const Material& material, double thickness);

/// (1 − ν²)/E: what one body gives under a load, as Hertz has it [1/Pa].
double contact_compliance(const Material& material) noexcept;

/// E*: 1/E* = Σ (1 − ν²)/E [Pa].
double contact_modulus(const Material& first, const Material& second);

/// 1/m of a body that is pushed at a point along a unit normal: 1/M + (r×n)ᵀ I⁻¹ (r×n), r from the centre of mass to
/// the point, all in one frame  [Chadwick2012, Eq. 9]. A body that cannot move has 0 [1/kg].
double inverse_effective_mass(double mass, const Mat3& inertia, const Vec3& arm, const Vec3& normal);

/// Mean curvature at a point of a surface, between those of the face's corners (from mean_curvatures) [1/m].
double curvature_at(const Surface& surface, const Eigen::VectorXd& vertex_curvatures, const ClosestPoint& at);

/// H₁ + H₂, made fit for Hertz: no flatter than a ball of `largest_radius`, the size of the smaller body (two flat
/// faces would touch for no time at all, and a hollow around the other body for ever), no sharper than the 0.3 mm to
/// which real edges are rounded [1/m].
double contact_curvature(double first, double second, double largest_radius);

/// What two bodies are where they meet.
struct HertzContact {
    double inverse_mass = 0;  ///< of both, > 0 [1/kg]
    double curvature = 0;     ///< 1/r > 0 [1/m]
    double modulus = 0;       ///< E* [Pa]
};

/// k of F = k δ^{3/2} for an approach δ [N m^-3/2].
double hertz_law(const HertzContact& contact);

/// τ: how long they touch after meeting at this speed > 0 [s].
double hertz_time(const HertzContact& contact, double speed);

/// dF/dδ of a Hertz contact that bears a steady force [N/m].
double hertz_stiffness(const HertzContact& contact, double force);

/// The rate at which a resting contact makes a mode decay, over its own: the contact's spring k loses a part of its
/// energy in every cycle, ½ η k φ²/ω, limited smoothly to ω/50   docs/theory/contact.md [1/s].
/// `shape` is φ, the mode's motion along the normal there [kg^-1/2].
double contact_decay_rate(double stiffness, double shape, double omega);

/// Grains behind one another that lie against something that vibrates: the nearest on the spring of its contact, each
/// next one on a like spring behind it.
struct GrainColumn {
    double stiffness = 0;  ///< of each contact [N/m]
    double mass = 0;       ///< of a grain [kg]
    double count = 1;      ///< of grains; need not be whole
};

/// The mass that they add to what they lie against, for motion e^{iωt} along the column: all of it slowly, and with the
/// loss of the contacts, an imaginary part ≤ 0 that damps   docs/theory/grain-sound.md, Eq. 11 [kg].
std::complex<double> added_mass(const GrainColumn& column, double omega);

/// A mode with such masses at places that it moves by φ: Σ M φ². One of them counts for a fifth at most.
struct LoadedMode {
    double omega = 0;  ///< over what it was without
    double xi = 0;     ///< added
};
std::complex<double> mode_load(std::complex<double> mass, double shape);
LoadedMode loaded_mode(std::complex<double> load);

/// Of the bumps of a surface that looks smooth: half a millimetre apart, rising by two in a hundred [1/m].
constexpr double asperity_curvature = 160;

/// How much of a bump's flank is felt by a body that rolls over it, for the relative curvature of the two [1/m]: three
/// tenths, and less where the body is so flat that it tips from one summit to the next   docs/theory/contact.md.
double rolling_share(double curvature);

/// A small impact of one rough surface that slides or rolls over another.
struct Asperity {
    double time = 0;     ///< [s]
    double speed = 0;    ///< approach speed [m/s]
    double impulse = 0;  ///< along the normal [N·s]
};

/// A stretch of sliding or rolling.
struct RoughContact {
    double time = 0;
    double duration = 0;
    double travel_speed = 0;    ///< of the place of contact over the surface; for sliding, the slip [m/s]
    double normal_impulse = 0;  ///< that holds the bodies together over the stretch [N·s]
    double inverse_mass = 0;    ///< of both along the normal [1/kg]
    double roughness = 1;       ///< slopes, times the usual
};

/// The impacts of a stretch, by time: a Poisson process in distance, their sizes from the slopes of the surface;
/// together they carry no more than the normal impulse. The same seed gives the same impacts.
std::vector<Asperity> asperities(const RoughContact& contact, std::uint64_t seed);

}  // namespace clangor
