#include <clangor/radiation/compact/compact.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

namespace clangor {
namespace {

// Sums run in eight lanes of their own, so that they vectorise and still give the same bytes on any machine.
constexpr long lanes = 8;

struct Phasor {
    double cosine, sine;
};

// cos θ and sin θ for |θ| < 10⁵, error below 10⁻¹⁰: θ = qπ + x with |x| ≤ π/2, then Taylor. Without branches or calls,
// so that a loop over it vectorises.
inline Phasor phasor(double theta) {
    const double q = std::rint(theta * (1.0 / pi));
    const double x = (theta - q * 3.141592653589793116) - q * 1.2246467991473532e-16;  // π in two parts
    const double sign = 1.0 - 2.0 * std::abs(q - 2.0 * std::rint(0.5 * q));            // (−1)^q
    const double y = x * x;
    const double sine =
        x * (1 + y * (-1.0 / 6 +
                      y * (1.0 / 120 +
                           y * (-1.0 / 5040 +
                                y * (1.0 / 362880 + y * (-1.0 / 39916800 +
                                                         y * (1.0 / 6227020800.0 + y * (-1.0 / 1307674368000.0))))))));
    const double cosine =
        1 + y * (-0.5 + y * (1.0 / 24 +
                             y * (-1.0 / 720 + y * (1.0 / 40320 +
                                                    y * (-1.0 / 3628800 + y * (1.0 / 479001600 +
                                                                               y * (-1.0 / 87178291200.0 +
                                                                                    y * (1.0 / 20922789888000.0))))))));
    return {sign * cosine, sign * sine};
}

/// What does not depend on the mode, padded to whole lanes with sources that add nothing.
struct Paths {
    std::vector<double> excess;     ///< R − r_e: how much nearer than the centre [m]
    std::vector<double> spreading;  ///< 1/r_e [1/m]
};

Paths paths_to(const CompactSources& sources, const Vec3& listener) {
    const long count = sources.positions.rows();
    const std::size_t padded = (count + lanes - 1) / lanes * lanes;
    Paths paths{std::vector<double>(padded, 0.0), std::vector<double>(padded, 0.0)};
    const double R = (listener - sources.centre).norm();
    for (long e = 0; e < count; ++e) {
        const double distance = (listener - sources.positions.row(e).transpose()).norm();
        const double r = std::max(distance, sources.radii[e]);
        paths.excess[e] = R - r;
        paths.spreading[e] = 1.0 / r;
    }
    return paths;
}

// Σ_e s_e e^{ik(R − r_e)} / r_e;  `strengths` is padded like the paths.
std::complex<double> coherent_sum(const Paths& paths, const std::vector<double>& strengths, double k) {
    std::array<double, lanes> real{};
    std::array<double, lanes> imaginary{};
    for (std::size_t e = 0; e < strengths.size(); e += lanes)
        for (std::size_t lane = 0; lane < lanes; ++lane) {
            const double amplitude = strengths[e + lane] * paths.spreading[e + lane];
            const Phasor rotation = phasor(k * paths.excess[e + lane]);
            real[lane] += amplitude * rotation.cosine;
            imaginary[lane] += amplitude * rotation.sine;
        }
    std::complex<double> sum = 0;
    for (long lane = 0; lane < lanes; ++lane) sum += std::complex(real[lane], imaginary[lane]);
    return sum;
}

}  // namespace

// P_k = −ρ0 ω² Σ_e s_ke e^{−ik(r_e − R)} / (4π r_e)   (docs/theory/compact-radiation.md, Eq. 7)
Eigen::VectorXcd transfer(const CompactSources& sources, const Eigen::VectorXd& omega, const Vec3& listener,
                          const Air& air) {
    CLANGOR_ASSERT(omega.size() == sources.strengths.cols(), "one frequency a mode");
    const Paths paths = paths_to(sources, listener);
    std::vector<double> strengths(paths.excess.size(), 0.0);
    Eigen::VectorXcd pressures(omega.size());
    for (long k = 0; k < omega.size(); ++k) {
        for (long e = 0; e < sources.strengths.rows(); ++e) strengths[e] = double(sources.strengths(e, k));
        pressures[k] =
            -air.density * square(omega[k]) / (4 * pi) * coherent_sum(paths, strengths, omega[k] / air.speed_of_sound);
    }
    return pressures;
}

bool in_near_field(const CompactSources& sources, const Vec3& listener) {
    return (listener - sources.centre).norm() < sources.radius;
}

}  // namespace clangor
