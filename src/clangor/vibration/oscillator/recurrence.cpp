#include <clangor/vibration/oscillator/oscillator.hpp>

#include <cmath>
#include <complex>

namespace clangor {

namespace {

using Complex = std::complex<double>;

// φ₁(z) = (e^z − 1)/z and φ₂(z) = (e^z − 1 − z)/z² lose all their digits as z → 0, so that for |z| < 1 they are
// summed: φ_k(z) = Σ z^n/(n+k)!. Twenty terms leave 1/21! = 2e-20.
Complex phi(int k, Complex z) {
    if (std::abs(z) >= 1) return k == 1 ? (std::exp(z) - 1.0) / z : (std::exp(z) - 1.0 - z) / (z * z);
    Complex sum = 1;
    for (int n = 20; n >= 1; --n) sum = 1.0 + sum * z / double(n + k);
    return sum / (k == 1 ? 1.0 : 2.0);
}

}  // namespace

// Over one step  ζ_k = Eζ_{k−1} + A g_{k−1} + B g_k  with E = e^z, z = λh; the two-tap form is the imaginary part of
// (1 − E*z⁻¹)(B + Az⁻¹)/(…)                                                   (docs/theory/oscillator.md, Eqs. 5–7)
Recurrence recurrence(double omega, double xi, double step, Hold hold) {
    CLANGOR_ASSERT(omega > 0 && step > 0, "an oscillator has a positive frequency and step");
    CLANGOR_ASSERT(0 <= xi && xi < 1, "overdamped modes are dropped before they come here");
    const double omega_d = omega * std::sqrt((1 - xi) * (1 + xi));
    const Complex z(-xi * omega * step, omega_d * step);
    const Complex E = std::exp(z);
    const double scale = step / omega_d;
    const Complex A = scale * (hold == Hold::Impulse ? E : hold == Hold::Constant ? phi(1, z) : phi(1, z) - phi(2, z));
    const Complex B = hold == Hold::Linear ? scale * phi(2, z) : 0.0;
    return {.a1 = 2 * E.real(),
            .a2 = -std::exp(2 * z.real()),
            .b0 = B.imag(),
            .b1 = A.imag() - (std::conj(E) * B).imag(),
            .b2 = hold == Hold::Impulse ? 0 : -(std::conj(E) * A).imag()};
}

}  // namespace clangor
