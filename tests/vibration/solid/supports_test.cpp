#include <approx.hpp>

#include "box_mesh.hpp"

#include <clangor/vibration/solid/solid.hpp>

#include <doctest/doctest.h>

namespace supports_test {

using namespace clangor;
using clangor::test::Approx;
using clangor::test::box_mesh;
using clangor::test::with_mid_nodes;

namespace {

const Material steel{"steel", 7850, 200e9, 0.3, {}, ""};
constexpr double length = 0.2, width = 0.02, height = 0.01;

TetMesh bar() { return with_mid_nodes(box_mesh({length, height, width}, {16, 2, 3})); }

PatchDistance low_end(double depth) {
    return [=](const Vec3& x) { return x[0] + length / 2 - depth; };
}
PatchDistance high_end() {
    return [](const Vec3& x) { return length / 2 - 1e-6 - x[0]; };
}
PatchDistance ball(const Vec3& centre, double radius) {
    return [=](const Vec3& x) { return (x - centre).norm() - radius; };
}

HeldSolid held_bar(const std::vector<SolidSupport>& supports) {
    const TetMesh mesh = bar();
    return held(assemble(mesh, steel), skin_of(mesh), supports);
}

Eigen::VectorXd hz_of(const HeldSolid& solid, int count) {
    return vibration_modes(solid.constrained.body, {.min_hz = 1, .max_count = count}).omega / (2 * pi);
}

}  // namespace

TEST_CASE("a clamped end: six motions go, and the bar bends as Timoshenko's cantilever") {
    const HeldSolid solid = held_bar({{.hold = PatchHold::Clamped, .distance = low_end(1e-6)}});
    CHECK(solid.areas[0] == Approx(width * height));
    CHECK(solid.constrained.body.rigid.cols() == 0);
    const Eigen::VectorXd hz = hz_of(solid, 3);
    CHECK(hz[0] == Approx(203.446).epsilon(0.01));   // thin; 1 %: two quadratic elements in height, a 3-D clamp
    CHECK(hz[1] == Approx(404.529).epsilon(0.01));   // wide
    CHECK(hz[2] == Approx(1260.336).epsilon(0.01));  // thin, second
}

TEST_CASE("hinges at both ends: the bar bends as a pinned beam, and cannot turn about its length") {
    const HeldSolid solid = held_bar(
        {{.hold = PatchHold::Hinged, .distance = low_end(1e-6)}, {.hold = PatchHold::Hinged, .distance = high_end()}});
    CHECK(solid.constrained.body.rigid.cols() == 0);
    const Eigen::VectorXd hz = hz_of(solid, 2);
    CHECK(hz[0] == Approx(569.832).epsilon(0.01));
    CHECK(hz[1] == Approx(2251.744).epsilon(0.01));
}

TEST_CASE("ball joints leave what they cannot hold: three turns at one of them, one about two") {
    const SolidSupport left{.hold = PatchHold::Pinned, .distance = ball({-length / 2, 0, 0}, 0.003)};
    const SolidSupport right{.hold = PatchHold::Pinned, .distance = ball({length / 2, 0, 0}, 0.003)};
    CHECK(held_bar({left}).constrained.body.rigid.cols() == 3);
    const HeldSolid solid = held_bar({left, right});
    REQUIRE(solid.constrained.body.rigid.cols() == 1);
    const Eigen::VectorXd hz = hz_of(solid, 2);
    CHECK(hz[0] == Approx(569.832).epsilon(0.01));  // thin; the joints' dents give way a little
    // Wide: π² √(E/12ρ) b/(2πL²) = 1144 Hz, less 2 % for shear and rotary inertia at b/L = 1/10.
    CHECK(hz[1] == Approx(1144.4).epsilon(0.03));
}

TEST_CASE("a patch of felt has its area, whatever elements it covers, and its springs add up to k A") {
    const double k = 1e7, radius = 0.004;
    for (const double x : {0.0, 0.013, 0.0552}) {
        const HeldSolid solid =
            held_bar({{.hold = PatchHold::Felt, .distance = ball({x, -height / 2, 0}, radius), .stiffness = k}});
        const double area = pi * square(radius);
        CHECK(solid.areas[0] == Approx(area).epsilon(0.01));  // pieces of a 64th of an element's edge
        const auto spring = [&](int axis) {
            Eigen::VectorXd u = Eigen::VectorXd::Zero(solid.felt.cols());
            for (long i = axis; i < u.size(); i += 3) u[i] = 1;
            return u.dot(solid.felt * u);
        };
        CHECK(spring(1) == Approx(k * solid.areas[0]));      // normal to the surface
        CHECK(spring(0) == Approx(k * solid.areas[0] / 2));  // along it
        CHECK(spring(2) == Approx(k * solid.areas[0] / 2));
    }
}

TEST_CASE("on soft felt all over, a body bounces as a rigid one and bends as a free one") {
    // m ω² = k A normal to the felt, half of it along; the first bending mode, 1286 Hz, moves up by k/(2ρhω²) = 2e-4.
    const double k = 1e7;
    const HeldSolid solid = held_bar({{.hold = PatchHold::Felt,
                                       .distance = [](const Vec3& x) { return x[1] + height / 2 - 1e-6; },
                                       .stiffness = k,
                                       .loss_factor = 0.3}});
    CHECK(solid.areas[0] == Approx(length * width));
    CHECK((solid.felt_loss - 0.3 * solid.felt).norm() < 1e-9 * solid.felt.norm());
    const Eigen::VectorXd hz = hz_of(solid, 7);
    const double bounce = std::sqrt(k / (steel.density * height)) / (2 * pi);
    CHECK((hz.head(6).array() / bounce - 1).abs().minCoeff() < 1e-3);
    // Along its length it slides, at √½ of that, and tips a little, since felt is under it and not at its middle.
    CHECK((hz.head(6).array() / (bounce * std::sqrt(0.5)) - 1).abs().minCoeff() < 0.01);
    CHECK(hz[6] == Approx(1285.95).epsilon(0.006));
}

TEST_CASE("a patch that misses the body has no area and holds nothing") {
    const HeldSolid solid = held_bar({{.hold = PatchHold::Clamped, .distance = ball({0, 1, 0}, 0.1)}});
    CHECK(solid.areas[0] == 0);
    CHECK(solid.constrained.body.rigid.cols() == 6);
}

}  // namespace supports_test
