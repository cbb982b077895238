/// @file acceleration.hpp — acceleration noise: the click of a rigid body that is suddenly pushed.
/// Model     p(x,t) = Σ_lm Y_lm(dir) · outgoing wave of degree l · b_lm(t),  baked for six rigid motions that follow a
///           short pulse ψ(t;h); any contact pulse is made of it afterwards     docs/theory/acceleration-noise.md
/// In        a surface, its mass properties and material; then the changes of velocity that contacts cause.
/// Out       AccelerationNoise (baked), PreparedNoise (at a sample rate), and the pressure of each click.
/// Not here  when and how hard bodies hit (motion), ringing (vibration), the wave solver (radiation/wave).
///
///     const AccelerationNoise noise = sphere_noise(0.0075, pulse_scale(mass, steel), Air{});
///     const PreparedNoise prepared = prepare(noise, 48000);
///     add_click(emitted, prepared,
///               {.time = 0.1, .duration = 5e-5, .velocity_change = {0, 1.2, 0}, .listener = {0, 0, 1}});
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/motion/contact/contact.hpp>
#include <clangor/radiation/wave/wave.hpp>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace clangor {

/// ψ(t;h): an even cubic pulse of Mitchell and Netravali's family (B = 2/3, C = 1/6), height 7/9, area h, zero outside
/// ±2h.
double mitchell_pulse(double t, double h);

/// (1/h) ∫ ψ(t;h) e^{−2πift} dt, a function of f·h; 1 at 0, zero of third order at every other whole number.
double mitchell_spectrum(double frequency_times_h);

/// h = τ/5 [s], τ the Hertz time of a ball of the same volume that meets a rigid wall at 5 m/s  [Chadwick2012, §4.2].
double pulse_scale(const MassProperties& body, const Material& material);

/// A pulse of unit impulse as Σ_k amplitudes[k] ψ(t − (first + k)h; h), amplitudes in 1/s.
struct PulseTrain {
    long first = 0;
    std::vector<double> amplitudes;
};

/// From cell averages, corrected for the width of ψ: the impulse Σ h·amplitudes is exactly 1 for any start and length.
PulseTrain pulse_train(PulseShape shape, double start, double duration, double h);

/// How the air answers one rigid motion. Empty where the motion makes no sound, as a turning ball.
struct NoiseField {
    Eigen::VectorXi harmonics;  ///< which Y_lm, as l² + l + m (real, orthonormal; m < 0: sin), ascending
    /// of sample 0, in the time of emission t − r/c; negative: the surface is nearer than the centre [s]
    double start = 0;
    Eigen::MatrixXf pressure;  ///< samples × harmonics: b_lm on the reference sphere [Pa per m/s², or per rad/s²]
};

/// Acceleration noise of one body: the pressure around it while it is accelerated as ψ(t;h), for six motions. On the
/// reference sphere p = Σ b_lm Y_lm; further out each degree l spreads as an outgoing spherical wave, which needs no
/// more data.
struct AccelerationNoise {
    Vec3 centre = Vec3::Zero();  ///< of mass, in the frame of the surface; origin of directions and distances [m]
    /// columns: the axes x, y, z that harmonics are counted in, in the frame of the surface
    Mat3 frame = Mat3::Identity();
    double radius = 0;            ///< R: of the sphere about the centre that holds the body [m]
    double reference_radius = 0;  ///< of the reference sphere; nearer listeners hear what is heard there [m]
    double pulse_scale = 0;       ///< h [s]
    double sample_step = 0;       ///< Δt ≤ h/2 [s]
    Air air = {};
    std::array<NoiseField, 6> fields;  ///< acceleration along x, y, z, then about x, y, z through the centre

    std::size_t bytes() const;  ///< of all samples
    int degree() const;         ///< the largest l, −1 if the body is silent
};

/// A ball, in closed form: three dipoles.
AccelerationNoise sphere_noise(double radius, double h, const Air& air);

/// Its radius, where the surface is so nearly a ball that sphere_noise is better than a bake: all vertices within
/// `tolerance` of one radius about the centre of mass, and the volume of that ball to within three times this.
std::optional<double> ball_radius(const Surface& surface, const MassProperties& body, double tolerance = 0.01);

/// The same body `scale` times as large. Exact: with lengths, times and h all scaled, pressures per m/s² grow with the
/// scale and pressures per rad/s² with its square.
AccelerationNoise scaled(const AccelerationNoise& noise, double scale);

/// True inside the reference sphere, where the pressure is finite but only that of the nearest point outside it.
bool in_near_field(const AccelerationNoise& noise, const Vec3& listener);

/// Pressure at a point (body frame) while the body follows field `motion` with ψ(t;h), at times start + k·step, delay
/// included. For checks: as slow as it is direct.
std::vector<double> pulse_pressure(const AccelerationNoise& noise, int motion, const Vec3& listener, double start,
                                   double step, long count);

struct AccelerationOptions {
    int theta_count =
        5;  ///< storage: at most as many signals per motion as a map of theta_count × phi_count directions
    int phi_count = 10;      ///< … with three radial terms has; the strongest harmonics are kept
    double pulse_scale = 0;  ///< h; 0: from pulse_scale(), at most 30 µs, so that 20 kHz are reached [s]
    double cell_size = 0;    ///< of the wave grid; 0: from the body's size and walls, and max_cells [m]
    double max_cells = 3e6;  ///< of the wave grid where cell_size is 0
    std::vector<double> recording_radii = {1.35,
                                           1.7};  ///< radii of the recording spheres in units of R, > 1, ascending
    double max_duration = 0;                      ///< 0: 160 times what sound needs to cross R, and at least 50 h [s]
    double decay_db = 50;                         ///< the wave solver stops when all has sunk by so much
    std::size_t memory_limit = 0;                 ///< [bytes]; 0: 80 % of what the machine has free
};

struct AccelerationBake {
    AccelerationNoise noise;
    WaveGridReport grid;
    double fit_residual = 0;            ///< part of the recorded pressure (L2) that no outgoing waves explain
    bool died_out = false;              ///< otherwise cut at max_duration
    double solve_seconds = 0;           ///< that the wave solver took, its set-up included …
    double fit_seconds = 0;             ///< … and the fit of the model to its record [s]
    std::vector<std::string> warnings;  ///< one sentence each: unresolved slots, sound that had not died out
};

/// One of the six motions, solved.
struct NoiseMotion {
    int motion = 0;           ///< 0 … 5
    NoiseField field = {};    ///< its strongest harmonics, even where the motion will be left out as silent
    double sample_step = 0;   ///< of the field [s]
    double far_energy = 0;    ///< ∫ p² dt, summed over harmonics, at four reference radii [Pa² s per unit²]
    double fit_residual = 0;  ///< part of the recorded pressure (L2) that no outgoing waves explain
    bool died_out = false;    ///< otherwise cut at max_duration …
    double residual_db = 0;   ///< … when it had sunk to this, ≤ 0
    double end_time = 0;      ///< of the record [s]
};

/// A bake that is stopped goes on where it was: `begun` holds the motions that an earlier one of the same inputs
/// finished, and `keep` is called with all that are finished, after each.
struct AccelerationResume {
    std::vector<NoiseMotion> begun = {};
    std::function<void(const std::vector<NoiseMotion>&)> keep = {};
};

/// Solves the wave equation around the body for one motion after the other, each until it has died out, and fits the
/// model. Seconds to minutes. Closed and thin-walled bodies and open sheets; a sheet has no volume and needs
/// pulse_scale. Throws for bad options and whatever WaveSolver throws; a solution that grows without bound never
/// becomes a model.
AccelerationBake bake_acceleration_noise(const Surface& surface, const MassProperties& body, const Material& material,
                                         const Air& air, const AccelerationOptions& options = {},
                                         const AccelerationResume& resume = {}, const Progress& progress = {});

/// Spectra of the response to an instantaneous change of velocity, band-limited: flat to 0.42 of the sample rate (or
/// 0.59/h, if that is lower), nothing at half of it. Read by add_click from any number of threads.
struct PreparedNoise {
    Vec3 centre = Vec3::Zero();
    Mat3 frame = Mat3::Identity();
    double reference_radius = 0;  ///< [m]
    double speed_of_sound = 0;    ///< [m/s]
    double sample_rate_hz = 0;
    long block_samples = 0;         ///< of one click, a power of two
    long lead_samples = 0;          ///< of the block before the contact's start
    std::vector<int> first_column;  ///< by degree l, and one past the last
    std::vector<int> motions;       ///< of each column
    std::vector<int> harmonics;     ///< of each column, l² + l + m
    Eigen::MatrixXf spectra;  ///< rows: real parts of all frequencies, then imaginary parts [Pa·s per m/s or rad/s]
    Eigen::MatrixXf steps;    ///< 1/ρ_l at the reference sphere, in the same layout, a column for each l ≥ 1
};
PreparedNoise prepare(const AccelerationNoise& noise, double sample_rate_hz);

/// What one contact does to one body, in the body's frame.
struct Click {
    double time = 0;      ///< of the contact's start [s]
    double duration = 0;  ///< τ; 0: instantaneous [s]
    PulseShape shape = PulseShape::Hertz;
    Vec3 velocity_change = Vec3::Zero();  ///< of the centre of mass [m/s]
    Vec3 spin_change = Vec3::Zero();      ///< [rad/s]
    Vec3 listener = Vec3::Zero();         ///< from the origin of the body's frame [m]
};

/// Adds the pressure at the listener over the time of emission, t − |listener − centre|/c: emitted[k] is at k/rate. It
/// begins before the contact does, by what sound needs from the centre to the surface and half a low-pass filter; what
/// falls outside `emitted` is lost. The samples of a click depend on nothing but the click. Allocates: not for the
/// audio thread.
void add_click(std::span<float> emitted, const PreparedNoise& noise, const Click& click);

/// The six motions as they are heard at one listener. Clicks that are heard from nearly the same place share it: nine
/// tenths of a click's cost for bodies with many harmonics.
struct DirectedNoise {
    Eigen::MatrixXf spectra;  ///< as in PreparedNoise, a column per motion
};
DirectedNoise toward(const PreparedNoise& noise, const Vec3& listener);

/// The same as above; the click's own listener is not read. `emitted` may be a part of the signal: its first sample is
/// at origin/sample_rate_hz.
void add_click(std::span<float> emitted, const PreparedNoise& noise, const DirectedNoise& directed, const Click& click,
               long origin = 0);

}  // namespace clangor
