// The impulse limiter of [Chadwick2009, Algorithm 1] in closed form   docs/theory/subspace-shell.md, Eq. 8
#include <clangor/vibration/subspace/subspace.hpp>

#include <cmath>

namespace clangor {

double impulse_share(double a, double b, double energy, double most) {
    const double after = energy + 2 * b + a, e = energy - most;
    if (after <= most || after < energy) return 1;
    if (e > 0) return 0;
    // The root of a s² + 2b s + e in [0, 1], in the form that does not cancel.
    const double root = std::sqrt(b * b - a * e);
    return b > 0 ? -e / (b + root) : (root - b) / a;
}

}  // namespace clangor
