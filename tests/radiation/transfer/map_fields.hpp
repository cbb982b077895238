// Fields whose waves are known: what maps are tested against.
#pragma once

#include <clangor/radiation/transfer/transfer.hpp>

#include <cmath>
#include <random>

namespace clangor::test {

using Complex = std::complex<double>;

/// h_l(z)e^{iz}, of the second kind.
inline Complex hankel_without_delay(int l, double z) {
    return Complex(std::sph_bessel(static_cast<unsigned>(l), z), -std::sph_neumann(static_cast<unsigned>(l), z)) *
           std::polar(1.0, z);
}

/// A body of radius 1 m without modes.
inline ModalTransfer unit_body() { return {.radius = 1, .reference_radius = 1.35}; }

/// e^{−ik|x−y|}/|x−y| = −ik Σ_lm 4π j_l(k|y|) h_l(k|x|) Y_lm(x) Y_lm(y): a monopole at y ≠ 0.
inline ModeTransfer monopole_at(const Vec3& y, double k, int degree, const ModalTransfer& body) {
    const Eigen::VectorXd Y = spherical_harmonics(y.normalized(), degree);
    ModeTransfer mode{.omega = k * body.air.speed_of_sound, .degree = degree};
    mode.coefficients.resize(Y.size());
    for (int i = 0; i < Y.size(); ++i) {
        const int l = degree_of(i);
        mode.coefficients[i] =
            std::complex<float>(Complex(0, -4 * pi * k) * std::sph_bessel(static_cast<unsigned>(l), k * y.norm()) *
                                hankel_without_delay(l, k * body.reference_radius) * Y[i]);
    }
    return mode;
}

/// All harmonics up to kR equally loud, on average, on the sphere R.
inline ModeTransfer random_field(double kR, int degree, unsigned seed, const ModalTransfer& body) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    ModeTransfer mode{.omega = kR / body.radius * body.air.speed_of_sound, .degree = degree};
    mode.coefficients.resize((degree + 1) * (degree + 1));
    const std::vector<Complex> G = outgoing_ratios(degree, kR * body.reference_radius / body.radius, kR);
    for (int i = 0; i < mode.coefficients.size(); ++i)
        mode.coefficients[i] = std::complex<float>(Complex(normal(random), normal(random)) * G[degree_of(i)]);
    return mode;
}

inline Vec3 random_direction(std::mt19937& random) {
    std::normal_distribution<double> normal;
    return Vec3(normal(random), normal(random), normal(random)).normalized();
}

inline Eigen::VectorXcd heard(const TransferMaps& maps, const Vec3& listener) {
    std::vector<std::complex<float>> result(maps.modes());
    maps.pressures(listener, result);
    return Eigen::Map<const Eigen::VectorXcf>(result.data(), maps.modes()).cast<Complex>();
}

}  // namespace clangor::test
