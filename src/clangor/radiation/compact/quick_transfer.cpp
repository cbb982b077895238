// The pressure of each mode in single precision, for sources that move past a listener.
#include <clangor/radiation/compact/compact.hpp>

#include <array>
#include <cmath>
#include <complex>
#include <vector>

namespace clangor {
namespace {

constexpr long lanes = 16;

struct Phasor {
    float cosine, sine;
};

// cos θ and sin θ for |θ| < 10³, error below 2·10⁻⁵ there and 10⁻⁶ for |θ| < 30: θ = qπ + x with |x| ≤ π/2, then
// Taylor. Without branches or calls, so that a loop over it vectorises.
inline Phasor phasor(float theta) {
    const float q = std::rint(theta * 0.318309886f);
    const float x = (theta - q * 3.140625f) - q * 9.6765358979e-4f;  // π in two parts, the first exact in 11 bits
    const float sign = 1.0f - 2.0f * std::abs(q - 2.0f * std::rint(0.5f * q));  // (−1)^q
    const float y = x * x;
    const float sine =
        x * (1 + y * (-1.0f / 6 + y * (1.0f / 120 + y * (-1.0f / 5040 + y * (1.0f / 362880 - y / 39916800.0f)))));
    const float cosine =
        1 + y * (-0.5f +
                 y * (1.0f / 24 + y * (-1.0f / 720 + y * (1.0f / 40320 + y * (-1.0f / 3628800 + y / 479001600.0f)))));
    return {sign * cosine, sign * sine};
}

std::complex<double> coherent_sum(const std::vector<float>& excess, const std::vector<float>& spreading,
                                  const float* strengths, long count, float k) {
    std::array<float, lanes> real{}, imaginary{};
    const long whole = count / lanes * lanes;
    for (long e = 0; e < whole; e += lanes)
        for (long lane = 0; lane < lanes; ++lane) {
            const float amplitude = strengths[e + lane] * spreading[e + lane];
            const Phasor rotation = phasor(k * excess[e + lane]);
            real[lane] += amplitude * rotation.cosine;
            imaginary[lane] += amplitude * rotation.sine;
        }
    for (long e = whole; e < count; ++e) {
        const float amplitude = strengths[e] * spreading[e];
        const Phasor rotation = phasor(k * excess[e]);
        real[e - whole] += amplitude * rotation.cosine;
        imaginary[e - whole] += amplitude * rotation.sine;
    }
    std::complex<double> sum = 0;
    for (size_t lane = 0; lane < lanes; ++lane) sum += std::complex(double(real[lane]), double(imaginary[lane]));
    return sum;
}

}  // namespace

Eigen::VectorXcd quick_transfer(const CompactSources& sources, const Eigen::VectorXd& omega, const Vec3& listener,
                                const Air& air) {
    CLANGOR_ASSERT(omega.size() == sources.strengths.cols(), "one frequency a mode");
    const long count = sources.positions.rows();
    const double R = (listener - sources.centre).norm();
    std::vector<float> excess(static_cast<size_t>(count)), spreading(static_cast<size_t>(count));
    for (long e = 0; e < count; ++e) {
        const double r = std::max((listener - sources.positions.row(e).transpose()).norm(), sources.radii[e]);
        excess[e] = float(R - r);
        spreading[e] = float(1 / r);
    }
    Eigen::VectorXcd pressures(omega.size());
    for (long k = 0; k < omega.size(); ++k)
        pressures[k] = -air.density * square(omega[k]) / (4 * pi) *
                       coherent_sum(excess, spreading, sources.strengths.col(k).data(), count,
                                    float(omega[k] / air.speed_of_sound));
    return pressures;
}

}  // namespace clangor
