// Sums over all elements but the close ones, seen from one point: right sides, and the sound outside.
#pragma once

#include <clangor/radiation/bem/corner_values.hpp>
#include <clangor/radiation/bem/elements.hpp>

#include <complex>
#include <vector>

namespace clangor::bem {

/// Three points an element, one after the other, each with its share of ∫ q dS and ∫ p dS; in single precision.
struct PointSources {
    std::vector<float> position[3], normal[3];
    std::vector<float> monopole_re, monopole_im;  ///< q dS/4π
    std::vector<float> dipole_re, dipole_im;      ///< p dS/4π
    float nearest_sq = 0;  ///< square of a distance below which nothing is meant to be evaluated [m²]

    long count() const { return static_cast<long>(monopole_re.size()); }
    void mute(int element);                               ///< its shares become zero
    void restore(int element, const PointSources& from);  ///< and come back
};

/// p may be empty: no dipoles.
PointSources point_sources(const Elements& elements, const CornerValues& q, const CornerValues& p);

/// Σ (s G + a ∂G/∂n_x) q dS: what S and D′ make of q.
std::complex<double> layers_of_gradient(const PointSources& sources, const Vec3& x, const Vec3& normal, double k,
                                        double s, std::complex<double> a);

/// Σ (p ∂G/∂n_y − G q) dS: the pressure at x, which is relative to Elements::origin. `radius` is that of the elements:
/// from more than twice as far the phase of the path from the origin is split off, so that k|x| may be any number.
std::complex<double> pressure_sum(const PointSources& sources, const Vec3& x, double k, double radius);

}  // namespace clangor::bem
