// What its own sound takes from each mode, by the power that its compact sources send far away.
#include <clangor/radiation/compact/compact.hpp>

#include <cmath>

namespace clangor {
namespace {

// Directions, spread evenly: enough for every harmonic of a body with kR < 5. Beyond that they are a sample, whose mean
// is off by 1/√count: 0.5 dB.
constexpr long count = 72;

Vec3 direction_of(long i) {
    const double turn = pi * (3 - std::sqrt(5.0));  // the golden angle
    const double y = 1 - (2 * double(i) + 1) / double(count), ring = std::sqrt(1 - y * y), phi = turn * double(i);
    return {ring * std::cos(phi), y, ring * std::sin(phi)};
}

}  // namespace

// P = ∮ |p|²/(2ρ0c) dS on a sphere far away, and ξ = P/ω³   docs/theory/transfer.md, Eq. 10
Eigen::VectorXd radiation_damping(const CompactSources& sources, const Eigen::VectorXd& omega, const Air& air) {
    // So far away the pressure falls as 1/r to 0.1 %, and float still holds the differences of paths.
    const double far = 1000 * sources.radius;
    Eigen::MatrixXd squares(omega.size(), count);
    parallel_for(count, [&](long i) {
        const Vec3 listener = sources.centre + far * direction_of(i);
        squares.col(i) = quick_transfer(sources, omega, listener, air).cwiseAbs2();
    });
    const Eigen::VectorXd power =
        4 * pi * square(far) / (2 * air.density * air.speed_of_sound) * squares.rowwise().mean();
    return power.array() / omega.array().cube();
}

}  // namespace clangor
