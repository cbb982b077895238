// How an outgoing wave of one degree changes on its way.
#pragma once

#include <complex>
#include <vector>

namespace clangor::detail {

/// h_l(kr)e^{ikr} / (h_l(kr₀)e^{ikr₀}) for l = 0 … degree, with z = kr and z₀ = kr₀ > 0: what is left of the wave at r, over the
/// time of emission. 1 for l = 0 but for the factor r₀/r, (r₀/r)^{l+1} where z → 0; never above r₀/r outside r₀.
std::vector<std::complex<double>> outgoing_ratios(int degree, double z, double z0);

}  // namespace clangor::detail
