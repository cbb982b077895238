#include "mode_rows.hpp"

#include <cmath>
#include <complex>

namespace clangor {

namespace {

using Complex = std::complex<double>;
using LongComplex = std::complex<long double>;

// λ in extended precision: a block turns a 20 kHz mode by 168 rad, and rounding that to double would leave it 1e-10 out
// of phase after 10 s.
LongComplex pole(double omega, double xi) {
    const long double w = omega, x = xi;
    return {-x * w, w * std::sqrt((1 - x) * (1 + x))};
}

Complex narrow(LongComplex z) { return {double(z.real()), double(z.imag())}; }

// i_n(u) = u^n/(2n+1)!! · Σ_k (u²/2)^k / (k! (2n+3)(2n+5)…(2n+2k+1)), the modified spherical Bessel function
// [DLMF, Eq. 10.53.3]. For |u| < π/2 the terms fall from the first on, so that nothing cancels; 16 leave 1e-18.
Complex spherical_bessel_i(int n, Complex u) {
    Complex tail = 1;
    for (int k = 16; k >= 1; --k) tail = 1.0 + tail * (u * u / 2.0) / double(k * (2 * n + 2 * k + 1));
    for (int j = 1; j <= n; ++j) tail *= u / double(2 * j + 1);
    return tail;
}

void put(double* re, double* im, int lane, Complex value) {
    re[lane] = value.real();
    im[lane] = value.imag();
}

void fill_mode(oscillator::ModeRow& row, int lane, LongComplex z, Complex weight) {
    const LongComplex E = std::exp(z);
    put(row.block_re, row.block_im, lane, narrow(std::exp(z * (long double)(oscillator::block_samples))));
    put(row.weight_re, row.weight_im, lane, weight);
    put(row.slope_re, row.slope_im, lane, weight * narrow(1.0L - std::conj(E)));
    row.minus_kappa[lane] = -double(std::norm(1.0L - E));
    row.decay[lane] = double(std::norm(E));
}

void fill_contact(oscillator::ContactRow& row, int lane, LongComplex z, double largest_kick) {
    put(row.step_re, row.step_im, lane, narrow(std::exp(z)));
    row.largest_kick[lane] = largest_kick;
    // e^{z(1−x)/2} = e^{z/2} Σ_n (2n+1) (−1)^n i_n(z/2) P_n(x)   (docs/theory/oscillator.md, Eq. 12)
    const Complex half = narrow(z) / 2.0;
    for (int n = 0; n < oscillator::moment_count; ++n) {
        const double sign = n % 2 == 0 ? 1 : -1;
        const Complex kick = largest_kick * sign * double(2 * n + 1) * std::exp(half) * spherical_bessel_i(n, half);
        put(row.kick_re[n], row.kick_im[n], lane, kick);
    }
}

}  // namespace

Eigen::VectorXcd poles(const OscillatorBank& bank) {
    return bank.omega.binaryExpr(bank.xi, [](double omega, double xi) { return narrow(pole(omega, xi)); });
}

oscillator::ModeRows oscillator::mode_rows(const OscillatorBank& bank, const Eigen::VectorXcd& weights) {
    const long count = bank.omega.size();
    CLANGOR_ASSERT(bank.xi.size() == count && weights.size() == count, "one damping ratio and one weight per mode");
    const size_t rows = size_t(count + row_modes - 1) / row_modes;
    ModeRows made{.modes = std::vector<ModeRow>(rows), .contacts = std::vector<ContactRow>(rows)};
    for (long m = 0; m < count; ++m) {
        CLANGOR_ASSERT(0 <= bank.xi[m] && bank.xi[m] < 1, "overdamped modes are dropped before they come here");
        CLANGOR_ASSERT(0 < bank.omega[m] && bank.omega[m] < pi * bank.sample_rate_hz, "modes lie below Nyquist");
        const LongComplex lambda = pole(bank.omega[m], bank.xi[m]);
        const LongComplex z = lambda / (long double)(bank.sample_rate_hz);
        const int lane = int(m % row_modes);
        fill_mode(made.modes[size_t(m / row_modes)], lane, z, weights[m]);
        fill_contact(made.contacts[size_t(m / row_modes)], lane, z, double(1 / lambda.imag()));
    }
    return made;
}

}  // namespace clangor
