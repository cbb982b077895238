// The sound of a vibrating sphere in closed form.
#pragma once

#include <clangor/core/core.hpp>

#include <complex>

namespace clangor::validation {

/// h_n(z) of the second kind and its derivative.
struct Hankel {
    std::complex<double> value, slope;
};
Hankel hankel(int n, double z);

/// P_n(x).
double legendre(int n, double x);

/// Pressure at r of a sphere of radius a whose surface moves outward by P_n(cos θ) e^{iωt}, over P_n: ρ0 c ω
/// h_n(kr)/h_n′(ka) [Pa/m].
std::complex<double> sphere_pressure(int n, double a, double r, double omega, const Air& air);

}  // namespace clangor::validation
