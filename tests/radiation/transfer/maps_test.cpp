#include "map_fields.hpp"

#include <clangor/radiation/transfer/map_grid.hpp>
#include <clangor/radiation/transfer/map_lookup.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <limits>

namespace maps_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

/// Mean error of maps against waves, relative to each wave, from 3 to 20 R.
struct MeanError {
    double complex = 0, magnitude = 0;
};
MeanError mean_error(const ModalTransfer& body, const MapOptions& options) {
    const TransferMaps maps(body, options);
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform;
    MeanError error;
    const int listeners = 300;
    for (int i = 0; i < listeners; ++i) {
        const Vec3 listener = body.centre + 3 * std::pow(20.0 / 3, uniform(random)) * random_direction(random);
        const Eigen::VectorXcd exact = transfer(body, listener), map = heard(maps, listener);
        error.complex += ((map - exact).cwiseAbs().cwiseQuotient(exact.cwiseAbs())).mean() / listeners;
        error.magnitude +=
            ((map.cwiseAbs() - exact.cwiseAbs()).cwiseAbs().cwiseQuotient(exact.cwiseAbs())).mean() / listeners;
    }
    return error;
}

}  // namespace

TEST_CASE("maps of four terms hear what the waves say within 1 %, fewer terms less") {
    // The bar is 3 % in the mean, for complex pressures as for their magnitude; relative errors grow near silent
    // directions.
    ModalTransfer body = unit_body();
    body.centre = {0.5, 0, -1};
    body.modes = {monopole_at({0.2, 0.6, -0.5}, 10, 24, body)};
    for (const unsigned seed : {1u, 2u}) {
        body.modes.push_back(random_field(1, 2, seed, body));
        body.modes.push_back(random_field(5, 6, seed, body));
        body.modes.push_back(random_field(10, 10, seed, body));
        body.modes.push_back(random_field(20, 20, seed, body));
    }
    MeanError before{1, 1};
    for (int terms = 1; terms <= 4; ++terms) {
        const MeanError error = mean_error(body, {.terms = terms});
        CHECK(error.complex < 0.5 * before.complex);
        CHECK(error.magnitude < 0.5 * before.magnitude);
        before = error;
    }
    CHECK(before.complex < 0.005);
    CHECK(before.magnitude < 0.005);
}

TEST_CASE("low tones: each power of 1/r keeps its digits over all distances") {
    // kR = 0.002: p of a quadrupole changes from r^-3 to r^-1 at 500 R, 4e5 times below its value at 3 R.
    ModalTransfer body = unit_body();
    for (int l = 0; l <= 3; ++l) {
        ModeTransfer mode{.omega = 0.002 * body.air.speed_of_sound, .degree = l};
        mode.coefficients = Eigen::VectorXcf::Zero((l + 1) * (l + 1));
        for (int m = -l; m <= l; ++m) mode.coefficients[l * l + l + m] = std::complex<float>(1 + float(m), 0.5f);
        body.modes.push_back(mode);
    }
    const TransferMaps maps(body);
    const Vec3 direction = Vec3(0.5, 0.3, 0.8).normalized();
    for (double r = 2.6; r < 1e5; r *= 3) {
        const Eigen::VectorXcd exact = transfer(body, r * direction), map = heard(maps, r * direction);
        for (long j = 0; j < exact.size(); ++j) {
            CAPTURE(r);
            CAPTURE(j);
            CHECK(std::abs(map[j] - exact[j]) < 0.005 * std::abs(exact[j]));  // 6.7 points per wave: 2 (1/5.7)⁴ = 0.2 %
        }
    }
}

TEST_CASE("splines over the sphere converge with the fourth power of the step") {
    ModalTransfer body = unit_body();
    const int degree = 9;
    const ModeTransfer mode = random_field(9, degree, 8, body);
    const Eigen::MatrixXd harmonics = mode.coefficients.real().cast<double>();
    const auto error = [&](double samples) {
        const modal_transfer::MapGrid grid = modal_transfer::map_grid(degree, samples);
        const Eigen::MatrixXf c = modal_transfer::spline_coefficients(grid, harmonics, degree);
        double worst = 0;
        for (int i = 1; i < grid.rows - 2; ++i) {  // in the middle of four grid points: β = 1/48, 23/48, 23/48, 1/48
            for (int j = 1; j < grid.columns() - 2; ++j) {
                const double w[] = {1.0 / 48, 23.0 / 48, 23.0 / 48, 1.0 / 48};
                double value = 0;
                for (int a = 0; a < 4; ++a)
                    for (int b = 0; b < 4; ++b)
                        value += w[a] * w[b] * double(c((i + a - 1) * grid.columns() + j + b - 1, 0));
                const double theta = pi * (i + 1) / grid.rows, phi = 2 * pi * (j + 0.5) / grid.columns();
                const Vec3 d(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
                worst = std::max(worst, std::abs(value - harmonics.col(0).dot(spherical_harmonics(d, degree))));
            }
        }
        return worst * std::pow(grid.rows, 4);
    };
    const double coarse = error(6), fine = error(12);  // times rows⁴: the same
    CHECK(fine == Approx(coarse).epsilon(0.3));
}

TEST_CASE("maps bend no more at the poles and across φ = 0 than elsewhere") {
    // Second differences over 0.6°, a tenth of the grid's step, along great circles through each place and past it:
    // those of the map beside those of the waves. A kink of the slope or a jump would stand out; so would a pole that
    // depends on φ.
    ModalTransfer body = unit_body();
    body.modes = {random_field(10, 12, 4, body)};
    const TransferMaps maps(body);
    const double step = 0.01, r = 5;
    const auto bend_error = [&](const Vec3& start, const Vec3& along) {
        const auto at = [&](double angle) -> Vec3 { return r * (std::cos(angle) * start + std::sin(angle) * along); };
        double worst = 0;
        for (double angle = -0.1; angle <= 0.1; angle += 0.004) {
            const auto difference = [&](const auto& field) {
                return field(at(angle + step)) - 2.0 * field(at(angle)) + field(at(angle - step));
            };
            worst = std::max(worst, std::abs(difference([&](const Vec3& x) { return heard(maps, x)[0]; }) -
                                             difference([&](const Vec3& x) { return transfer(body, x)[0]; })));
        }
        return worst;
    };
    std::mt19937 random(2);
    double elsewhere = 0, poles = 0, seam = 0;
    for (int i = 0; i < 40; ++i) {
        const double phi = 2 * pi * i / 40;
        Vec3 d = random_direction(random);
        d.z() *= 0.5;
        d.normalize();
        elsewhere = std::max(elsewhere, bend_error(d, d.cross(random_direction(random)).normalized()));
        for (const double miss : {0.0, 1e-3, 0.01}) {  // radians past the pole
            const Vec3 along(std::cos(phi), std::sin(phi), 0), side(-std::sin(phi), std::cos(phi), 0);
            for (const double pole : {-1.0, 1.0})
                poles = std::max(poles, bend_error((Vec3(0, 0, pole) + miss * side).normalized(), along));
        }
        const double theta = 0.3 + 2.5 * i / 40;
        seam = std::max(seam, bend_error({std::sin(theta), 0, std::cos(theta)}, Vec3::UnitY()));
    }
    // The largest of 240 and of 40: half as much again by chance. Splines whose poles are left free bend 15 times as
    // much beside them.
    CHECK(poles < 1.5 * elsewhere);
    CHECK(seam < 1.2 * elsewhere);
}

TEST_CASE("a pole is heard alike from wherever it is approached") {
    ModalTransfer body = unit_body();
    body.modes = {random_field(10, 12, 9, body)};
    const TransferMaps maps(body);
    const Complex top = heard(maps, {0, 0, 4})[0];
    const double loudest = maps.image(0, 4, 24).cwiseAbs().maxCoeff();
    for (double phi = 0; phi < 6.3; phi += 0.1) {
        const Vec3 near(1e-7 * std::cos(phi), 1e-7 * std::sin(phi), 4);
        // Half a unit of 1/32767 in each of four terms that partly cancel at 4R.
        CHECK(std::abs(heard(maps, near)[0] - top) < 2e-4 * loudest);
    }
}

TEST_CASE("nearer than the maps reach the waves themselves are heard, and the change is not") {
    ModalTransfer body = unit_body();
    body.modes = {monopole_at({0, 0.5, 0.5}, 10, 24, body), random_field(10, 10, 1, body)};
    const TransferMaps maps(body);
    std::mt19937 random(4);
    for (int i = 0; i < 50; ++i) {
        const Vec3 d = random_direction(random);
        for (const double r : {0.2, 1.4, 2.49}) {
            const Eigen::VectorXcd exact = transfer(body, r * d);
            CHECK((heard(maps, r * d) - exact).norm() < 1e-6 * exact.norm());  // float
        }
        const Eigen::VectorXcd inside = heard(maps, 2.499999 * d), outside = heard(maps, 2.500001 * d);
        CHECK((inside - outside).norm() < 0.02 * (inside.norm() + 0.1));  // error of the maps, most where quiet
    }
    CHECK(heard(maps, body.centre).allFinite());
    // A reference sphere farther out moves the limit with it.
    body.reference_radius = 4;
    const Vec3 d = Vec3(1, 1, 1).normalized();
    const Eigen::VectorXcd exact = transfer(body, 3.9 * d);
    CHECK((heard(TransferMaps(body), 3.9 * d) - exact).norm() < 1e-6 * exact.norm());
}

TEST_CASE("any number of modes, silent ones among them, each heard as if alone") {
    ModalTransfer body = unit_body();
    for (unsigned j = 0; j < 35; ++j) {
        if (j % 9 == 4)
            body.modes.push_back({.omega = 1e6, .degree = 0});
        else if (j % 9 == 6)
            body.modes.push_back({.omega = 10, .degree = 1, .coefficients = Eigen::VectorXcf::Zero(4)});
        else
            body.modes.push_back(random_field(1 + 0.2 * j, 1 + int(j) / 5, j, body));
    }
    const Vec3 listener(3, -5, 2);
    for (const std::size_t count : {0, 1, 15, 16, 17, 35}) {
        ModalTransfer some = body;
        some.modes.resize(count);
        const TransferMaps maps(some);
        REQUIRE(maps.modes() == long(count));
        const Eigen::VectorXcd all = heard(maps, listener);
        for (std::size_t j = 0; j < count; ++j) {
            ModalTransfer alone = body;
            alone.modes = {body.modes[j]};
            CHECK(all[long(j)] == heard(TransferMaps(alone), listener)[0]);
            if (j % 9 == 4 || j % 9 == 6) CHECK(all[long(j)] == 0.0);
        }
    }
}

TEST_CASE("maps weigh what their grid says, two bytes a number") {
    ModalTransfer body = unit_body();
    body.modes = {random_field(10, 12, 1, body)};
    const long rows = 4 * 13 / 2 + 2;  // four samples per lobe, and two
    for (int terms = 1; terms <= 4; ++terms) {
        const long texels = (rows + 4) * (2 * rows + 4), least = texels * 4 * terms + long(body.bytes());
        const long bytes = long(TransferMaps(body, {.terms = terms}).bytes());
        CHECK(bytes >= least);
        CHECK(bytes <= least + 1024);  // one block of modes
    }
}

TEST_CASE("pictures show what is heard, and at infinity the limit of p r/R") {
    ModalTransfer body = unit_body();
    body.radius = 0.5;
    body.modes = {random_field(3, 4, 1, body), random_field(6, 7, 2, body)};
    const TransferMaps maps(body);
    for (const double distance : {0.8, 4.0}) {
        const Eigen::MatrixXcf picture = maps.image(1, distance, 6);
        REQUIRE(picture.cols() == 12);
        const double theta = pi * 2.5 / 6, phi = pi * 7.5 / 6;
        const Vec3 d(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
        const Complex expected = heard(maps, distance * d)[1];
        CHECK(std::abs(Complex(picture(2, 7)) - expected) < 1e-5 * std::abs(expected));  // rounding of the direction
    }
    const Eigen::MatrixXcf limit = maps.image(1, std::numeric_limits<double>::infinity(), 6);
    const Eigen::MatrixXcf far = maps.image(1, 5e6, 6) * 1e7f;
    CHECK((limit - far).norm() < 1e-5f * limit.norm());  // Ψ_2 R/r: 1e-6
}

TEST_CASE("a turn by any angle is a cosine and a sine") {
    for (float start = -3; start < 300; start += 7.77f) {
        float x[modal_transfer::block_modes], cosine[modal_transfer::block_modes],
            minus_sine[modal_transfer::block_modes];
        for (int j = 0; j < modal_transfer::block_modes; ++j) x[j] = start + 0.0837f * float(j);
        modal_transfer::turn(x, cosine, minus_sine);
        for (int j = 0; j < modal_transfer::block_modes; ++j) {
            CHECK(std::abs(double(cosine[j]) - std::cos(2 * pi * double(x[j]))) <
                  1e-6);  // float, and π/2 to the 12th/12!
            CHECK(std::abs(double(minus_sine[j]) + std::sin(2 * pi * double(x[j]))) < 5e-6);
        }
    }
}

TEST_CASE("what maps cannot be made of is an error that says so") {
    ModalTransfer body = unit_body();
    body.modes = {random_field(3, 4, 1, body), random_field(3, 4, 2, body)};
    CHECK_THROWS_WITH_AS(TransferMaps(body, {.terms = 5}), doctest::Contains("1 to 4 terms, not 5"), Error);
    CHECK_THROWS_AS(TransferMaps(body, {.terms = 0}), Error);
    CHECK_THROWS_WITH_AS(TransferMaps(body, {.spheres = 3}), doctest::Contains("at least 4 spheres"), Error);
    CHECK_THROWS_AS(TransferMaps(body, {.samples_per_lobe = 1}), Error);
    const auto broken = [&](const auto& breaking) {
        ModalTransfer other = body;
        breaking(other);
        return other;
    };
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto with_nan = broken([&](ModalTransfer& b) { b.modes[1].coefficients[3] = nan; });
    CHECK_THROWS_WITH_AS(TransferMaps{with_nan}, doctest::Contains("mode 1 has coefficients that are not numbers"),
                         Error);
    const auto unsolved = broken([](ModalTransfer& b) { b.modes[0] = {.omega = 5}; });
    CHECK_THROWS_WITH_AS(TransferMaps{unsolved}, doctest::Contains("mode 0 is not solved yet"), Error);
    const auto sizes = broken([](ModalTransfer& b) { b.modes[0].degree = 7; });
    CHECK_THROWS_WITH_AS(TransferMaps{sizes}, doctest::Contains("25 coefficients, not 64"), Error);
    const auto still = broken([](ModalTransfer& b) { b.modes[0].omega = 0; });
    CHECK_THROWS_AS(TransferMaps{still}, Error);
    const auto no_body = broken([](ModalTransfer& b) { b.radius = 0; });
    CHECK_THROWS_AS(TransferMaps{no_body}, Error);
    const TransferMaps maps(body);
    CHECK_THROWS_AS(heard(maps, {0, double(nan), 5}), Error);
}

}  // namespace maps_test
