// Modes of a ball, baked by boundary elements, against the exact waves around it.
#include "../../icosphere.hpp"

#include <clangor/radiation/transfer/bem_transfer.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>
#include <functional>
#include <map>

namespace bem_transfer_test {

using namespace clangor;
using clangor::test::Approx;
using modal_transfer::bem_transfer;
using Complex = std::complex<double>;

namespace {

/// A mode of the ball: displacement P_n(cos θ) along the normal, θ from z, at the frequency where ka is as given.
struct BallMode {
    int n = 0;
    double ka = 1;
};

/// Its vertices are on the sphere, as those of meshes of round things are.
VibratingSurface vibrating_ball(double a, const std::vector<BallMode>& modes, int levels = 4) {
    VibratingSurface body{.surface = test::icosphere(a, levels, false),
                          .omega = Eigen::VectorXd(static_cast<long>(modes.size()))};
    for (std::size_t j = 0; j < modes.size(); ++j) {
        Points shape = body.surface.vertices.rowwise().normalized();
        for (long v = 0; v < shape.rows(); ++v)
            shape.row(v) *= std::legendre(static_cast<unsigned>(modes[j].n), std::clamp(shape(v, 2), -1.0, 1.0));
        body.shapes.push_back(shape);
        body.omega[static_cast<long>(j)] = modes[j].ka / a * body.air.speed_of_sound;
    }
    return body;
}

/// h_n(z) = j_n − i y_n: outgoing for e^{+iωt}.
Complex hankel(int n, double z) {
    return {std::sph_bessel(static_cast<unsigned>(n), z), -std::sph_neumann(static_cast<unsigned>(n), z)};
}
Complex hankel_slope(int n, double z) { return double(n) / z * hankel(n, z) - hankel(n + 1, z); }

/// A velocity U P_n makes p = −iρ0cU h_n(kr)/h_n′(ka) P_n; here U = iω. Without the delay e^{−ikr}.
Complex exact(const BallMode& mode, double a, double r, double cos_theta, const Air& air) {
    const double k = mode.ka / a, omega = k * air.speed_of_sound;
    return air.density * air.speed_of_sound * omega * hankel(mode.n, k * r) / hankel_slope(mode.n, mode.ka) *
           std::legendre(static_cast<unsigned>(mode.n), cos_theta) * std::polar(1.0, k * r);
}

/// Largest difference over a meridian and some other directions, against the largest pressure.
double error_at(const ModalTransfer& baked, long j, const BallMode& mode, double a, double r) {
    double worst = 0, largest = 0;
    for (int i = 0; i <= 12; ++i) {
        const double theta = pi * i / 12, phi = 0.7 * i;
        const Vec3 direction(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
        const Complex expected = exact(mode, a, r, direction.z(), baked.air);
        const Complex found = transfer(baked, baked.centre + r * direction)[j];
        worst = std::max(worst, std::abs(found - expected));
        largest = std::max(largest, std::abs(expected));
    }
    return worst / largest;
}

bool same_bytes(const ModalTransfer& a, const ModalTransfer& b) {
    if (a.modes.size() != b.modes.size() || a.centre != b.centre || a.reference_radius != b.reference_radius)
        return false;
    for (std::size_t j = 0; j < a.modes.size(); ++j)
        if (a.modes[j].omega != b.modes[j].omega || a.modes[j].degree != b.modes[j].degree ||
            a.modes[j].coefficients != b.modes[j].coefficients)
            return false;
    return true;
}

}  // namespace

TEST_CASE("modes of a ball radiate as exact spherical waves; a bake that was stopped goes on to the same bytes") {
    const double a = 0.05;
    const std::vector<BallMode> modes = {{0, 1}, {2, 3}, {4, 0.5}, {1, 19}, {3, 1}};
    VibratingSurface body = vibrating_ball(a, modes);
    body.shapes[4].setZero();
    const double max_hz = 0.9 * body.omega[3] / (2 * pi);

    std::vector<ModalTransfer> kept;
    double fraction = 0;
    bool descended = false;
    const Progress progress{[&](std::string_view, double now) {
        descended = descended || now < fraction;
        fraction = now;
    }};
    const TransferBake bake =
        bem_transfer(body, {.max_hz = max_hz},
                     {.keep = [&](const BegunTransfer& so_far) { kept.push_back(so_far.transfer); }}, progress);
    CHECK(bake.runs == 3);
    CHECK(bake.transfer.complete());
    CHECK(bake.warnings.empty());
    CHECK(fraction == 1);
    CHECK_FALSE(descended);

    // Given faces are 1/13 of the radius long: section 6 of docs/theory/boundary-elements.md.
    for (const double r : {1.4, 2.0, 10.0, 100.0})
        for (const long j : {0, 1, 2}) {
            CAPTURE(r);
            CAPTURE(j);
            CHECK(error_at(bake.transfer, j, modes[static_cast<std::size_t>(j)], a, r * a) < 0.01);
        }

    // Above max_hz, or without any motion.
    for (const std::size_t j : {3, 4}) {
        CHECK(bake.transfer.modes[j].degree == 0);
        REQUIRE(bake.transfer.modes[j].coefficients.size() == 1);
        CHECK(bake.transfer.modes[j].coefficients[0] == std::complex<float>(0));
        CHECK(bake.transfer.modes[j].omega == body.omega[static_cast<long>(j)]);
    }

    REQUIRE(kept.size() == 3);
    CHECK(kept[1].modes[1].degree > 0);
    CHECK(kept[1].modes[2].degree == -1);
    CHECK(same_bytes(kept[2], bake.transfer));
    const TransferBake rest = bem_transfer(body, {.max_hz = max_hz}, {.begun = {kept[1], {}, {}}}, {});
    CHECK(rest.runs == 1);
    CHECK(same_bytes(rest.transfer, bake.transfer));
}

TEST_CASE(
    "a ball, given coarsely or finely, radiates all degrees up to 4 within 1 % at ka = 0.5, near it and far away") {
    // Remeshed, its fluxes shared out, solved and fitted, as at reference quality. Edges are 1/3.3 and 1/13 of the
    // radius long: 4 and 17 of them along a wave of n = 4. Far away a part of 7e-5 of its flux, gone astray, would be
    // 15 %.
    const double a = 0.05;
    const std::vector<BallMode> modes = {{0, 0.5}, {1, 0.5}, {2, 0.5}, {3, 0.5}, {4, 0.5}};
    for (const int levels : {2, 4}) {
        const ModalTransfer baked = bem_transfer(vibrating_ball(a, modes, levels), {}, {}, {}).transfer;
        for (long n = 0; n <= 4; ++n)
            for (const double r : {1.4, 2.0, 10.0, 100.0}) {
                CAPTURE(levels);
                CAPTURE(n);
                CAPTURE(r);
                CHECK(error_at(baked, n, modes[static_cast<std::size_t>(n)], a, r * a) < 0.01);
            }
    }
}

TEST_CASE("a ball radiates within 1 % from ka = 0.1 to 20, also where the air that would fill it resonates") {
    // n = 0 would resonate inside at π, n = 1 at 4.4934.
    const double a = 0.05;
    const std::vector<BallMode> modes = {{0, 0.1}, {3, 0.1}, {0, pi}, {1, 4.4934}, {4, 20}};
    const ModalTransfer baked = bem_transfer(vibrating_ball(a, modes), {.max_hz = 30e3}, {}, {}).transfer;
    for (std::size_t j = 0; j < modes.size(); ++j)
        for (const double r : {1.4, 2.0, 10.0, 100.0}) {
            CAPTURE(modes[j].n);
            CAPTURE(modes[j].ka);
            CAPTURE(r);
            CHECK(error_at(baked, static_cast<long>(j), modes[j], a, r * a) < 0.01);
        }
}

TEST_CASE("a thin disc that moves broadside has the dipole 8a³/3 of the limit k → 0") {
    // A ball of radius a has 2πa³ in its place. The disc of 12 rings is a polygon of 36 sides.
    const double a = 0.1, ka = 0.1;
    const int rings = 12, sectors = 36;
    VibratingSurface body{.surface = {Points(1 + rings * sectors, 3), Triangles((2 * rings - 1) * sectors, 3)},
                          .omega = Eigen::VectorXd::Constant(1, ka / a * Air{}.speed_of_sound)};
    body.surface.vertices.row(0).setZero();
    const auto at = [&](int ring, int sector) { return 1 + (ring - 1) * sectors + sector % sectors; };
    int row = 0;
    for (int i = 1; i <= rings; ++i)
        for (int j = 0; j < sectors; ++j) {
            const double phi = 2 * pi * j / sectors;
            body.surface.vertices.row(at(i, j)) << a * i / rings * std::cos(phi), a * i / rings * std::sin(phi), 0;
            body.surface.faces.row(row++) << (i == 1 ? 0 : at(i - 1, j)), at(i, j), at(i, j + 1);
            if (i > 1) body.surface.faces.row(row++) << at(i - 1, j), at(i, j + 1), at(i - 1, j + 1);
        }
    body.shapes.push_back(Vec3::UnitZ().transpose().replicate(body.surface.vertices.rows(), 1));
    const ModalTransfer baked = bem_transfer(body, {}, {}, {}).transfer;
    const Complex expected = exact({1, ka}, a, 20 * a, 1, body.air) * (8.0 / 3 / (2 * pi));
    // 6 %: the jump falls to zero at the rim like the root of the distance, which six elements a radius cut short.
    CHECK(std::abs(transfer(baked, {0, 0, 20 * a})[0] - expected) < 0.06 * std::abs(expected));
}

TEST_CASE("the waves of a mode on a ball are 2πa/√(n(n+1)+2) long, and the mesh follows the shorter of two waves") {
    // ∇(P_n n) = n∇P_n + P_n∇n, with |∇n|² = 2/a² and ∫|∇P_n|² = n(n+1)/a² ∫P_n².
    const double a = 0.05;
    const VibratingSurface body = vibrating_ball(a, {{0, 1}, {2, 1}, {8, 1}});
    for (const auto& [j, n] : {std::pair{0, 0}, std::pair{1, 2}, std::pair{2, 8}}) {
        const double expected = 2 * pi * a / std::sqrt(n * (n + 1.0) + 2);
        // 3 %: 10 given edges a wave of n = 8, linear between vertices.
        CHECK(modal_transfer::surface_wavelength(body.surface, body.shapes[j]) == Approx(expected).epsilon(0.03));
    }
    const Points shift = Vec3::UnitX().transpose().replicate(body.surface.vertices.rows(), 1);
    CHECK(modal_transfer::surface_wavelength(body.surface, shift) > 1e6 * a);  // but for rounding, infinite

    const modal_transfer::EdgePlan plan = modal_transfer::edge_plan(body.surface, a);
    CHECK(plan.longest == Approx(a / 6));
    CHECK(modal_transfer::edge_length(plan, 1e3, 1e3, 8) == Approx(a / 6));
    CHECK(modal_transfer::edge_length(plan, 0.5 * a, 1e3, 8) == Approx(0.5 * a / 8));
    CHECK(modal_transfer::edge_length(plan, 1.2 * a, 0.7 * a, 8) == Approx(0.7 * a / 8));
    // Slower than half of sound: twice as many, as far as the count of elements allows.
    CHECK(modal_transfer::edge_length(plan, 1e3, 1.4 * a, 8) == Approx(1.4 * a / 16));
    CHECK(plan.slow_shortest == Approx(plan.shortest * std::sqrt(10.0)));
    // The given surface knows of no waves shorter than its edges, and there is an end to what can be solved for.
    CHECK(modal_transfer::edge_length(plan, 0.7 * a, 0.36 * a, 8) == Approx(plan.given));
    CHECK(modal_transfer::edge_length(plan, 1e3, 0.1 * a, 8) == Approx(std::max(plan.given / 2, plan.slow_shortest)));
    CHECK(modal_transfer::edge_length(plan, 1e-6, 1e3, 8) == Approx(plan.shortest));
    CHECK(plan.shortest < plan.given);
}

TEST_CASE("a slender bar gets elements across it, a thin plate does not") {
    const Surface bar = surface_of(Box{.size = {0.2, 0.01, 0.01}}), plate = surface_of(Plate{});
    CHECK(modal_transfer::edge_plan(bar, 0.1).longest <= 0.005);
    CHECK(modal_transfer::edge_plan(plate, 0.14).longest > 0.01);
}

TEST_CASE("the wall of a void inside the body is left out") {
    VibratingSurface solid = vibrating_ball(0.05, {{1, 1}}, 2), hollow = solid;
    const long n = solid.surface.vertices.rows(), faces = solid.surface.faces.rows();
    hollow.surface.vertices.conservativeResize(2 * n, 3);
    hollow.surface.vertices.bottomRows(n) = 0.5 * solid.surface.vertices;
    hollow.surface.faces.conservativeResize(2 * faces, 3);
    hollow.surface.faces.bottomRows(faces) = solid.surface.faces.rowwise().reverse().array() + static_cast<int>(n);
    CHECK(modal_transfer::without_voids(hollow).surface.faces == solid.surface.faces);
    CHECK(modal_transfer::without_voids(solid).surface.faces == solid.surface.faces);
}

}  // namespace bem_transfer_test
