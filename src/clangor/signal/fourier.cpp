// Stockham's radix-2 transform of half the length: it needs no bit reversal and its inner loops run over contiguous
// memory.
#include <clangor/signal/signal.hpp>

#include <cmath>
#include <utility>

namespace clangor {

long power_of_two(double count) {
    long size = 4;
    while (static_cast<double>(size) < count) size *= 2;
    return size;
}

template <class Scalar>
RealFourier<Scalar>::RealFourier(long size) : half_(size / 2), roots_(size / 2) {
    CLANGOR_ASSERT(size >= 4 && (size & (size - 1)) == 0, "a power of two");
    for (long j = 0; j < half_; ++j) {
        const double angle = -2 * pi * static_cast<double>(j) / static_cast<double>(size);
        roots_[j] = Complex(Scalar(std::cos(angle)), Scalar(std::sin(angle)));
    }
}

// Of half_ complex values in `data`; the result is there again. `sign` +1: e^{−…}, −1: e^{+…}.
template <class Scalar>
void RealFourier<Scalar>::transform(Complex* data, Complex* scratch, Scalar sign) const {
    Complex *from = data, *to = scratch;
    for (long stride = 1; stride < half_; stride *= 2) {
        const long groups = half_ / (2 * stride);
        for (long g = 0; g < groups; ++g) {
            const Complex root = roots_[2 * g * stride];
            const Scalar wr = root.real(), wi = sign * root.imag();
            const Complex* a = from + g * stride;
            const Complex* b = a + half_ / 2;
            Complex* out = to + 2 * g * stride;
            for (long k = 0; k < stride; ++k) {
                const Scalar dr = a[k].real() - b[k].real(), di = a[k].imag() - b[k].imag();
                out[k] = Complex(a[k].real() + b[k].real(), a[k].imag() + b[k].imag());
                out[k + stride] = Complex(dr * wr - di * wi, dr * wi + di * wr);
            }
        }
        std::swap(from, to);
    }
    if (from != data) std::copy(from, from + half_, data);
}

// The even samples are the real parts and the odd ones the imaginary parts of a complex signal z of half the length:
//     X_j = E_j + e^{−2πij/n} O_j,   E_j = (Z_j + Z*_{−j})/2,   O_j = (Z_j − Z*_{−j})/2i
template <class Scalar>
void RealFourier<Scalar>::forward(std::span<const Scalar> samples, std::span<Complex> spectrum) const {
    std::vector<Complex> z(2 * half_);
    for (long k = 0; k < half_; ++k) {
        z[k] = Complex(samples[2 * k], samples[2 * k + 1]);
    }
    transform(z.data(), z.data() + half_, Scalar(1));
    for (long j = 0; j <= half_; ++j) {
        const Complex a = z[j % half_];
        const Complex b = std::conj(z[(half_ - j) % half_]);
        const Complex even = (a + b) * Scalar(0.5), twice_odd = a - b;
        const Complex odd(twice_odd.imag() * Scalar(0.5), -twice_odd.real() * Scalar(0.5));
        const Complex root = j < half_ ? roots_[j] : Complex(-1, 0);
        spectrum[j] = Complex(even.real() + root.real() * odd.real() - root.imag() * odd.imag(),
                              even.imag() + root.real() * odd.imag() + root.imag() * odd.real());
    }
}

template <class Scalar>
void RealFourier<Scalar>::inverse(std::span<const Complex> spectrum, std::span<Scalar> samples) const {
    std::vector<Complex> z(2 * half_);
    for (long j = 0; j < half_; ++j) {
        const Complex a = spectrum[j];
        const Complex b = std::conj(spectrum[half_ - j]);
        const Complex even = a + b, d = a - b, root = std::conj(roots_[j]);
        const Complex odd(root.real() * d.real() - root.imag() * d.imag(),
                          root.real() * d.imag() + root.imag() * d.real());
        z[j] = Complex(even.real() - odd.imag(), even.imag() + odd.real());
    }
    transform(z.data(), z.data() + half_, Scalar(-1));
    for (long k = 0; k < half_; ++k) {
        samples[2 * k] = z[k].real();
        samples[2 * k + 1] = z[k].imag();
    }
}

template class RealFourier<float>;
template class RealFourier<double>;

}  // namespace clangor
