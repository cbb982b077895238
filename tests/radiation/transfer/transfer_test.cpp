#include "map_fields.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

#include <limits>

namespace transfer_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

TEST_CASE("a monopole off the centre is heard as its closed form says, near and far") {
    ModalTransfer body = unit_body();
    body.centre = {0.3, -0.2, 0.1};
    const Vec3 source(0.3, 0.5, -0.4);
    // The series of degree 20 leaves out (|y|/r)^21 at most: 3e-6 at r₀. Coefficients are float: 6e-8 each.
    for (const double k : {0.01, 1.0, 8.0}) body.modes.push_back(monopole_at(source, k, 20, body));
    std::mt19937 random(1);
    for (const double r : {1.35, 2.0, 10.0, 300.0}) {
        const Vec3 arm = r * random_direction(random);
        const Eigen::VectorXcd P = transfer(body, body.centre + arm);
        for (long j = 0; j < P.size(); ++j) {
            const double k = body.modes[j].omega / body.air.speed_of_sound, way = (arm - source).norm();
            const Complex expected = std::polar(1 / way, -k * (way - r));  // over the time of emission from the centre
            CHECK(std::abs(P[j] - expected) < 1e-5 * std::abs(expected));
        }
    }
}

TEST_CASE("inside the reference sphere the nearest point outside is heard, at the centre that on +z") {
    ModalTransfer body = unit_body();
    body.centre = {1, 2, 3};
    body.modes = {monopole_at({0.1, 0.5, 0.2}, 3, 12, body), random_field(5, 8, 1, body)};
    const Vec3 direction = Vec3(1, -2, 0.5).normalized();
    const Eigen::VectorXcd on = transfer(body, body.centre + body.reference_radius * direction);
    for (const double r : {1.3, 0.5, 1e-3})
        CHECK((transfer(body, body.centre + r * direction) - on).norm() < 1e-9 * on.norm());  // of rounding in r
    const Eigen::VectorXcd top = transfer(body, body.centre + Vec3(0, 0, body.reference_radius));
    CHECK(transfer(body, body.centre) == top);
    CHECK(in_near_field(body, body.centre));
    CHECK(in_near_field(body, body.centre + 1.34 * direction));
    CHECK_FALSE(in_near_field(body, body.centre + 1.36 * direction));
}

TEST_CASE("a degree far below its frequency falls with the distance as in still air") {
    // (r₀/r)^{l+1} where kr ≪ 1
    ModalTransfer body = unit_body();
    for (int l = 0; l <= 3; ++l) {
        ModeTransfer mode = {.omega = 1e-4, .degree = l, .coefficients = Eigen::VectorXcf::Zero((l + 1) * (l + 1))};
        mode.coefficients[l * l + l] = 1;
        body.modes.push_back(mode);
    }
    const Vec3 direction = Vec3(0.2, 0.3, 0.9).normalized();
    const Eigen::VectorXcd near = transfer(body, 1.35 * direction), far = transfer(body, 2.7 * direction);
    for (int l = 0; l <= 3; ++l) CHECK(std::abs(far[l] / near[l]) == Approx(std::pow(0.5, l + 1)).epsilon(1e-6));
}

TEST_CASE("silent modes are heard as nothing; what is missing and what it weighs is known") {
    ModalTransfer body = unit_body();
    body.modes = {monopole_at({0, 0, 0.5}, 1, 3, body), {.omega = 1e6, .degree = 0}, {.omega = 10}};
    CHECK_FALSE(body.complete());
    CHECK(body.bytes() == 16 * 8);  // (3+1)² complex floats
    const Eigen::VectorXcd P = transfer(body, {3, 0, 0});
    CHECK(std::abs(P[0]) > 0.1);
    CHECK(P[1] == 0.0);
    CHECK(P[2] == 0.0);
    body.modes.pop_back();
    CHECK(body.complete());
    CHECK(transfer(unit_body(), {3, 0, 0}).size() == 0);
}

TEST_CASE("what is not a number is an error, never a pressure") {
    ModalTransfer body = unit_body();
    body.modes = {monopole_at({0, 0, 0.5}, 1, 3, body)};
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    CHECK_THROWS_WITH_AS(transfer(body, {nan, 0, 0}), doctest::Contains("listener's position"), Error);
    CHECK_THROWS_AS(transfer(body, {infinity, 0, 0}), Error);
    body.modes[0].coefficients[5] = std::numeric_limits<float>::quiet_NaN();
    CHECK_THROWS_WITH_AS(transfer(body, {3, 1, 1}), doctest::Contains("mode 0 is not a number"), Error);
}

}  // namespace transfer_test
