// The inner loop: rows of modes that decay freely, their sum kept for each sample.
#pragma once

#include "registers.hpp"
#include "ringing.hpp"

namespace clangor::oscillator {

/// Start values and coefficients of one row in the precision of the loop.
template <class Real>
struct alignas(64) FreeRow {
    Real y[row_modes];            ///< Re(wζ)
    Real v[row_modes];            ///< Re(w(1 − E*)ζ)
    Real minus_kappa[row_modes];  ///< −|1 − E|²
    Real decay[row_modes];        ///< |E|²
};

/// `weights` is the row itself, or what its weights become.
template <class Real, class Weights>
inline void start_row(FreeRow<Real>& start, const ModeRow& row, const Weights& weights) noexcept {
    for (int m = 0; m < row_modes; ++m) {
        start.y[m] = Real(weights.weight_re[m] * row.zeta_re[m] - weights.weight_im[m] * row.zeta_im[m]);
        start.v[m] = Real(weights.slope_re[m] * row.zeta_re[m] - weights.slope_im[m] * row.zeta_im[m]);
        start.minus_kappa[m] = Real(row.minus_kappa[m]);
        start.decay[m] = Real(row.decay[m]);
    }
}

// Each mode's y = Re(wζ) obeys  v ← v − κy,  y ← ε²y + v  (docs/theory/oscillator.md, Eq. 9): two fused operations a
// sample, and the small κ ≈ θ² keeps its digits, where the two-tap form buries them in 2 − θ². `flight` registers of
// modes run at once to hide the latency of 8 cycles a sample. They are summed in order, so that the result does not
// depend on flight.
template <class Real, int flight>
inline void decay_lanes(const FreeRow<Real>* rows, int lane, int samples, Real (*sums)[row_modes]) noexcept {
    Register<Real> y[flight], v[flight], minus_kappa[flight], decay[flight];
#pragma GCC unroll 8
    for (int i = 0; i < flight; ++i) {
        y[i] = load(rows[i].y + lane);
        v[i] = load(rows[i].v + lane);
        minus_kappa[i] = load(rows[i].minus_kappa + lane);
        decay[i] = load(rows[i].decay + lane);
    }
    for (int k = 0; k < samples; ++k) {
        Register<Real> sum = load(sums[k] + lane);
#pragma GCC unroll 8
        for (int i = 0; i < flight; ++i) {
            sum += y[i];
            v[i] = fused(minus_kappa[i], y[i], v[i]);
            y[i] = fused(decay[i], y[i], v[i]);
        }
        store(sums[k] + lane, sum);
    }
}

/// The first `count` ≤ flight rows.
template <class Real, int flight>
inline void decay_rows(const FreeRow<Real>* rows, int count, int samples, Real (*sums)[row_modes]) noexcept {
    if constexpr (flight > 1) {
        if (count < flight) return decay_rows<Real, flight - 1>(rows, count, samples, sums);
    }
    for (int lane = 0; lane < row_modes; lane += register_lanes<Real>) {
        decay_lanes<Real, flight>(rows, lane, samples, sums);
    }
}

}  // namespace clangor::oscillator
