/// @file oscillator.hpp — modes made to ring: contact forces in, a weighted sum of modal coordinates out.
/// Model     q̈ + 2ξω q̇ + ω² q = g(t);  ζ̇ = λζ + g/ω_d,  λ = −ξω + iω_d,  q = Im ζ     docs/theory/oscillator.md
/// In        frequencies and damping ratios, impulses, and one complex weight per mode.
/// Out       samples of Σ Re(w ζ): exact for any frequency below Nyquist, any start between samples, any pulse length.
/// Not here  mode shapes (modal), sound pressure (radiation).
///
///     const OscillatorBank bank{.omega = modes.omega, .xi = xi, .sample_rate_hz = 48000};
///     const ModalImpulse strike{.start = 0.1, .duration = 2e-4, .impulse = modes.shapes.transpose() * impulse};
///     const std::vector<float> pressure = ring(bank, std::array{strike}, weights, 48000);
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/motion/contact/contact.hpp>

#include <memory>
#include <span>
#include <vector>

namespace clangor {

/// Damped oscillators of unit (modal) mass, one per mode. Callers leave out modes with ξ ≥ 1 and those at or above
/// half the sample rate.
struct OscillatorBank {
    Eigen::VectorXd omega;          ///< undamped angular frequencies, in (0, π·sample_rate_hz) [rad/s]
    Eigen::VectorXd xi;             ///< fractions of critical damping, in [0, 1)
    double sample_rate_hz = 48000;  ///< sample k is taken at t = k/sample_rate_hz
};

/// λ = −ξω + iω_d, one per mode [1/s]. With it the weights −i, −iλ and −iλ² make q, q̇ and q̈ − g of a mode.
Eigen::VectorXcd poles(const OscillatorBank& bank);

/// How the force of a contact follows from what it moves.
struct GivingWay {
    double stiffness = 0;        ///< k of F = k δ^{3/2}, δ the approach of the bodies [N m^-3/2]
    double inverse_mass = 0;     ///< of both as rigid bodies: how fast they close per force [1/kg]
    double energy = 0;           ///< that the bodies' closing has to give, this pulse's part [J]
    ForceHistory force = {};     ///< along the normal, with modes that ring by themselves
    Eigen::VectorXd shape = {};  ///< how far each mode's unit coordinate moves the place along it [kg^-1/2]
    Eigen::VectorXd drive = {};  ///< what a unit of it drives: with friction, if there is any [kg^-1/2]
};

/// One contact, seen by the modes of one body. Where it is instantaneous, ζ is taken before the jump, as for a pulse.
struct ModalImpulse {
    double start = 0;     ///< at any time, also between samples or before 0 [s]
    double duration = 0;  ///< 0: an instantaneous impulse [s]
    PulseShape shape = PulseShape::Hertz;
    Eigen::VectorXd impulse;  ///< uᵀJ, one per mode [N·s·kg^-1/2]
    /// For motion that is not that of modes by themselves, in place of all that is said above. None: the force is as
    /// given, whatever gives way.
    std::shared_ptr<const GivingWay> giving = {};
};

/// out[k] = Σ_m Re(w_m ζ_m(k/rate)) for 0 ≤ k < samples, from rest. Strikes come in any order; those after the end do
/// nothing, those before 0 still ring at 0. Error below 2e-5 of the peak up to 0.42 of the sample rate, 3e-4 just under
/// Nyquist. Single-threaded: run bodies in parallel.
std::vector<float> ring(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                        const Eigen::VectorXcd& weights, long samples);

/// The same in double throughout: error below 1e-12 of the peak over 10 s, at 0.6 of the speed.
std::vector<double> ring_reference(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                                   const Eigen::VectorXcd& weights, long samples);

/// Weights from a sample on. Between two of these they are linear; before the first and after the last they are
/// constant.
struct WeightKnot {
    long sample = 0;  ///< a multiple of Resonators::block_samples, 0 or more
    Eigen::VectorXcd weights;
};

/// Damping from a sample on, up to the next of these.
struct DampingKnot {
    long sample = 0;             ///< a multiple of Resonators::block_samples, 0 or more
    Eigen::VectorXd xi;          ///< in [0, 1)
    Eigen::VectorXd pitch = {};  ///< frequencies over those of the bank; empty: 1
};

/// The same with what changes while the modes ring: the weights of a source that moves past a listener, the damping of
/// one that comes to rest on another. At least one knot of weights; samples ascend strictly. With one knot and no
/// change of damping the samples are those of the ring above.
std::vector<float> ring(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                        std::span<const WeightKnot> weights, std::span<const DampingKnot> damping, long samples);
std::vector<double> ring_reference(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                                   std::span<const WeightKnot> weights, std::span<const DampingKnot> damping,
                                   long samples);

/// What the contacts press the modes to, while they last: Σ_m −Im(w_m) g_m/ω_m², the part of ring that follows the
/// force instead of ringing. Pulses are averaged over the sample interval, so that they add up to their impulse even
/// where they are shorter than
/// one  (docs/theory/oscillator.md, Eq. 15). Added to out, whose first sample is `first`; only the contacts that reach
///      into it matter.
void add_static_deflection(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                           std::span<const WeightKnot> weights, long first, std::span<float> out);

/// The banks that a body's changes of damping lead to. Making one takes as long as ringing for some ten blocks: signals
/// of the same body (one per listener) share them. Threads may share it.
class DampedBanks {
public:
    /// The knots outlive it.
    DampedBanks(const OscillatorBank& bank, std::span<const DampingKnot> damping);
    ~DampedBanks();

    struct Impl;
    const Impl& impl() const { return *impl_; }

private:
    std::unique_ptr<Impl> impl_;
};

/// The signal of the ring above, piece by piece: for one that is too long to be in memory at once. The samples are the
/// same, however it is cut.
class RingingSignal {
public:
    enum class Precision { Float, Double };  ///< as ring, or as ring_reference

    /// The impulses and the damping outlive it.
    RingingSignal(const OscillatorBank& bank, std::span<const ModalImpulse> impulses,
                  std::span<const DampingKnot> damping, long samples, Precision precision = Precision::Float);
    /// The same, with banks that other signals of the body share.
    RingingSignal(std::shared_ptr<const DampedBanks> banks, std::span<const ModalImpulse> impulses, long samples,
                  Precision precision = Precision::Float);
    ~RingingSignal();
    RingingSignal(RingingSignal&&) noexcept;
    RingingSignal& operator=(RingingSignal&&) noexcept;

    /// Fills `out` with the next samples: a multiple of Resonators::block_samples, or all that are left. Of all knots,
    /// `weights` holds at least those from the last one at or before the first of these samples to the first one at or
    /// after their end.
    void next(std::span<const WeightKnot> weights, std::span<float> out);

    /// Nothing rings, and nothing is going to.
    bool over() const;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Modes that ring block by block, for the audio thread. Its construction allocates; strike and render_block do not.
class Resonators {
public:
    /// At most max_pulses contacts are under way or waiting at a time.
    Resonators(const OscillatorBank& bank, const Eigen::VectorXcd& weights, int max_pulses = 16);
    ~Resonators();
    Resonators(Resonators&&) noexcept;
    Resonators& operator=(Resonators&&) noexcept;

    /// A contact that starts `delay` ≥ 0 seconds after the sample that render_block makes next. impulse as in
    /// ModalImpulse, read before this returns. False, and no contact, where max_pulses are there already.
    bool strike(double delay, double duration, PulseShape shape, std::span<const double> impulse) noexcept;

    /// Adds the next out.size() samples to out. Any size; multiples of block_samples are fastest, and then the samples
    /// do not depend on how they are grouped into calls (otherwise they do in the last bits of a float).
    void render_block(std::span<float> out) noexcept;

    /// Nothing rings and nothing waits: every mode has decayed to 1e-12 of what struck it.
    bool silent() const noexcept;

    static constexpr int block_samples = 64;

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// What the force does between samples.
enum class Hold {
    Impulse,   ///< g_k/rate is an instantaneous impulse at sample k. Exact ringing, wrong static deflection
    Constant,  ///< g(t) = g_k from sample k to k+1
    Linear,    ///< g(t) is linear between samples
};

/// q_k = a1 q_{k−1} + a2 q_{k−2} + b0 g_k + b1 g_{k−1} + b2 g_{k−2}: one oscillator, exact for such a force.
struct Recurrence {
    double a1 = 0;
    double a2 = 0;
    double b0 = 0;  ///< [s²], as b1 and b2
    double b1 = 0;
    double b2 = 0;
};

/// For ω [rad/s], 0 ≤ ξ < 1 and any step h > 0 [s]; full precision also where ωh is tiny.
Recurrence recurrence(double omega, double xi, double step, Hold hold);

}  // namespace clangor
