// How long two elastic bodies touch, and how stiff the contact is while they rest on each other.
#include <clangor/motion/contact/contact.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace clangor {
namespace {

// Edges of real things are rounded to about this radius; the discrete curvature of a mesh's edge has no limit as the
// mesh is refined. τ ∝ r^{−1/5}: a factor of two here moves it by 15 %.
constexpr double sharpest_radius = 3e-4;

// Loss factor of a contact's spring: micro-slip around the rim of the contact and what runs off into the support.
// Chosen: a glass that stands on a table then dies away a few times sooner than one that hangs.
constexpr double contact_loss_factor = 0.05;

// Of grains that lie in a heap, likewise: chosen. Beside what a contact loses, they rub, rattle and scatter.
constexpr double grain_loss_factor = 0.5;

// Of a mode's own frequency: no contact takes more. A contact much stiffer than the mode pins its point instead.
constexpr double largest_decay = 0.02;

}  // namespace

double contact_compliance(const Material& material) noexcept { return (1 - square(material.poisson)) / material.young; }

double contact_modulus(const Material& first, const Material& second) {
    return 1 / (contact_compliance(first) + contact_compliance(second));
}

double inverse_effective_mass(double mass, const Mat3& inertia, const Vec3& arm, const Vec3& normal) {
    const Vec3 lever = arm.cross(normal);
    return 1 / mass + lever.dot(inertia.ldlt().solve(lever));
}

double curvature_at(const Surface& surface, const Eigen::VectorXd& vertex_curvatures, const ClosestPoint& at) {
    double curvature = 0;
    for (int corner = 0; corner < 3; ++corner)
        curvature += at.barycentric[corner] * vertex_curvatures[surface.faces(at.face, corner)];
    return curvature;
}

double contact_curvature(double first, double second, double largest_radius) {
    const double sharpest = 1 / sharpest_radius, flattest = std::min(1 / largest_radius, sharpest);
    return std::clamp(first + second, flattest, sharpest);
}

double hertz_law(const HertzContact& contact) { return 4.0 / 3 * contact.modulus / std::sqrt(contact.curvature); }

// τ = 2I δ_max/V with δ_max^{5/2} = 15 mV²/(16 E* √r)          docs/theory/contact.md, Eqs. 1 and 2
double hertz_time(const HertzContact& contact, double speed) {
    CLANGOR_ASSERT(contact.inverse_mass > 0 && contact.curvature > 0 && contact.modulus > 0 && speed > 0,
                   "something moves, is round and is elastic");
    constexpr double two_I = 2.9432751843247043;
    const double m = 1 / contact.inverse_mass;
    const double delta = std::pow(15 * m * square(speed) / (16 * contact.modulus) * std::sqrt(contact.curvature), 0.4);
    return two_I * delta / speed;
}

// F = Kδ^{3/2}, K = (4/3)E*√r:  dF/dδ = (3/2) K^{2/3} F^{1/3}
double hertz_stiffness(const HertzContact& contact, double force) {
    const double K = 4.0 / 3 * contact.modulus / std::sqrt(contact.curvature);
    return 1.5 * std::cbrt(square(K) * force);
}

// ∫ v dv/(1 + χv) over the way in and the way out is the same potential:
//     c − ln(1 + c) = −ce − ln(1 − ce),  c = χV
double loss_of_restitution(double restitution) {
    constexpr double most = 50;
    const double e = std::clamp(restitution, 0.0, 1.0);
    const auto excess = [e](double c) {  // grows with c
        return c * e < 1 ? -c * e - std::log1p(-c * e) - (c - std::log1p(c)) : std::numeric_limits<double>::infinity();
    };
    if (e >= 1) return 0;
    if (excess(most) <= 0) return most;
    double low = 0, high = most;
    for (int round = 0; round < 60; ++round) {
        const double middle = (low + high) / 2;
        (excess(middle) > 0 ? high : low) = middle;
    }
    return high;
}

double plate_mobility(const Material& material, double thickness) {
    const double bending = material.young * cube(thickness) / (12 * (1 - square(material.poisson)));
    return 1 / (8 * std::sqrt(bending * material.density * thickness));
}

double contact_decay_rate(double stiffness, double shape, double omega) {
    const double weak = 0.5 * contact_loss_factor * stiffness * square(shape) / omega;
    const double most = largest_decay * omega;
    return weak * most / (weak + most);
}

// What vibrates goes u, the grain n goes u_n: −mω²u_n = k(u_{n−1} − 2u_n + u_{n+1}), which cosh κ(L + ½ − n) solves,
// with the last free. The force on what vibrates is k(u₁ − u) = Mω²u.
std::complex<double> added_mass(const GrainColumn& column, double omega) {
    const std::complex<double> k(column.stiffness, grain_loss_factor * column.stiffness);
    const std::complex<double> kappa = std::acosh(1.0 - column.mass * square(omega) / (2.0 * k));
    const double L = column.count;
    const std::complex<double> first =
        std::exp(-kappa) * (1.0 + std::exp(-(2 * L - 1) * kappa)) / (1.0 + std::exp(-(2 * L + 1) * kappa));
    return k * (first - 1.0) / square(omega);
}

std::complex<double> mode_load(std::complex<double> mass, double shape) {
    constexpr double most = 0.2;
    const std::complex<double> load = mass * square(shape);
    return load / std::sqrt(1 + std::norm(load) / square(most));
}

LoadedMode loaded_mode(std::complex<double> load) {
    constexpr double least = -0.75;  // of what grains add beyond their resonances
    const std::complex<double> omega =
        1.0 / std::sqrt(std::complex<double>(1 + std::max(least, load.real()), std::min(0.0, load.imag())));
    return {std::abs(omega), omega.imag() / std::abs(omega)};
}

}  // namespace clangor
