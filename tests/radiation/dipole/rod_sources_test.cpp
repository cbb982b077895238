// Rods that move as a whole, against closed forms.
#include <clangor/radiation/dipole/dipole.hpp>

#include <radiation/dipole/heard_sources.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <complex>
#include <vector>

namespace rod_sources_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;
using Complex = std::complex<double>;

namespace {

const Air air;
const double c = air.speed_of_sound;

/// A straight rod along z about the origin, with d_1 along x.
RodInstant straight(const Eigen::VectorXd& lengths) {
    const long n = lengths.size();
    RodInstant instant{.positions = Eigen::MatrixX3d::Zero(n, 3),
                       .accelerations = Eigen::MatrixX3d::Zero(n, 3),
                       .d_1 = Vec3::UnitX().transpose().replicate(n, 1),
                       .d_2 = Vec3::UnitY().transpose().replicate(n, 1)};
    double z = -lengths.sum() / 2;
    for (long i = 0; i < n; ++i) {
        instant.positions(i, 2) = z;
        if (i + 1 < n) z += (i == 0 ? lengths[i] : lengths[i] / 2) + (i + 2 == n ? lengths[i + 1] : lengths[i + 1] / 2);
    }
    return instant;
}

Eigen::VectorXd even_lengths(double length, long points) {
    Eigen::VectorXd lengths = Eigen::VectorXd::Constant(points, length / double(points - 1));
    lengths[0] = lengths[points - 1] = length / double(points - 1) / 2;
    return lengths;
}

/// The amplitude of Re(p e^{iωt}), by least squares, once it goes on.
Complex tone_of(const std::vector<float>& out, double omega) {
    Eigen::Matrix2d A = Eigen::Matrix2d::Zero();
    Eigen::Vector2d b = Eigen::Vector2d::Zero();
    for (size_t j = out.size() / 2; j < out.size(); ++j) {
        const Eigen::Vector2d wave(std::cos(omega * double(j) / 48000), -std::sin(omega * double(j) / 48000));
        A += wave * wave.transpose();
        b += double(out[j]) * wave;
    }
    const Eigen::Vector2d fit = A.inverse() * b;
    return {fit[0], fit[1]};
}

/// Complex pressure for accelerations Re(shape e^{iωt}), with the time of arrival.
Complex pressure_of(const RadiatingRod& rod, RodInstant instant, double omega, const Vec3& receiver,
                    double thick_radius = 0) {
    const Eigen::MatrixX3d shape = instant.accelerations;
    const DipoleSumOptions options{
        .source_rate = 48000, .sample_rate = 48000, .reach = 5, .thick_radius = thick_radius};
    const std::vector<float> out = heard(
        options, 2000,
        [&](double t) {
            instant.accelerations = std::cos(omega * t) * shape;
            return sources_of(rod, instant, air);
        },
        [&](double) {
            return EmissionPlace{{0, 0, 0}, receiver};
        });
    return tone_of(out, omega) * std::polar(1.0, -omega * receiver.norm() / c);
}

double wave_number(double hz) { return 2 * pi * hz / c; }

}  // namespace

TEST_CASE("a short rod that moves as a whole is one dipole, ρ0 L D, near and far") {
    // 6 cm at 200 Hz: kL = 0.22. A line is a point to a part (L/R)²/8 of the near field, and (kL)²/24 of the far.
    const RadiatingRod rod = radiating_rod(CircleSection{0.004}, even_lengths(0.06, 31));
    RodInstant instant = straight(rod.lengths);
    instant.accelerations.col(0).setConstant(3.0);
    const double k = wave_number(200), D = 0.06 * 2 * pi * square(0.004);
    for (const double R : {0.5, 5.0}) {
        CAPTURE(R);
        const Complex p = pressure_of(rod, instant, k * c, {R, 0, 0});
        const Complex exact = air.density * D * 3.0 / (4 * pi) * Complex(1 / (R * R), k / R) * std::polar(1.0, -k * R);
        CHECK(std::abs(p - exact) < (square(0.06 / R) / 8 + square(k * 0.06) / 24 + 1e-4) * std::abs(exact));
    }
}

TEST_CASE("a small sphere that moves to and fro is a dipole of D = 2πa³, near and far") {
    // Exactly p = A (ik + 1/r) e^{−ikr}/r cos θ, and from ∂p/∂r = −iωρ0 U at r = a:
    //     A = iωρ0 U a³ e^{ika} / (2 + 2ika − (ka)²) = ½ iωρ0 U a³ (1 + (ka)² …)
    const double a = 0.01, k = wave_number(300);
    for (const double R : {0.02, 0.3, 3.0}) {
        CAPTURE(R);
        const std::complex<double> A =
            air.density * cube(a) * std::polar(1.0, k * a) / Complex(2 - square(k * a), 2 * k * a);  // for iωU = 1
        const Complex exact = A * Complex(1 / R, k) / R * std::polar(1.0, -k * R);
        const double force = air.density * 2 * pi * cube(a);
        const Complex p = tone_of(heard(
                                      {.reach = 0.1}, 2000,
                                      [&](double t) {
                                          return one_dipole({0, 0, 0}, {force * std::cos(k * c * t), 0, 0});
                                      },
                                      [&](double) {
                                          return EmissionPlace{{0, 0, 0}, {R, 0, 0}};
                                      }),
                                  k * c) *
                          std::polar(1.0, -k * R);
        CHECK(std::abs(p - exact) < (square(k * a) + 1e-4) * std::abs(exact));
    }
}

TEST_CASE("near a rod that moves slowly, the field is that of a line of dipoles of its length") {
    // k → 0 beside the middle: (ρ0 D a/4π) ∫ d/(d² + z²)^{3/2} dz = (ρ0 D a/4π) L/(d √(d² + L²/4))
    const double L = 0.4, radius = 0.003, D = 2 * pi * square(radius);
    const RadiatingRod rod = radiating_rod(CircleSection{radius}, even_lengths(L, 101));
    RodInstant instant = straight(rod.lengths);
    instant.accelerations.col(0).setConstant(1.0);
    const double k = wave_number(20);
    for (const double d : {0.02, 0.1, 0.3}) {
        CAPTURE(d);
        const Complex p = pressure_of(rod, instant, k * c, {d, 0, 0});
        const double exact = air.density * D / (4 * pi) * L / (d * std::hypot(d, L / 2));
        CHECK(std::abs(p) == Approx(exact).epsilon(square(k * L) + 1e-3));
    }
}

TEST_CASE("in the plane of its section a rod sounds as r̂·D a: cos θ for a circle, turned and flattened for others") {
    const double k = wave_number(500), R = 3;
    const auto pattern = [&](const Section& section, double direction, double theta) {
        const RadiatingRod rod = radiating_rod(section, even_lengths(0.02, 5));
        RodInstant instant = straight(rod.lengths);
        instant.accelerations.rowwise() = Eigen::RowVector3d(std::cos(direction), std::sin(direction), 0);
        const Complex p = pressure_of(rod, instant, k * c, R * Vec3(std::cos(theta), std::sin(theta), 0));
        // Against its phase straight ahead of a positive force.
        const Complex unit = Complex(1 / (R * R), k / R) * std::polar(1.0, -k * R) * air.density * 0.02 / (4 * pi);
        return (p / unit).real();
    };
    for (const double theta : {0.0, 0.7, 1.4, 2.5, 4.0}) {
        CAPTURE(theta);
        const double a = 0.005;
        CHECK(pattern(CircleSection{a}, 0, theta) ==
              doctest::Approx(2 * pi * a * a * std::cos(theta)).epsilon(1e-3).scale(1e-4));
        // A flat bar that is pushed along its diagonal pushes the air across its width.
        const RectangleSection flat{0.02, 0.002};
        const Eigen::Matrix2d D = dipole_matrix(flat);
        const double expected = (D(0, 0) * std::cos(theta) + D(1, 1) * std::sin(theta)) * std::sqrt(0.5);
        CHECK(pattern(flat, pi / 4, theta) == doctest::Approx(expected).epsilon(1e-3).scale(1e-4));
    }
}

TEST_CASE("a long cylinder: Hankel's field at small ka, and at any ka with the correction for thick rods") {
    // Of an infinite one p = −iρ0 c U H₁⁽²⁾(kr)/H₁⁽²⁾′(ka). This one's motion fades out from 1 to 3 m, so slowly
    // against the wavelength that its ends are not heard.
    const double a = 0.02, r = 0.4;
    const RadiatingRod rod = radiating_rod(CircleSection{a}, even_lengths(6, 401));
    RodInstant instant = straight(rod.lengths);
    for (long i = 0; i < instant.positions.rows(); ++i) {
        const double u = std::clamp((std::abs(instant.positions(i, 2)) - 1) / 2, 0.0, 1.0);
        instant.accelerations(i, 0) = 1 - u * u * u * (10 - 15 * u + 6 * u * u);
    }
    const auto hankel = [](double z) { return Complex(std::cyl_bessel_j(1, z), -std::cyl_neumann(1, z)); };
    const auto slope = [](double z) {
        return Complex(std::cyl_bessel_j(0, z) - std::cyl_bessel_j(1, z) / z,
                       -std::cyl_neumann(0, z) + std::cyl_neumann(1, z) / z);
    };
    for (const double ka : {0.1, 0.25, 0.5, 1.0, 2.0}) {
        CAPTURE(ka);
        const double k = ka / a, omega = k * c;
        const Complex U = 1.0 / Complex(0, omega);  // of an acceleration of one
        const Complex exact = Complex(0, -1) * air.density * c * U * hankel(k * r) / slope(ka);
        const Complex thin = pressure_of(rod, instant, omega, {r, 0, 0});
        const Complex thick = pressure_of(rod, instant, omega, {r, 0, 0}, a);
        CHECK(std::abs(thick - exact) < 4e-3 * std::abs(exact));  // the kernel ends after 40 a/c
        // What D alone errs by: (compact/exact) of an infinite cylinder.
        const double ratio = ka == 0.1 ? 0.991 : ka == 0.25 ? 0.972 : ka == 0.5 ? 0.997 : ka == 1.0 ? 1.458 : 3.566;
        CHECK(std::abs(thin / exact) == Approx(ratio).epsilon(3e-3));
    }
}

TEST_CASE("a rod that moves along itself pushes air with its ends: as much as the air that it displaces") {
    // Two monopoles ±ρ0 A a, L apart: together a dipole of ρ0 A L, the volume.
    const double L = 0.05, radius = 0.004, area = pi * square(radius), k = wave_number(200), R = 2;
    const RadiatingRod rod = radiating_rod(CircleSection{radius}, even_lengths(L, 21));
    RodInstant instant = straight(rod.lengths);
    instant.accelerations.col(2).setConstant(1.0);
    const Complex p = pressure_of(rod, instant, k * c, {0, 0, R});
    const Complex exact = air.density * area * L / (4 * pi) * Complex(1 / (R * R), k / R) * std::polar(1.0, -k * R);
    CHECK(std::abs(p - exact) < 3e-3 * std::abs(exact));  // (kL)²/24 and (L/R)²/4, and that they are far apart
    CHECK(std::abs(pressure_of(rod, instant, k * c, {R, 0, 0})) < 1e-4 * std::abs(exact));
}

TEST_CASE("a rod that gets longer gets thinner: what is left is 1 − 2ν of the volume of its ends") {
    const double L = 0.05, radius = 0.004, area = pi * square(radius), k = wave_number(200), R = 2;
    RadiatingRod rod = radiating_rod(CircleSection{radius}, even_lengths(L, 21));
    for (const double poisson : {0.0, 0.3, 0.5}) {
        CAPTURE(poisson);
        rod.poisson = poisson;
        RodInstant instant = straight(rod.lengths);
        instant.accelerations.col(2) = 2 * instant.positions.col(2) / L;  // both ends by 1 m/s², away from each other
        const Complex p = pressure_of(rod, instant, k * c, {R, 0, 0});
        const double ends = air.density * 2 * area / (4 * pi * R);
        CHECK(std::abs(p) == doctest::Approx((1 - 2 * poisson) * ends).epsilon(2e-3).scale(1e-3));
    }
}

TEST_CASE("a flat bar that flies on and turns about itself pushes by the change of D") {
    // P = ρ0 L D v with D_yy = D_11 cos²θ + D_22 sin²θ, D_yz = (D_11 − D_22) sin θ cos θ, and no acceleration at all.
    const double rate = 48000, spin = 30, v = 2;
    const Eigen::VectorXd lengths = Eigen::VectorXd::Constant(5, 0.1);
    const RadiatingRod bar = radiating_rod(RectangleSection{0.03, 0.003}, lengths);
    const auto at = [&](double angle) {
        RodInstant instant{Eigen::MatrixX3d::Zero(5, 3), Eigen::MatrixX3d::Zero(5, 3), Eigen::MatrixX3d(5, 3),
                           Eigen::MatrixX3d(5, 3), Eigen::MatrixX3d(5, 3)};
        for (long i = 0; i < 5; ++i) {
            instant.positions(i, 0) = 0.1 * double(i);
            instant.d_1.row(i) << 0, std::cos(angle), std::sin(angle);
            instant.d_2.row(i) << 0, -std::sin(angle), std::cos(angle);
            instant.velocities.row(i) << 0, v, 0;
        }
        return instant;
    };
    const Eigen::Matrix2d D = dipole_matrix(RectangleSection{0.03, 0.003});
    for (const double angle : {0.0, 0.4, 1.1}) {
        const RodInstant now = at(angle + spin / rate / 2);
        PointSources sources = sources_of(bar, now, air);
        CHECK(sources.forces.isZero(1e-15));
        add_turning(bar, at(angle - spin / rate / 2), now, rate, air, sources);
        const double difference = air.density * 0.1 * (D(0, 0) - D(1, 1)) * spin * v;
        CHECK(sources.forces(2, 1) == Approx(-difference * std::sin(2 * angle)).epsilon(1e-6));
        CHECK(sources.forces(2, 2) == Approx(difference * std::cos(2 * angle)).epsilon(1e-6));
        CHECK(sources.flows.isZero(1e-12));
    }
}

TEST_CASE("a closed ring has no ends") {
    const long n = 40;
    RadiatingRod rod = radiating_rod(CircleSection{0.001}, Eigen::VectorXd::Constant(n, 2 * pi * 0.05 / n));
    rod.closed = true;
    RodInstant instant = straight(rod.lengths);
    for (long i = 0; i < n; ++i) {
        const double angle = 2 * pi * double(i) / n;
        instant.positions.row(i) << 0.05 * std::cos(angle), 0.05 * std::sin(angle), 0;
        instant.accelerations.row(i) << -std::sin(angle), std::cos(angle), 0;  // it turns
        instant.d_1.row(i) << std::cos(angle), std::sin(angle), 0;
        instant.d_2.row(i) << 0, 0, 1;
    }
    const PointSources sources = sources_of(rod, instant, air);
    CHECK(sources.flows.norm() < 1e-15);
    CHECK(sources.forces.norm() < 1e-15);
}

TEST_CASE("air flows around free ends: a whole rod moves as much along as tables of added masses have it") {
    // Of the strip's, the part that plates and cylinders of so many widths have [DNV2010]. One curve towards the ends
    // serves all sections: 2 % for long ones, 4 % for short.
    const auto part = [](const Section& section, double width, double widths) {
        const RadiatingRod rod = with_free_ends(radiating_rod(section, even_lengths(widths * width, 101)));
        return rod.lengths.dot(rod.beside_ends.col(1)) / rod.lengths.sum();
    };
    const RectangleSection plate{0.02, 2e-6};
    CHECK(part(plate, 0.02, 10) == Approx(0.947).epsilon(0.02));
    CHECK(part(plate, 0.02, 5) == Approx(0.897).epsilon(0.02));
    CHECK(part(plate, 0.02, 2.5) == Approx(0.801).epsilon(0.04));
    const CircleSection cylinder{0.01};
    CHECK(part(cylinder, 0.02, 9) == Approx(0.96).epsilon(0.02));
    CHECK(part(cylinder, 0.02, 5) == Approx(0.90).epsilon(0.02));
    CHECK(part(cylinder, 0.02, 2.5) == Approx(0.78).epsilon(0.04));

    // Forces are those of the air that is left, and of the air that the rod takes the place of.
    const RadiatingRod rod = with_free_ends(radiating_rod(plate, even_lengths(0.2, 11)));
    RodInstant instant = straight(rod.lengths);
    instant.accelerations.col(1).setConstant(1.0);
    const PointSources sources = sources_of(rod, instant, air);
    const double M = rod.dipole(1, 1) - rod.area;
    for (long i = 0; i < 11; ++i)
        CHECK(sources.forces(i, 1) ==
              Approx(air.density * rod.lengths[i] * (rod.area + rod.beside_ends(i, 1) * M)).epsilon(1e-12));
}

TEST_CASE("a section at a point is turned halfway from one edge to the next, by twist and by bending") {
    // Edges of a helix: directions, and directors that are turned from edge to edge.
    const auto frame_at = [](double turn, double twist) {
        return Mat3(Eigen::AngleAxisd(turn, Vec3::UnitY()) * Eigen::AngleAxisd(twist, Vec3::UnitZ()));
    };
    for (const auto& [turn, twist] : {std::pair{0.0, 0.4}, std::pair{0.3, 0.0}}) {
        CAPTURE(turn);
        SectionFrames edges{Eigen::MatrixX3d(5, 3), Eigen::MatrixX3d(5, 3)};
        for (int j = 0; j < 5; ++j) {
            edges.d_1.row(j) = frame_at(turn * j, twist * j).col(0);
            edges.d_2.row(j) = frame_at(turn * j, twist * j).col(1);
        }
        const SectionFrames points = frames_at_points(edges, false);
        CHECK(points.d_1.rows() == 6);
        CHECK((points.d_1.row(0) - edges.d_1.row(0)).norm() < 1e-12);
        CHECK((points.d_2.row(5) - edges.d_2.row(4)).norm() < 1e-12);
        for (int i = 1; i < 5; ++i) {
            const Mat3 halfway = frame_at(turn * (i - 0.5), twist * (i - 0.5));
            CHECK((points.d_1.row(i).transpose() - halfway.col(0)).norm() < 1e-12);
            CHECK((points.d_2.row(i).transpose() - halfway.col(1)).norm() < 1e-12);
        }
        // Closed, the first point is between the last edge and the first.
        CHECK(frames_at_points(edges, true).d_1.rows() == 5);
    }
}

TEST_CASE("the image of a receiver below the floor hears what the rod's image sounds like above it") {
    // A hard floor is an image of the source, whose acceleration is mirrored too. Clangor asks for the path to the
    // receiver's image instead; both are the same, so that the floor is neither left out nor counted twice.
    const double k = wave_number(900);
    const RadiatingRod rod = radiating_rod(RectangleSection{0.02, 0.004}, even_lengths(0.3, 31));
    RodInstant above = straight(rod.lengths);
    above.positions.col(1).array() += 0.4;
    above.accelerations.col(0).setConstant(0.3);
    above.accelerations.col(1) = above.positions.col(2);
    above.accelerations.col(2).setConstant(0.1);
    RodInstant below = above;
    for (auto* rows : {&below.positions, &below.accelerations, &below.d_1, &below.d_2}) rows->col(1) *= -1;
    const Vec3 receiver(1.2, 0.7, 0.3), image(1.2, -0.7, 0.3);
    const Complex to_image = pressure_of(rod, above, k * c, image), of_image = pressure_of(rod, below, k * c, receiver);
    CHECK(std::abs(to_image - of_image) < 1e-5 * std::abs(of_image));
}

}  // namespace rod_sources_test
