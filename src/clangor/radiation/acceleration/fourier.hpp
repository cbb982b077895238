// Fourier transforms of real signals whose length is a power of two.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace clangor::detail {

/// Keeps the twiddle factors; both transforms are const, so that threads share one plan. 256 samples take about a
/// microsecond in float.
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

}  // namespace clangor::detail
