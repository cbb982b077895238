// The strengths of known tones in a recording.
#pragma once

#include <clangor/core/core.hpp>

#include <complex>

namespace clangor::modal_transfer {

/// A window must last so many times 1/Δf to tell tones Δf apart; then the condition of the fit is below 2 however many
/// they are.
constexpr double window_spacings = 1.5;

/// Least squares of a cos ωt + b sin ωt over all tones, weighted by Hann's window: what is no tone, the last of the
/// onset and of a resonance that rings on at its own pitch, is heard 1/Δ³ less at Δ windows' widths beside a tone.
/// docs/theory/transfer-chords.md, Eq. 5
class Demodulator {
public:
    /// Samples at start + step·n, n < count.
    Demodulator(const Eigen::VectorXd& omega, double start, double step, long count);

    /// p̂ = a − ib, the factor of e^{+iωt}: points × tones, from samples × points.
    Eigen::MatrixXcd operator()(const Eigen::Ref<const Eigen::MatrixXf>& samples) const;

    double condition() const;  ///< of the least squares problem, in the 2-norm

private:
    Eigen::MatrixXd inverse_;   ///< 2 tones × samples: a, then b
    Eigen::MatrixXd triangle_;  ///< R of the problem's QR
};

}  // namespace clangor::modal_transfer
