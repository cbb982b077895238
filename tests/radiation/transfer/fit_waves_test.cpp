#include <clangor/radiation/transfer/fit_waves.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <limits>

namespace fit_waves_test {

using namespace clangor;
using namespace clangor::modal_transfer;
using clangor::test::Approx;
using Complex = std::complex<double>;

namespace {

// e^{−ik|x−s|}/|x−s| at all points.
Eigen::VectorXcd monopole(const Points& points, const Vec3& source, double k) {
    Eigen::VectorXcd p(points.rows());
    for (long i = 0; i < points.rows(); ++i) {
        const double r = (Vec3(points.row(i)) - source).norm();
        p[i] = std::polar(1 / r, -k * r);
    }
    return p;
}

Eigen::VectorXd one(double value) { return Eigen::VectorXd::Constant(1, value); }

const RecordingSpheres unit_spheres = spheres_around({{0.3, -0.2, 0.1}, 1.0}, 16);

}  // namespace

TEST_CASE("a bounding sphere holds all points and is hardly larger than the smallest one") {
    // A box is held by half its diagonal; a cone of height 1 and base radius ¼ by (1 + 1/16)/2, centred off its box.
    Points box(8, 3), cone(101, 3);
    for (int i = 0; i < 8; ++i) box.row(i) << (i & 1) * 0.3, (i & 2) * 0.1, (i & 4) * 0.15;
    for (int i = 0; i < 100; ++i) cone.row(i) << 0.25 * std::cos(0.02 * pi * i), 0.25 * std::sin(0.02 * pi * i), 0;
    cone.row(100) << 0, 0, 1;
    const auto check = [](const Points& points, double smallest) {
        const BoundingSphere sphere = bounding_sphere(points);
        CHECK((points.rowwise() - sphere.centre.transpose()).rowwise().norm().maxCoeff() <=
              sphere.radius * (1 + 1e-12));
        CHECK(sphere.radius >= smallest * (1 - 1e-12));
        CHECK(sphere.radius <= smallest * 1.01);  // as the header promises
    };
    check(box, std::sqrt(square(0.3) + square(0.2) + square(0.6)) / 2);
    check(cone, (1 + 1.0 / 16) / 2);
}

TEST_CASE("a body radiates harmonics up to a little beyond kR") {
    CHECK(radiated_degree(1e-6, 1) == 7);
    CHECK(radiated_degree(9.5, 1) == 16);
    CHECK(radiated_degree(1e9, 1) == 60);
}

TEST_CASE("a monopole in the centre is one harmonic, with the delay of the reference sphere taken out") {
    const double k = 3, r0 = unit_spheres.radii.front();
    const Air air;
    const WaveFit fit = fit_waves(unit_spheres, monopole(shell_points(unit_spheres), unit_spheres.body.centre, k),
                                  one(k * air.speed_of_sound), air, 1e-3);
    REQUIRE(fit.modes.front().degree == 0);
    // p = e^{−ikr₀}/r₀ = b Y₀₀ e^{−ikr₀}, Y₀₀ = 1/√4π. Floats carry seven digits.
    CHECK(std::abs(Complex(fit.modes.front().coefficients[0]) - std::sqrt(4 * pi) / r0) < 1e-5);
    CHECK(fit.residuals[0] < 1e-5);
}

TEST_CASE("waves fitted on two spheres are right everywhere outside") {
    const double k = 6;
    const Air air;
    const Vec3 source = unit_spheres.body.centre + Vec3(0.3, 0.4, -0.2);
    const WaveFit fit = fit_waves(unit_spheres, monopole(shell_points(unit_spheres), source, k),
                                  one(k * air.speed_of_sound), air, 1e-3);
    const ModeTransfer& mode = fit.modes.front();
    CHECK(mode.degree < unit_spheres.degree);
    const ModalTransfer baked{.centre = unit_spheres.body.centre,
                              .radius = 1,
                              .reference_radius = unit_spheres.radii.front(),
                              .air = air,
                              .modes = fit.modes};
    for (const double distance : {2.0, 5.0, 100.0}) {
        const Points listener = (unit_spheres.body.centre + distance * Vec3(-0.48, 0.6, 0.64)).transpose();
        const Complex p = transfer(baked, listener.row(0))[0] * std::polar(1.0, -k * distance);
        const Complex exact = monopole(listener, source, k)[0];
        // Degrees below 1e-3 of the whole (L2 over directions) are dropped; in a single direction three times that is
        // rare.
        CHECK(std::abs(p - exact) < 3e-3 * std::abs(exact));
    }
}

TEST_CASE("incoming waves are told from outgoing ones") {
    const double k = 2, r1 = unit_spheres.radii[0], r2 = unit_spheres.radii[1];
    const Eigen::VectorXcd incoming =
        monopole(shell_points(unit_spheres), unit_spheres.body.centre, k).conjugate();  // e^{+ikr}/r
    const WaveFit fit = fit_waves(unit_spheres, incoming, one(k * Air{}.speed_of_sound), {}, 1e-3);
    // What an outgoing wave explains of two spheres is |e^{2ikr₁} + e^{2ikr₂}|²/4 = cos² k(r₂ − r₁).
    CHECK(fit.residuals[0] == Approx(std::abs(std::sin(k * (r2 - r1)))).epsilon(1e-4));
}

TEST_CASE("what is heard falls with distance as outgoing waves do") {
    // Degree 0: r₀/r at any frequency. Degree l at kR → 0: (r₀/r)^{l+1} near, and far away next to nothing.
    const Audibility heard = audibility(unit_spheres, 1e-3);
    const double r0_r = unit_spheres.radii.front() / 2, Y = 1 / std::sqrt(4 * pi);
    CHECK(heard.near[0] == Approx(Y * r0_r));
    CHECK(heard.far[0] == Approx(Y * r0_r));
    CHECK(heard.near[3] == Approx(Y * std::pow(r0_r, 4)).epsilon(1e-5));
    CHECK(heard.far[3] < 1e-8);
}

TEST_CASE("pressures that are not finite are refused") {
    Eigen::MatrixXcd p = monopole(shell_points(unit_spheres), Vec3::Zero(), 1);
    p(17, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_WITH_AS(fit_waves(unit_spheres, p, one(343), {}, 1e-3), doctest::Contains("not finite"), Error);
}

}  // namespace fit_waves_test
