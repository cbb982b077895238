// The pressure of dipoles that stand and move.
#include <clangor/radiation/dipole/dipole.hpp>

#include <radiation/dipole/heard_sources.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <complex>
#include <vector>

namespace dipole_sum_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;
using Complex = std::complex<double>;

namespace {

const Air air;
const double c = air.speed_of_sound;

// Per unit force along the way to the listener: (1/4π)(iω/cR + 1/R²), heard R/c later.
Complex dipole_field(double omega, double R) { return Complex(1 / (R * R), omega / (c * R)) / (4 * pi); }

}  // namespace

TEST_CASE("a dipole that stands still: near and far, at every pitch, in every direction, between samples") {
    const double rate = 48000;
    for (const double hz : {100.0, 1000.0, 10000.0, 19000.0})
        for (const double R : {0.02, 0.5, 7.0})
            for (const double theta : {0.0, 1.0, 2.5}) {
                CAPTURE(hz);
                CAPTURE(R);
                CAPTURE(theta);
                const double omega = 2 * pi * hz;
                const Vec3 listener = R * Vec3(std::cos(theta), std::sin(theta), 0), centre(0.1, 0.2, 0.3);
                const std::vector<float> out = heard(
                    {.reach = 0.5}, 1000,
                    [&](double t) {
                        return one_dipole({0, 0, 0}, {std::cos(omega * t), 0, 0});
                    },
                    [&](double) {
                        return EmissionPlace{centre, listener};
                    });
                const double later = ((listener - centre).norm() - R) / c;
                const double amplitude = std::abs(dipole_field(omega, R));
                const auto expected = [&](double t) {
                    return std::real(dipole_field(omega, R) * std::polar(1.0, omega * (t + later))) * std::cos(theta);
                };
                // −86 dB: the kernel is flat to 2e-5, and what it leaves of images is 2e-6 of the steepest slope, which
                // is 4e-5 of that of 100 Hz.
                CHECK(largest_error(out, rate, 200, expected) < 5e-5 * amplitude);
            }
}

TEST_CASE("a monopole: S/4πR") {
    const double omega = 2 * pi * 3000, R = 2.345;
    const std::vector<float> out = heard(
        {.reach = 0}, 1000,
        [&](double t) {
            PointSources source = one_dipole({0, 0, 0}, {0, 0, 0});
            source.flows[0] = std::cos(omega * t);
            return source;
        },
        [&](double) {
            return EmissionPlace{{0, 0, 0}, {0, 0, R}};
        });
    CHECK(largest_error(out, 48000, 200, [&](double t) { return std::cos(omega * t) / (4 * pi * R); }) <
          3e-5 / (4 * pi * R));
}

TEST_CASE("linear interpolation between samples loses 2.4 dB at 10 kHz where this loses nothing") {
    // The worst case of both: halfway between samples. Two halves of an impulse sound as cos(πf/fs).
    const double rate = 44100, R = 1.0;
    const double half_sample = 0.5 * c / rate;
    for (const double hz : {1000.0, 5000.0, 10000.0, 15000.0, 18000.0}) {
        CAPTURE(hz);
        const double omega = 2 * pi * hz;
        const std::vector<float> out = heard(
            {.source_rate = rate, .sample_rate = rate, .reach = 0.1}, 2000,
            [&](double t) {
                return one_dipole({half_sample, 0, 0}, {std::cos(omega * t), 0, 0});
            },
            [&](double) {
                return EmissionPlace{{0, 0, 0}, {R + half_sample, 0, 0}};
            });
        const double exact = std::abs(dipole_field(omega, R));
        double power = 0;
        for (size_t j = 200; j < out.size(); ++j) power += square(double(out[j])) / double(out.size() - 200);
        const double level_db = 10 * std::log10(2 * power / square(exact));
        const double linear_db = 20 * std::log10(std::cos(pi * hz / rate));
        CHECK(std::abs(level_db) < 0.05);  // of 1800 samples, which are no whole number of periods
        if (hz >= 10000) CHECK(linear_db < -2.3);

        const double later = half_sample / c;  // from the centre, half a sample farther away
        const auto expected = [&](double t) {
            return std::real(dipole_field(omega, R) * std::polar(1.0, omega * (t + later)));
        };
        CHECK(largest_error(out, rate, 200, expected) < 3e-5 * exact);
    }
}

// [Lowson1965]: a dipole in motion is  p = −∂_j [F_j/4πR(1 − M)] at the time of emission. In steady motion, by
// differences of the bracket's field about the receiver.
double moving_dipole(const std::function<double(double)>& force, const Vec3& velocity, const Vec3& receiver, double t) {
    const auto potential = [&](const Vec3& x) {
        double tau = t;
        for (int i = 0; i < 200; ++i) tau = t - (x - velocity * tau).norm() / c;
        const Vec3 arm = x - velocity * tau;
        return force(tau) / (4 * pi * (arm.norm() - velocity.dot(arm) / c));
    };
    const double h = 1e-4;
    const Vec3 along(0, h, 0);  // the force is along y
    return -(8 * (potential(receiver + along) - potential(receiver - along)) - potential(receiver + 2 * along) +
             potential(receiver - 2 * along)) /
           (12 * h);
}

TEST_CASE("a dipole that comes nearer at 10 m/s: 10 kHz is right to −90 dB, and to −15 dB with linear interpolation") {
    // Between samples, linear interpolation multiplies a tone by 1 − u + u e^{iωΔt} instead of e^{iuωΔt}, u from 0 to 1
    // and anew with each sample that the delay passes: it differs by u(1 − u)(ωΔt)²/2, whose mean square is (ωΔt)⁴/120.
    const double rate = 44100, omega = 2 * pi * 10000;
    const Vec3 velocity(0, 10, 0), receiver(0.3, 1.7, 0);
    const auto force = [&](double t) { return std::cos(omega * t); };
    const std::vector<float> out = heard(
        {.source_rate = rate, .sample_rate = rate, .reach = 1.5}, 5000,
        [&](double t) {
            return one_dipole(velocity * t, {0, force(t), 0});
        },
        [&](double) {
            return EmissionPlace{{0, 0, 0}, receiver};
        });
    std::vector<double> linear(out.size() + 2, 0.0);
    for (long k = 0; k < 5000; ++k) {
        const double t = double(k) / rate;
        const Vec3 arm = receiver - velocity * t;
        const double R = arm.norm(), cos_theta = arm.y() / R, M = velocity.y() * cos_theta / c;
        const double p = cos_theta / (4 * pi) * (-omega * std::sin(omega * t) / (c * R * (1 - M)) + force(t) / (R * R));
        const double place = double(k) + (R - receiver.norm()) / c * rate;
        if (place < 0) continue;
        const size_t sample = size_t(place);
        linear[sample] += (1 - (place - double(sample))) * p;
        linear[sample + 1] += (place - double(sample)) * p;
    }
    double power = 0, wrong = 0, wrong_linear = 0;
    for (size_t j = 600; j < 4000; ++j) {
        const double p = moving_dipole(force, velocity, receiver, double(j) / rate + receiver.norm() / c);
        power += square(p);
        wrong += square(double(out[j]) - p);
        wrong_linear += square(linear[j] - p);
    }
    CHECK(wrong < 1e-9 * power);
    CHECK(std::sqrt(wrong_linear / power) == Approx(square(omega / rate) / std::sqrt(120)).epsilon(0.1));
}

TEST_CASE("a dipole that flies by at a third of the speed of sound is Lowson's, whichever centre it is counted from") {
    const double rate = 48000, omega = 2 * pi * 2000;
    const Vec3 velocity(110, 40, 0), receiver(1.5, 2.0, 0.5);
    const auto force = [&](double t) { return std::cos(omega * t); };
    for (const bool moving_centre : {false, true}) {
        CAPTURE(moving_centre);
        const auto centre = [&](double t) -> Vec3 { return moving_centre ? velocity * t : Vec3(0.2, 0, 0); };
        const std::vector<float> out = heard(
            {.reach = 4}, 1400,
            [&](double t) {
                return one_dipole(velocity * t, {0, force(t), 0});
            },
            [&](double t) {
                return EmissionPlace{centre(t), receiver};
            });
        double largest = 0;
        const auto expected = [&](double s) {
            const double p = moving_dipole(force, velocity, receiver, s + (receiver - centre(s)).norm() / c);
            largest = std::max(largest, std::abs(p));
            return p;
        };
        const double error = largest_error(out, rate, 400, expected);
        CHECK(error < 2e-4 * largest);
    }
}

TEST_CASE("what is counted from a moving centre, and heard with its delay, is what was to be heard") {
    // A dipole at rest, half a metre from a centre that moves at 10 m/s: the listener hears a plain tone.
    const double rate = 48000, omega = 2 * pi * 5000;
    const Vec3 source(0.3, 0.4, 0), receiver(0, 3, 0), velocity(0, 10, 0);
    const auto centre = [&](double t) -> Vec3 { return velocity * (t - 0.01); };
    const std::vector<float> out = heard(
        {.reach = 1}, 1400,
        [&](double t) {
            return one_dipole(source, {0, std::cos(omega * t), 0});
        },
        [&](double t) {
            return EmissionPlace{centre(t), receiver};
        });
    const double R = (receiver - source).norm(), amplitude = std::abs(dipole_field(omega, R));
    const double cos_theta = (receiver - source).y() / R;
    const auto expected = [&](double s) {
        const double t = s + (receiver - centre(s)).norm() / c;
        return cos_theta * std::real(dipole_field(omega, R) * std::polar(1.0, omega * (t - R / c)));
    };
    CHECK(largest_error(out, rate, 300, expected) < 1e-3 * amplitude);
}

TEST_CASE("a receiver in motion hears a standing dipole where it is when sound arrives") {
    const double rate = 48000, omega = 2 * pi * 5000;
    const Vec3 source(0.3, 0.4, 0), velocity(-8, 3, 0);
    const auto receiver = [&](double t) -> Vec3 { return Vec3(2, 3, 0) + velocity * t; };
    const auto arrival = [&](double s) {  // of what the centre, the origin, emits
        double t = s;
        for (int i = 0; i < 50; ++i) t = s + receiver(t).norm() / c;
        return t;
    };
    const std::vector<float> out = heard(
        {.reach = 1}, 1400,
        [&](double t) {
            return one_dipole(source, {0, std::cos(omega * t), 0});
        },
        [&](double s) {
            return EmissionPlace{{0, 0, 0}, receiver(arrival(s))};
        });
    double amplitude = 0;
    const auto expected = [&](double s) {
        const double t = arrival(s), R = (receiver(t) - source).norm();
        amplitude = std::max(amplitude, std::abs(dipole_field(omega, R)));
        return (receiver(t) - source).y() / R *
               std::real(dipole_field(omega, R) * std::polar(1.0, omega * (t - R / c)));
    };
    // Arrival is exact to second order of the receiver's speed. The distance is that to where the receiver is for the
    // centre's sound of the same instant: it has moved by V·0.5/c until then.
    const double error = largest_error(out, rate, 300, expected);
    CHECK(error < velocity.norm() * source.norm() / c / 2.5 * amplitude);
}

TEST_CASE(
    "a body that swings near a listener takes its field along: the pressure is the change of P·r̂/R², without a mean") {
    const double rate = 48000, omega = 2 * pi * 20, way = 0.02, R = 0.06, P0 = 1;
    const auto place = [&](double) { return EmissionPlace{{0, 0, 0}, {R, 0, 0}}; };
    const auto swinging = [&](double t) {
        PointSources body = one_dipole({way * std::sin(omega * t), 0, 0}, {-P0 * omega * std::sin(omega * t), 0, 0});
        body.momenta = Eigen::RowVector4d(P0 * std::cos(omega * t), 0, 0, 0);
        return body;
    };
    const std::vector<float> out = heard({.reach = 0.05}, 3 * 2400 + 200, swinging, place);
    const auto near = [&](double t) {
        return P0 * std::cos(omega * t) / square(R - way * std::sin(omega * t)) / (4 * pi);
    };
    const auto far = [&](double t) {
        return -P0 * omega * std::sin(omega * t) / (c * (R - way * std::sin(omega * t))) / (4 * pi);
    };
    const double loudest = P0 * omega / square(R - way) / (4 * pi), dt = 1e-6;
    // 2 %: sound takes 0.06 ms more or less than from the middle, 0.7 % of a radian, and it changes fastest when near.
    CHECK(largest_error(out, rate, 200, [&](double t) {
              return (near(t + dt) - near(t - dt) + far(t + dt) - far(t - dt)) / (2 * dt);
          }) < 0.02 * loudest);
    double mean = 0;
    for (size_t k = 200; k < out.size(); ++k) mean += double(out[k]) / (3 * 2400);
    CHECK(std::abs(mean) < 1e-3 * loudest);
    // As the force alone that it is not: it pushes most where it is nearest, and always away.
    double of_force = 0;
    const std::vector<float> force = heard(
        {.reach = 0.05}, 3 * 2400 + 200,
        [&](double t) {
            PointSources body = swinging(t);
            body.momenta.resize(0, 4);
            return body;
        },
        place);
    for (size_t k = 200; k < force.size(); ++k) of_force += double(force[k]) / (3 * 2400);
    CHECK(std::abs(of_force) > 0.1 * loudest);
}

TEST_CASE("a jump of velocity: pressure, integrated twice, is the jump") {
    // Far away p = (1/4πcR) dF/dt, and F is an impulse of ρ0 D Δv at one instant. Near by, ρ0 D Δv/4πR² remains in the
    // first integral too, and the second grows by it.
    const double rate = 48000, R = 4, jump = 1e-3;  // ∫F dt [N s]
    const std::vector<float> out = heard(
        {.reach = 0.1}, 400,
        [&](double t) {
            return one_dipole({0.01234, 0, 0}, {t == 100 / rate ? jump * rate : 0.0, 0, 0});
        },
        [&](double) {
            return EmissionPlace{{0, 0, 0}, {R + 0.01234, 0, 0}};
        });
    double once = 0, twice = 0;
    for (const float p : out) {
        once += double(p) / rate;
        twice += once / rate;
    }
    const double near = jump / (4 * pi * R * R);
    CHECK(once == Approx(near).epsilon(2e-3));  // 2e-6 of the far field's kernel, whose sum ought to be none
    const double heard_for = 400 / rate - (100 / rate - 0.01234 / c) - 0.5 / rate;
    CHECK(twice - near * heard_for == Approx(jump / (4 * pi * c * R)).epsilon(1e-3));
}

TEST_CASE("instants at another rate than samples: 88.2 and 44.1 kHz give the same 48 kHz") {
    const double omega = 2 * pi * 9000, R = 1.3;
    for (const double source_rate : {44100.0, 88200.0, 96000.0}) {
        CAPTURE(source_rate);
        const std::vector<float> out = heard(
            {.source_rate = source_rate, .sample_rate = 48000, .reach = 0.1}, 1000,
            [&](double t) {
                return one_dipole({0.03, 0, 0}, {std::cos(omega * t), 0, 0});
            },
            [&](double) {
                return EmissionPlace{{0, 0, 0}, {R + 0.03, 0, 0}};
            });
        const auto expected = [&](double t) {
            return std::real(dipole_field(omega, R) * std::polar(1.0, omega * (t + 0.03 / c)));
        };
        CHECK(largest_error(out, 48000, 300, expected) < 3e-5 * std::abs(dipole_field(omega, R)));
    }
}

TEST_CASE("what alternates from instant to instant is not heard") {
    // As integrators leave it after hard impacts. In the far field it would be πf_s/c as loud as the force.
    const double rate = 48000, R = 1;
    long k = 0;
    const std::vector<float> out = heard(
        {.reach = 0.1}, 1000,
        [&](double) {
            return one_dipole({0.01, 0, 0}, {k++ % 2 ? 1.0 : -1.0, 0, 0});
        },
        [&](double) {
            return EmissionPlace{{0, 0, 0}, {R, 0, 0}};
        });
    CHECK(largest_error(out, rate, 300, [](double) { return 0.0; }) < 3e-5 * std::abs(dipole_field(pi * rate, R)));
}

TEST_CASE("the bytes do not depend on when samples are taken") {
    const auto sources = [](double t) {
        PointSources many{
            .positions = Eigen::MatrixX3d(300, 3), .forces = Eigen::MatrixX3d(300, 3), .flows = Eigen::VectorXd(300)};
        for (long i = 0; i < 300; ++i) {
            many.positions.row(i) << 0.001 * double(i), 0.02 * std::sin(0.1 * double(i) + 50 * t), 0;
            many.forces.row(i) << std::sin(1000 * t + double(i)), std::cos(3000 * t), 1;
            many.flows[i] = 0.01 * std::cos(double(i) * t);
        }
        return many;
    };
    const EmissionPlace place{{0.1, 0, 0}, {0.3, 1, 0.2}};
    const auto taken_by = [&](long block) {
        DipoleSum sum({.source_rate = 50000, .reach = 0.5}, air);
        std::vector<float> out;
        for (long k = 0; long(out.size()) < 3000; ++k) {
            sum.add(sources(double(k) / 50000), place);
            if (sum.ready() < block) continue;
            out.resize(out.size() + size_t(block));
            sum.take(std::span(out).last(size_t(block)));
        }
        out.resize(3000);
        return out;
    };
    const std::vector<float> in_ones = taken_by(1);
    CHECK(taken_by(64) == in_ones);
    CHECK(taken_by(1999) == in_ones);
}

TEST_CASE("a source that leaves the reach of its centre is an error, not a wrong sound") {
    DipoleSum sum({.reach = 0.5}, air);
    sum.add(one_dipole({0.4, 0, 0}, {1, 0, 0}), {{0, 0, 0}, {2, 0, 0}});
    CHECK_THROWS_WITH(sum.add(one_dipole({0.6, 0, 0}, {1, 0, 0}), {{0, 0, 0}, {2, 0, 0}}),
                      "at 2.08333e-05 s, a point that radiates is farther from the centre of its sound than 0.5 m");
    DipoleSum other({.reach = 0.5}, air);
    CHECK_THROWS_AS(other.add(one_dipole({NAN, 0, 0}, {1, 0, 0}), {{0, 0, 0}, {2, 0, 0}}), Error);
}

}  // namespace dipole_sum_test
