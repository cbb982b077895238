#include <clangor/radiation/spherical/spherical.hpp>

namespace clangor {

// h_l(z) = i^{l+1} (e^{−iz}/z) B_l(z) with B_0 = 1, B_1 = 1 + 1/(iz), B_{l+1} = B_{l−1} + (2l+1)/(iz) B_l. B_l alone
// overflows (as z^{−l}), the quotients ρ_l = B_l/B_{l−1} do not:  ρ_{l+1} = 1/ρ_l + (2l+1)/(iz)
// docs/theory/acceleration-noise.md, Eq. 6
std::vector<std::complex<double>> outgoing_ratios(int degree, double z, double z0) {
    using Complex = std::complex<double>;
    std::vector<Complex> ratios(degree + 1);
    Complex ratio = z0 / z, rho = 0, rho0 = 0;
    for (int l = 0; l <= degree; ++l) {
        if (l == 1) rho = Complex(1, -1 / z), rho0 = Complex(1, -1 / z0);
        if (l > 1) {
            rho = 1.0 / rho + Complex(0, -(2 * l - 1) / z);
            rho0 = 1.0 / rho0 + Complex(0, -(2 * l - 1) / z0);
        }
        if (l > 0) ratio *= rho / rho0;
        ratios[l] = ratio;
    }
    return ratios;
}

}  // namespace clangor
