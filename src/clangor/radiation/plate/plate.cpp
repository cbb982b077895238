#include <clangor/radiation/plate/plate.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using Complex = std::complex<double>;
constexpr Complex i{0, 1};

/// What a frequency and a place make of the plate, all lengths in sound's waves.
struct Saddle {
    double k0 = 0;     ///< ω/c [1/m]
    double theta = 0;  ///< of the listener, from the normal
    double R = 0, across = 0;
};

// On which side of the path of integration a pole lies, before the path is moved through the saddle point.
enum class Side { Below, Above };

// What a pole of the plate's response adds to the saddle point's, wherever it lies to it: bending waves on their way
// to the listener   docs/theory/floor.md, Eq. 11. `residue` is that of the response in α.
Complex pole_part(const Saddle& at, Complex alpha, Complex residue, Side side) {
    const Complex turn = std::polar(1.0, -pi / 4);
    const Complex s = std::sqrt(2.0) * turn * std::sin((alpha - at.theta) / 2.0), sine = std::sin(alpha);
    // Right above the force a ring of waves comes together, which the asymptotic Hankel function makes infinite.
    const double smallest = 0.3 / (at.k0 * std::abs(sine));
    const Complex a = residue * std::sqrt(sine * at.R / std::hypot(at.across, smallest)) * turn / std::sqrt(2.0);
    const double sign = side == Side::Below ? -1 : 1, omega = at.k0 * at.R;
    return a / s + sign * i * std::sqrt(pi * omega) * a * faddeeva(sign * std::sqrt(omega) * s);
}

}  // namespace

ThinPlate thin_plate(const Material& material, double thickness) {
    const double h = thickness;
    return {.stiffness = material.young * h * h * h / (12 * (1 - square(material.poisson))),
            .mass = material.density * h,
            .damping = material.damping};
}

double coincidence(const ThinPlate& plate, const Air& air) {
    return square(air.speed_of_sound) * std::sqrt(plate.mass / plate.stiffness);
}

Complex point_force_response(const ThinPlate& plate, const Air& air, double omega, const PlateListener& listener) {
    if (!(omega > 0)) return 0;
    const double above = std::abs(listener.above), c = air.speed_of_sound;
    const Saddle at{.k0 = omega / c,
                    .theta = std::atan2(listener.across, above),
                    .R = std::hypot(listener.across, above),
                    .across = listener.across};
    // The air's load: that of a mass for waves that cling to the plate, a loss for those that leave it   Eq. 10
    const double mu = 2 * air.density * c / (plate.mass * omega);
    const double eta = 2 * damping_ratio(plate.damping, omega);
    const Complex in_vacuo = square(omega / coincidence(plate, air)) * Complex(1, eta);
    // cos α of the wave in vacuo: real where it leaves the plate, −i times something where it clings to it, and between
    // them as far from 0 as the load itself keeps it.
    const Complex cosine = std::sqrt(1 - coincidence(plate, air) / omega - i * std::pow(mu / 2, 2.0 / 3));
    const Complex q4 = in_vacuo / (1.0 - i * mu / cosine), q = std::sqrt(std::sqrt(q4));

    const double sine = std::sin(at.theta);
    Complex response = 1.0 / (1.0 - q4 * square(square(sine)));
    const Complex bending = std::asin(1.0 / q), fading = std::asin(i / q);
    const auto residue = [](Complex alpha) { return -std::tan(alpha) / 4.0; };
    response += pole_part(at, bending, residue(bending), Side::Below);
    response += pole_part(at, pi - bending, residue(pi - bending), Side::Below);
    response += pole_part(at, fading, residue(fading), Side::Above);
    response += pole_part(at, -fading, residue(-fading), Side::Below);
    return (listener.above < 0 ? -1.0 : 1.0) * response / (1.0 - i * mu);
}

double point_force_power(const ThinPlate& plate, const Air& air, double force) {
    return air.density * square(force / plate.mass) / (4 * pi * air.speed_of_sound);
}

}  // namespace clangor
