/// @file signal.hpp — sampled signals: reading between the samples, peaks that lie there, filters, and spectra.
/// Model     a band-limited signal is known between its samples: x(t) = Σ x_k sinc(t − k), windowed
///           docs/theory/listening.md
/// Out       signals at other times, peaks between samples, spectra.
/// Not here  what the samples mean (listening), files (io).
///
///     const std::vector<float> later = read_between(emitted, positions);
#pragma once

#include <clangor/core/core.hpp>

#include <complex>
#include <span>
#include <vector>

namespace clangor {

/// out[i] = the signal at `positions[i]`, in samples from its first; zero outside it. Pass-band to 0.42 of the sample
/// rate (20 kHz at 48 kHz): amplitude error and spurious components below −90 dB. Positions may run at any pace near 1;
/// where they run faster than 1, what lies above half the new rate folds down (a Doppler shift of 10 % moves the band's
/// edge by as much).
std::vector<float> read_between(std::span<const float> signal, std::span<const double> positions);

/// A value depends on the samples less than this far from its position.
inline constexpr int read_between_reach = 32;

/// Adds an impulse at a position between samples, band-limited: what read_between reads it from. Samples sum up to
/// `amount`, and their spectrum is that of the impulse to 0.42 of the sample rate. What falls outside is lost.
void add_between(std::span<double> signal, double position, double amount);

/// out[i] = the largest magnitude of the band-limited signal from half a sample before sample i to half a sample after
/// it, by 4-fold oversampling [ITU1770] and a parabola through each maximum. A tone at 0.42 of the sample rate reads
/// 0.04 dB low at worst (without the parabola: 0.5 dB), one at a quarter of it 0.005 dB.
std::vector<float> peaks_between(std::span<const float> signal);

/// The largest magnitude of the band-limited signal, also between its samples: the largest of peaks_between.
double true_peak(std::span<const float> signal);

/// Takes off what lies below a frequency in (0, rate/2), in place: a Butterworth filter of second order, −3 dB there
/// and 12 dB per octave below. Causal, and piece by piece: the samples do not depend on how they are cut. The audio
/// thread may call it.
class HighPass {
public:
    HighPass(double hz, double rate_hz);
    void operator()(std::span<float> samples) noexcept;

    /// From silence nothing but silence comes.
    bool silent() const noexcept { return s1_ == 0 && s2_ == 0; }

private:
    double b0_, b1_, b2_, a1_, a2_;
    double s1_ = 0, s2_ = 0;
};

/// The signal with every cosine made a sine (Hilbert's transform), within 0.01 dB from `lowest_hz` up to as far below
/// half the sample rate: with it, x + i·quadrature is the analytic signal of x. Threads may share one.
class Quadrature {
public:
    Quadrature(double lowest_hz, double rate_hz);
    long reach() const { return reach_; }  ///< a value depends on so many samples before and after it

    /// out[k] belongs to in[k + reach]; `in` has 2·reach samples more than `out`. The samples do not depend on how the
    /// signal is cut.
    void operator()(std::span<const float> in, std::span<float> out) const;

private:
    long reach_;
    std::vector<double> kernel_;  ///< of the odd distances
};

/// Fourier transforms of real signals whose length is a power of two. Keeps the twiddle factors; both transforms are
/// const, so that threads share one plan. 256 samples take about a microsecond in float.
template <class Scalar>
class RealFourier {
public:
    using Complex = std::complex<Scalar>;

    explicit RealFourier(long size);  ///< a power of two, at least 4

    long size() const { return 2 * half_; }
    long bins() const { return half_ + 1; }  ///< from 0 to half the sample rate

    /// X_j = Σ_k x_k e^{−2πijk/n}, j = 0 … n/2.
    void forward(std::span<const Scalar> samples, std::span<Complex> spectrum) const;

    /// x_k = Σ_j X_j e^{+2πijk/n} over all n bins of a conjugate-symmetric spectrum (no factor 1/n).
    void inverse(std::span<const Complex> spectrum, std::span<Scalar> samples) const;

private:
    void transform(Complex* data, Complex* scratch, Scalar sign) const;

    long half_;
    std::vector<Complex> roots_;  ///< e^{−2πij/n}, j < n/2
};

extern template class RealFourier<float>;
extern template class RealFourier<double>;

/// The smallest power of two that is ≥ count (and ≥ 4).
long power_of_two(double count);

}  // namespace clangor
