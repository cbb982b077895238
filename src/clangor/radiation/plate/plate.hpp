/// @file plate.hpp — the sound of a plate without an end that is pushed at a point: a floor.
/// Model     D∇⁴w + m' ẅ = −F δ − 2p, its own baffle, air on both sides; below coincidence
///           p = −ρ₀F(t − R/c)/(2πR m')                                                  docs/theory/floor.md
/// In        material and thickness, and where it is heard.
/// Out       point_force_response: what the floor's emitters filter contact forces with.
/// Not here  how the contact feels the plate (motion/contact), edges and joists.
///
///     const ThinPlate boards = thin_plate(*find_material("oak"), 0.02);
///     const std::complex<double> response = point_force_response(boards, Air{}, 2 * pi * 1000, {1.0, 1.5});
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/material/material.hpp>

#include <complex>

namespace clangor {

/// A plate of Kirchhoff's theory: its waves are longer than six times its thickness.
struct ThinPlate {
    double stiffness = 0;  ///< D = Eh³/(12(1 − ν²)) [N·m]
    double mass = 0;       ///< m' = ρh, per area [kg/m²]
    Damping damping = {};  ///< of its material
};
ThinPlate thin_plate(const Material& material, double thickness);

/// ω_c = c² √(m'/D): above it bending waves are faster than sound, and radiate [rad/s].
double coincidence(const ThinPlate& plate, const Air& air);

/// Where a plate is heard, seen from where it is pushed.
struct PlateListener {
    double across = 0;  ///< along the plate [m]
    double above = 0;   ///< over it; below it pressure has the other sign [m]
};

/// N of p = −(ρ₀F/(2πR m')) e^{−ik₀R} N(ω) for a force F e^{iωt} that presses the plate down, at R > 0: 1 well below
/// coincidence, and 0 at ω = 0. Against the wavenumber integral, for 0.5 m ≤ R ≤ 5 m over boards: within 11 % from
/// 200 Hz on and 4 % from a third above coincidence on, up to 76° from the normal. Nearer to the plate, below
/// coincidence, up to 26 %, and 39 % over 9 mm of plywood   docs/theory/floor.md, Eqs. 8 to 12.
std::complex<double> point_force_response(const ThinPlate& plate, const Air& air, double omega,
                                          const PlateListener& listener);

/// Power into the air above, well below coincidence, of a force of this amplitude: ρ₀F²/(4πc m'²) [W].
double point_force_power(const ThinPlate& plate, const Air& air, double force);

/// w(z) = e^{−z²} erfc(−iz), to 1e-12   [Weideman1994].
std::complex<double> faddeeva(std::complex<double> z);

}  // namespace clangor
