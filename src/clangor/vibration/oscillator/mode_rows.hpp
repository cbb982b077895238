// Modes laid out in rows, for vector registers: what a block of samples needs of them, and what a contact needs.
#pragma once

#include "pulse_moments.hpp"

#include <clangor/vibration/oscillator/oscillator.hpp>

namespace clangor::oscillator {

inline constexpr int block_samples = Resonators::block_samples;

/// Modes are padded to rows of so many, whatever the register width: the order of summation, and with it every bit of
/// the result, is then the same on all machines that have fused multiply-adds.
inline constexpr int row_modes = 16;

/// The state of 16 modes and how it moves, read and written once a block. Padding modes are all zero: they rest.
struct alignas(64) ModeRow {
    double zeta_re[row_modes] = {};  ///< ζ at the first sample of the next block
    double zeta_im[row_modes] = {};
    double quiet_sq[row_modes] = {};  ///< |ζ|² below which a mode is put to rest
    double block_re[row_modes] = {};  ///< e^{λBh}, B = block_samples
    double block_im[row_modes] = {};
    double weight_re[row_modes] = {};  ///< w: the output is y = Re(wζ)
    double weight_im[row_modes] = {};
    double slope_re[row_modes] = {};  ///< w(1 − E*): the second value that starts a block, v = Re(w(1 − E*)ζ)
    double slope_im[row_modes] = {};
    double minus_kappa[row_modes] = {};  ///< −κ = −|1 − E|²
    double decay[row_modes] = {};        ///< ε² = |E|²
};

/// How a contact moves the same 16 modes, read only while there is one.
struct alignas(64) ContactRow {
    double step_re[row_modes] = {};  ///< E = e^{λh}
    double step_im[row_modes] = {};
    double kick_re[moment_count][row_modes] = {};  ///< Legendre coefficients of e^{λ(h−s)}/ω_d over 0 < s < h
    double kick_im[moment_count][row_modes] = {};
    double largest_kick[row_modes] = {};  ///< 1/ω_d: no unit impulse throws ζ further
};

struct ModeRows {
    std::vector<ModeRow> modes;
    std::vector<ContactRow> contacts;
};

ModeRows mode_rows(const OscillatorBank& bank, const Eigen::VectorXcd& weights);

}  // namespace clangor::oscillator
