#include <clangor/radiation/plate/plate.hpp>

#include <doctest/doctest.h>

#include <approx.hpp>

#include <array>
#include <cmath>
#include <functional>

using namespace clangor;
using clangor::test::Approx;

namespace {

using Complex = std::complex<double>;
constexpr Complex i{0, 1};
const Air air;

ThinPlate boards() { return thin_plate(*find_material("oak"), 0.02); }

double bessel_j0(double x) {
    const int count = 24 + int(x);
    double sum = 0;
    for (int k = 0; k < count; ++k) sum += std::cos(x * std::cos(pi * (k + 0.5) / count));
    return sum / count;
}

using Integrand = std::function<Complex(double)>;

Complex gauss(const Integrand& f, double from, double to) {
    constexpr std::array<double, 4> x = {0.1834346424956498, 0.5255324099163290, 0.7966664774136267,
                                         0.9602898564975363};
    constexpr std::array<double, 4> w = {0.3626837833783620, 0.3137066458778873, 0.2223810344533745,
                                         0.1012285362903763};
    Complex sum = 0;
    for (int k = 0; k < 4; ++k)
        sum += w[k] * (f((from + to) / 2 + x[k] * (to - from) / 2) + f((from + to) / 2 - x[k] * (to - from) / 2));
    return sum * (to - from) / 2.0;
}

Complex integral(const Integrand& f, double from, double to, double error) {
    const double middle = (from + to) / 2;
    const Complex whole = gauss(f, from, to), halves = gauss(f, from, middle) + gauss(f, middle, to);
    if (std::abs(whole - halves) < error || to - from < 1e-10) return halves;
    return integral(f, from, middle, error) + integral(f, middle, to, error);
}

/// N by the wavenumber integral, with the air on both sides: exact for Kirchhoff's plate   docs/theory/floor.md, Eq. 5
Complex exact_response(const ThinPlate& plate, double omega, const PlateListener& at) {
    const double k0 = omega / air.speed_of_sound, R = std::hypot(at.across, at.above);
    const Complex kB4 =
        plate.mass * square(omega) / (plate.stiffness * Complex(1, 2 * damping_ratio(plate.damping, omega)));
    const auto term = [&](double k, Complex kappa) {
        return std::exp(-i * kappa * at.above) * bessel_j0(k * at.across) * k /
               (1.0 - square(square(k)) / kB4 - 2.0 * i * air.density / (plate.mass * kappa));
    };
    const double kB = std::pow(std::abs(kB4), 0.25);
    const double last = std::acosh(std::max({3.0, 3 * kB / k0, 1 + 30 / (k0 * at.above)}));
    const int pieces = 8 + int(k0 * R);
    Complex sum = 0;
    for (int piece = 0; piece < pieces; ++piece) {
        const double from = double(piece) / pieces, to = double(piece + 1) / pieces;
        sum += integral([&](double a) { return term(k0 * std::sin(a), k0 * std::cos(a)); }, pi / 2 * from, pi / 2 * to,
                        1e-5 / (R * pieces));
        sum += integral([&](double b) { return i * term(k0 * std::cosh(b), -i * k0 * std::sinh(b)); }, last * from,
                        last * to, 1e-5 / (R * pieces));
    }
    return -i * sum * R * std::exp(i * k0 * R);
}

}  // namespace

TEST_CASE(
    "the Faddeeva function is e^{x²} erfc(x) on the imaginary axis, and e^{−x²} in its real part on the real one") {
    for (const double x : {0.0, 0.1, 1.0, 3.0, 10.0}) {
        CHECK(faddeeva({x, 0}).real() == clangor::test::Approx(std::exp(-x * x)).scale(1).epsilon(1e-11));
        if (x < 5) CHECK(faddeeva({0, x}).real() == Approx(std::exp(x * x) * std::erfc(x)).epsilon(1e-10));
        if (x < 5) CHECK(faddeeva({0, -x}).real() == Approx(std::exp(x * x) * std::erfc(-x)).epsilon(1e-10));
    }
    // z → ∞: w → i/(√π z) (1 + 1/(2z²) + 3/(4z⁴))
    const Complex z = std::polar(30.0, 1.0),
                  wanted = i / (std::sqrt(pi) * z) * (1.0 + 0.5 / (z * z) + 0.75 / std::pow(z, 4));
    CHECK(std::abs(faddeeva(z) / wanted - 1.0) < 1e-8);
}

TEST_CASE("coincidence of a steel plate is at 12 Hz·m over its thickness") {
    // c² √(12ρ(1 − ν²)/E)/(2πh), the textbooks' 12 kHz for 1 mm
    const Material steel = *find_material("steel");
    const double hz = coincidence(thin_plate(steel, 1e-3), air) / (2 * pi);
    CHECK(hz == Approx(square(air.speed_of_sound) *
                       std::sqrt(12 * steel.density * (1 - square(steel.poisson)) / steel.young) / (2 * pi * 1e-3)));
    CHECK(hz == Approx(12e3).epsilon(0.05));
}

TEST_CASE("well below coincidence a point force is heard as it is, ρ₀F/(2πR m'), in all directions") {
    // Steel of 1 mm at 600 Hz, a twentieth of coincidence; sin⁴θ (f/f_c)² is 0.25 % at most, the air's load 3 %.
    const ThinPlate sheet = thin_plate(*find_material("steel"), 1e-3);
    for (const double theta : {0.2, 0.7, 1.2})
        CHECK(std::abs(point_force_response(sheet, air, 2 * pi * 600, {10 * std::sin(theta), 10 * std::cos(theta)})) ==
              Approx(1).epsilon(0.03));
}

TEST_CASE(
    "the pressure over boards is that of the wavenumber integral to 11 %, from 0.5 m on, up to 76° off the normal") {
    struct Place {
        PlateListener listener;
        double low_tolerance, high_tolerance;  // from 200 Hz on, and from 1 kHz (a third above coincidence) on
    };
    const std::array places = {Place{{0.05, 0.5}, 0.06, 0.05}, Place{{0.2, 1.5}, 0.03, 0.02},
                               Place{{0.3, 0.4}, 0.07, 0.03},  Place{{0.8, 0.6}, 0.05, 0.02},
                               Place{{1.0, 1.5}, 0.03, 0.01},  Place{{2.0, 0.5}, 0.10, 0.01},
                               Place{{5.0, 1.6}, 0.11, 0.01}};
    for (const Place& place : places)
        for (const double hz : {200.0, 400.0, 770.0, 1000.0, 2000.0, 6000.0}) {
            CAPTURE(place.listener.across);
            CAPTURE(hz);
            const Complex wanted = exact_response(boards(), 2 * pi * hz, place.listener);
            const Complex found = point_force_response(boards(), air, 2 * pi * hz, place.listener);
            CHECK(std::abs(found / wanted - 1.0) < (hz < 1000 ? place.low_tolerance : place.high_tolerance));
        }
}

TEST_CASE("so it is over other plates and from other places; low over light plates less exactly") {
    struct Floor {
        const char* material;
        double thickness, low_tolerance, high_tolerance;  // up to a third above coincidence, and from there on
        double near_low, near_high;                       // 6° above the plate
    };
    // Not the places and plates at which the poles that are kept were chosen. Measured, and rounded up.
    for (const Floor& floor : {Floor{"oak", 0.02, 0.06, 0.03, 0.27, 0.03}, Floor{"steel", 0.01, 0.04, 0.02, 0.04, 0.01},
                               Floor{"plywood", 0.009, 0.13, 0.02, 0.40, 0.08}}) {
        const ThinPlate plate = thin_plate(*find_material(floor.material), floor.thickness);
        const double limit = 1.33 * coincidence(plate, air) / (2 * pi);
        for (const PlateListener& listener :
             {PlateListener{0.12, 0.7}, PlateListener{0.45, 0.9}, PlateListener{0.7, 0.35}, PlateListener{1.6, 1.1},
              PlateListener{3.3, 1.7}, PlateListener{3.0, 0.3}})
            for (double hz = 200; hz < 8000; hz *= 1.4) {
                const bool is_near = listener.above < 0.15 * listener.across;
                const double low = is_near ? floor.near_low : floor.low_tolerance;
                const double high = is_near ? floor.near_high : floor.high_tolerance;
                CAPTURE(floor.material);
                CAPTURE(listener.across);
                CAPTURE(hz);
                const Complex found = point_force_response(plate, air, 2 * pi * hz, listener);
                CHECK(std::abs(found / exact_response(plate, 2 * pi * hz, listener) - 1.0) < (hz < limit ? low : high));
            }
    }
}

TEST_CASE("above coincidence the far field is not reached within metres: bending waves outrun sound") {
    // 2 kHz over boards, 1.8 m away at the angle of coincidence, sin²θ = ω_c/ω: 1/(1 − q⁴ sin⁴θ) = i/η there.
    const ThinPlate plate = boards();
    const double omega = 2 * pi * 2000, theta = std::asin(std::sqrt(coincidence(plate, air) / omega));
    const double far = 1 / (2 * damping_ratio(plate.damping, omega));
    CHECK(far > 50);
    CHECK(std::abs(point_force_response(plate, air, omega, {1.8 * std::sin(theta), 1.8 * std::cos(theta)})) < 5);
    // Far away it grows to what the plate's own loss and that to the air leave.
    const double grown =
        std::abs(point_force_response(plate, air, omega, {1e6 * std::sin(theta), 1e6 * std::cos(theta)}));
    const double to_air = 2 * air.density * air.speed_of_sound / (plate.mass * omega * std::cos(theta));
    CHECK(grown == Approx(1 / (1 / far + to_air)).epsilon(0.05));
}

TEST_CASE("below coincidence the sound through a hemisphere is ρ₀F²/(4πc m'²)") {
    const ThinPlate plate = thin_plate(*find_material("steel"), 1e-3);
    const double F = 2, R = 20, omega = 2 * pi * 600;
    double power = 0;
    constexpr int rings = 200;
    for (int k = 0; k < rings; ++k) {
        const double cosine = (k + 0.5) / rings, sine = std::sqrt(1 - square(cosine));
        const double pressure = air.density * F / (2 * pi * R * plate.mass) *
                                std::abs(point_force_response(plate, air, omega, {R * sine, R * cosine}));
        power += square(pressure) / (2 * air.density * air.speed_of_sound) * 2 * pi * R * R / rings;
    }
    CHECK(power == Approx(point_force_power(plate, air, F)).epsilon(0.05));  // the air's load, and bending waves nearby
}

TEST_CASE("above coincidence the air gets η_a/(η + η_a) of what a force gives the plate") {
    // ½YF², Y = 1/(8√(Dm')); the plate's loss is η, that to the air on both sides η_a = 2ρ₀c/(m'ω cos α).
    const ThinPlate plate = boards();
    for (const double hz : {1500.0, 4000.0}) {
        const double omega = 2 * pi * hz, alpha = std::asin(std::sqrt(coincidence(plate, air) / omega)), R = 1e6;
        const double eta = 2 * damping_ratio(plate.damping, omega);
        const double to_air = 2 * air.density * air.speed_of_sound / (plate.mass * omega * std::cos(alpha));
        double power = 0;  // per F²
        constexpr int steps = 4000;
        double before = 0;
        for (int k = 1; k < steps; ++k) {
            // Finer towards α: θ − α ∝ u³ on either side
            const double u = 2.0 * k / steps - 1, theta = alpha + cube(u) * (u < 0 ? alpha : pi / 2 - alpha);
            const double middle = (theta + before) / 2;
            const double pressure =
                air.density / (2 * pi * R * plate.mass) *
                std::abs(point_force_response(plate, air, omega, {R * std::sin(middle), R * std::cos(middle)}));
            power += square(pressure) / (2 * air.density * air.speed_of_sound) * 2 * pi * R * R * std::sin(middle) *
                     (theta - before);
            before = theta;
        }
        const double given = 0.5 / (8 * std::sqrt(plate.stiffness * plate.mass));
        CAPTURE(hz);
        CHECK(2 * power < given);
        CHECK(2 * power / given == Approx(to_air / (eta + to_air)).epsilon(0.05));  // and 1 % of Eq. 7
    }
}

TEST_CASE("twice as thick a plate is 6 dB quieter for the same force below both coincidences") {
    const Material steel = *find_material("steel");
    const auto pressure = [&](double h) {
        const ThinPlate plate = thin_plate(steel, h);
        return std::abs(point_force_response(plate, air, 2 * pi * 300, {1, 1.5})) / plate.mass;
    };
    CHECK(20 * std::log10(pressure(1e-3) / pressure(2e-3)) == Approx(6.02).epsilon(0.02));
}

TEST_CASE("under the plate pressure is the opposite of that above, and nothing is heard of a force that never ends") {
    const ThinPlate plate = boards();
    CHECK(point_force_response(plate, air, 5000, {1, -1}) == -point_force_response(plate, air, 5000, {1, 1}));
    CHECK(point_force_response(plate, air, 0, {1, 1}) == 0.0);
    CHECK(std::abs(point_force_response(plate, air, 2 * pi * 0.5, {1, 1})) < 0.1);
}

TEST_CASE("the response is finite for any place and frequency") {
    for (const double h : {1e-4, 1e-3, 0.02, 1.0})
        for (const double across : {0.0, 1e-6, 0.3, 30.0})
            for (const double above : {0.0, 1e-4, 1.0, 100.0})
                for (double hz = 1; hz < 1e5; hz *= 1.7) {
                    if (across == 0 && above == 0) continue;
                    const double size = std::abs(
                        point_force_response(thin_plate(*find_material("oak"), h), air, 2 * pi * hz, {across, above}));
                    CAPTURE(h);
                    CAPTURE(across);
                    CAPTURE(above);
                    CAPTURE(hz);
                    CHECK(size < 1e4);
                }
}
