// Frequencies of free plates and shells that other means than elements have found. Internal to validation.
#pragma once

#include <clangor/material/material.hpp>

#include <array>
#include <vector>

namespace clangor::validation {

/// The first ten, twins one after the other.
using TenModes = std::array<double, 10>;

struct ExactPlate {
    double poisson;
    TenModes lambda;  ///< λ = ωa²√(ρh/D), a the side of a square or the radius of a disc
};

/// Free square plates: Kirchhoff's energy over 24×24 Legendre polynomials, converged to 5e-8. For ν = 0.3 as in
/// [Leissa1969].
inline const std::array<ExactPlate, 3> free_squares{
    {{0,
      {15.822631, 22.373285, 22.373285, 38.694305, 38.694305, 61.672823, 61.672823, 70.427569, 77.224814, 77.562511}},
     {0.3,
      {13.468197, 19.596137, 24.270201, 34.800891, 34.800891, 61.093234, 61.093234, 63.686133, 69.265405, 77.171700}},
     {0.45,
      {12.024071, 17.764670, 24.844553, 31.929163, 31.929163, 59.097696, 60.086846, 60.086846, 63.551340, 75.819235}}}};

/// Free circular plates: roots of the determinant of J_n and I_n for M_r = V_r = 0. Those of n > 0 are double.
inline const std::array<ExactPlate, 3> free_discs{{{0,
                                                    {6.1530406, 6.1530406, 8.2439258, 13.9561216, 13.9561216,
                                                     20.0597381, 20.0597381, 24.1243254, 24.1243254, 35.4417421}},
                                                   {0.3,
                                                    {5.3583298, 5.3583298, 9.0031374, 12.4389882, 12.4389882,
                                                     20.4745501, 20.4745501, 21.8351627, 21.8351627, 33.4949316}},
                                                   {0.45,
                                                    {4.8380597, 4.8380597, 9.3168882, 11.3625342, 11.3625342,
                                                     20.1083392, 20.1083392, 20.6623842, 20.6623842, 31.0342033}}}};

// Three-dimensional elasticity, E = 200 GPa, ν = 0.3, ρ = 7800 kg/m³: displacements as Legendre polynomials along the
// meridian and across the wall, a Fourier order around. All are double.

/// R = L = 0.1 m, a wall of 1 mm, converged to 2e-6 [Hz].
inline const TenModes free_cylinder_hz{64.9777,  64.9777,  117.4131, 117.4131, 183.7721,
                                       183.7721, 292.6470, 292.6470, 352.3228, 352.3228};
/// R = 0.1 m, a wall of 2 mm, converged to 1e-5 [Hz].
inline const TenModes free_hemisphere_hz{204.211,  204.211,  553.824,  553.824, 1032.243,
                                         1032.243, 1619.254, 1619.254, 2300.65, 2300.65};
/// Up to 60° from the pole, R = 0.1 m, a wall of 1 mm, converged to 1e-5 [Hz].
inline const TenModes free_cap_hz{158.835, 158.835, 405.080, 405.080, 741.521,
                                  741.521, 1158.49, 1158.49, 1647.88, 1647.88};

/// A periodic motion of von Kármán's plate or Marguerre's cap with a free edge, ν = 0.3, by harmonic balance of many
/// modes: first harmonic of the mode and turning point, where the mode moves farthest, in thicknesses; ω/ω_lin.
struct BackbonePoint {
    double harmonic, turning, ratio;
};

/// First mode of a square, converged to 6e-7.
inline const std::vector<BackbonePoint> free_square_backbone{
    {0.25, 0.250174535, 1.00362078}, {0.5, 0.50138777, 1.01439877}, {0.75, 0.754639831, 1.03208718},
    {1.0, 1.01087448, 1.05629468},   {1.25, 1.2710297, 1.08651228}, {1.5, 1.53658743, 1.12214457},
    {2.0, 2.07705246, 1.2070545}};

/// Mode (2,0) of a disc, converged to 1e-7.
inline const std::vector<BackbonePoint> free_disc_backbone{
    {0.25, 0.250190987, 1.00986111}, {0.5, 0.501450368, 1.03896917}, {0.75, 0.754505421, 1.08598962},
    {1.0, 1.00957343, 1.14897129},   {1.5, 1.53082203, 1.31379271},  {2.0, 2.04291826, 1.51629898},
    {2.5, 2.55683484, 1.74332116}};

/// Mode (0,1) of a shallow cap, κ = 4(rise/h)² = 10, at its turning point inwards; converged to 1e-3.
inline const std::vector<BackbonePoint> shallow_cap_backbone{
    {0.25, 0.277892958, 0.983491342}, {0.5, 0.571356716, 0.937183154}, {0.75, 0.944698258, 0.879779887},
    {1.0, 1.31118287, 0.847430701},   {1.25, 1.63617496, 0.870077154}, {1.5, 1.96194164, 0.940419458}};

/// ω = λ √(D/ρh) / a² [Hz].
inline TenModes plate_hz(const TenModes& lambda, double a, double thickness, const Material& material) {
    TenModes hz = lambda;
    const double D = material.young * cube(thickness) / (12 * (1 - square(material.poisson)));
    for (double& f : hz) f *= std::sqrt(D / (material.density * thickness)) / (2 * pi * square(a));
    return hz;
}

}  // namespace clangor::validation
