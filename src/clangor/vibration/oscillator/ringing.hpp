// Modes in motion, block by block. A block has two parts: what decays freely from its first sample on, vectorised over
// modes in float or double, and what the contacts in this block add, in double (docs/theory/oscillator.md, section 5).
#pragma once

#include "mode_rows.hpp"

#include <span>
#include <vector>

namespace clangor::oscillator {

/// A contact under way or waiting. Times in samples from the beginning of the next block; it starts at first + offset.
struct Pulse {
    long first = 0;
    double offset = 0;  ///< in [0, 1)
    double duration = 0;
    PulseShape shape = PulseShape::Hertz;
    long slot = 0;           ///< where its modal impulses and moments are kept
    int begin = 0, end = 0;  ///< the intervals [begin, end) of this block in which it acts
};

/// What the weights of 16 modes become by the end of a block.
struct alignas(64) WeightRow {
    double weight_re[row_modes] = {};
    double weight_im[row_modes] = {};
    double slope_re[row_modes] = {};
    double slope_im[row_modes] = {};
};

/// Everything is allocated by at_rest; the other functions allocate nothing.
struct Ringing {
    ModeRows rows;
    std::vector<WeightRow> next;  ///< while the weights move: those at the end of the block. Otherwise empty
    double quiet = 0;             ///< a mode rests below this part of the largest impulse that struck it
    std::vector<long> loud;       ///< rows in which a mode is not at rest, ascending
    std::vector<Pulse> pulses;
    std::vector<long> free_slots;
    Eigen::ArrayXXd impulses;      ///< one column per slot, one row per mode, padded
    std::vector<Moments> moments;  ///< of this block: [slot][interval]
};

Ringing at_rest(const OscillatorBank& bank, const Eigen::VectorXcd& weights, int max_pulses, double quiet);

/// False where no slot is free.
bool strike(Ringing& ringing, Pulse pulse, std::span<const double> impulse) noexcept;

/// How many samples one call of render may make: one block while there are contacts, otherwise a few of them.
inline constexpr int stretch_samples = 4 * block_samples;
int samples_at_once(const Ringing& ringing) noexcept;

/// Adds the next out.size() ≤ samples_at_once samples to out. Real is float or double.
template <class Real>
void render(Ringing& ringing, std::span<Real> out) noexcept;

/// The weights of the next blocks, constant.
void hold_weights(Ringing& ringing, const Eigen::VectorXcd& weights);

/// The weights at the beginning and at the end of the next block, linear in between; for one call of render, of at most
/// one block.
void move_weights(Ringing& ringing, const Eigen::VectorXcd& begin, const Eigen::VectorXcd& end);

/// Another bank of as many modes takes over: what rings rings on with its frequencies and damping. Its weights follow.
void change_bank(Ringing& ringing, const ModeRows& bank);

/// ζ ← ζ e^{λt}, unheard. Not while there are contacts.
void decay_unheard(Ringing& ringing, const Eigen::VectorXcd& lambda, double time) noexcept;

/// Sums over rows of modes, not yet over the modes of a row: what one call of render adds up.
template <class Real, int samples>
struct alignas(64) Sums {
    Real at[samples][row_modes] = {};
};
using ContactSums = Sums<double, block_samples>;

/// What the contacts of this block add to its samples; adds to ζ what they leave at its end. Call it when ζ has been
/// moved to the end of the block. False where there is no contact in this block.
bool add_contacts(Ringing& ringing, int samples, ContactSums& sums) noexcept;

}  // namespace clangor::oscillator
