#include <approx.hpp>
#include <threads.hpp>

#include <clangor/objects/shell/shell.hpp>
#include <clangor/objects/solid/solid.hpp>

#include <doctest/doctest.h>

namespace shell_object_modes_test {

using namespace clangor;
using clangor::test::Approx;
using scene::Side;
using scene::Support;
using scene::SupportKind;

namespace {

const Material steel{"steel", 7800, 200e9, 0.3, {.loss_factor = 1e-3}, ""};

ModalBody baked(const Surface& middle, double thickness, const scene::SolidOptions& options) {
    return bake_shell("shell", clean(middle), thickness, steel, options);
}

double worst(const ModalBody& model, const std::vector<double>& hz) {
    REQUIRE(model.omega.size() == long(hz.size()));
    return (model.omega.array() / (2 * pi) / Eigen::Map<const Eigen::ArrayXd>(hz.data(), long(hz.size())) - 1)
        .abs()
        .maxCoeff();
}

// f = λ √(D/ρh) / 2πa²
std::vector<double> plate_hz(std::vector<double> lambda, double a, double thickness) {
    const double wave = thickness * std::sqrt(steel.young / (12 * steel.density * (1 - square(steel.poisson))));
    for (double& f : lambda) f *= wave / (2 * pi * square(a));
    return lambda;
}

}  // namespace

TEST_CASE("free sheets of steel: ten modes within 1 % of theory, also from a mesh of two triangles") {
    // Kirchhoff's plates: Ritz solution of the square, Bessel functions of the disc [Leissa1969], ν = 0.3.
    const std::vector<double> square_hz = plate_hz(
        {13.468197, 19.596137, 24.270201, 34.800891, 34.800891, 61.093234, 61.093234, 63.686134, 69.265405, 77.171702},
        0.2, 0.001);
    const std::vector<double> disc_hz = plate_hz(
        {5.358330, 5.358330, 9.003137, 12.438988, 12.438988, 20.474550, 20.474550, 21.835163, 21.835163, 33.494932},
        0.1, 0.001);
    const scene::SolidOptions ten{.min_hz = 20, .max_hz = 4000, .max_modes = 10};
    CHECK(worst(baked(surface_of(Sheet{0.2, 0.2}), 0.001, ten), square_hz) < 0.01);
    Surface coarse{Points(4, 3), Triangles(2, 3)};
    coarse.vertices << 0, 0, 0, 0.2, 0, 0, 0.2, 0.2, 0, 0, 0.2, 0;
    coarse.faces << 0, 1, 2, 0, 2, 3;
    CHECK(worst(baked(coarse, 0.001, ten), square_hz) < 0.01);
    CHECK(worst(baked(surface_of(Disc{.radius = 0.1}), 0.001, ten), disc_hz) < 0.01);
}

TEST_CASE("free vessels of steel: ten modes within 1 % of three-dimensional elasticity") {
    // Legendre polynomials along the meridian and across the wall, Fourier series around, converged to 1e-5.
    const scene::SolidOptions ten{.min_hz = 20, .max_hz = 4000, .max_modes = 10};
    const std::vector<double> tube_hz{64.9777,  64.9777,  117.4131, 117.4131, 183.7721,
                                      183.7721, 292.6470, 292.6470, 352.3228, 352.3228};
    CHECK(worst(baked(surface_of(Can{.radius = 0.1, .height = 0.1, .bottom = false}), 0.001, ten), tube_hz) < 0.01);
    const std::vector<double> hemisphere_hz{204.211,  204.211,  553.824,  553.824, 1032.243,
                                            1032.243, 1619.254, 1619.254, 2300.65, 2300.65};
    CHECK(worst(baked(surface_of(Dome{.radius = 0.1, .depth = 0.1}), 0.002, ten), hemisphere_hz) < 0.01);
}

TEST_CASE("a shell has the mass and inertia of its wall") {
    const ModalBody disc = baked(surface_of(Disc{.radius = 0.1}), 0.004, {.max_hz = 1000, .max_modes = 1});
    const double volume = pi * square(0.1) * 0.004;
    // The 128-gon has 0.04 % less area than the circle.
    CHECK(disc.mass.volume == Approx(volume).epsilon(1e-3));
    CHECK(disc.mass.inertia(1, 1) == Approx(volume * square(0.1) / 2).epsilon(2e-3));
    CHECK(disc.mass.inertia(0, 0) == Approx(volume * (3 * square(0.1) + square(0.004)) / 12).epsilon(2e-3));
    CHECK(disc.wall_thickness == 0.004);
    // A hollow ball of mean radius a: ⅔ m a².
    const ModalBody ball = baked(surface_of(Sphere{0.05}), 0.001, {.max_hz = 6000, .max_modes = 1});
    CHECK(ball.mass.volume == Approx(4 * pi * square(0.05) * 0.001).epsilon(2e-3));
    CHECK(ball.mass.inertia(2, 2) == Approx(2.0 / 3 * ball.mass.volume * square(0.05)).epsilon(2e-3));  // chords
    CHECK(ball.messages.front().starts_with("its surface is closed, so that it is a hollow body with a wall of 1 mm"));
}

TEST_CASE("both sides of the wall bound it, and fibres across it neither stretch nor bend") {
    const ModalBody lid = baked(surface_of(Dome{.radius = 0.1, .depth = 0.03}), 0.002, {.max_hz = 3000});
    CHECK(problems_of(lid).empty());
    const Surface wall = flat(lid.skin);
    CHECK(topology_of(wall).closed());
    // ∫(1 + Kz²) dz is within 1e-4 of h here; the middle surface has the wall's centre.
    CHECK(mass_properties(wall).volume == Approx(lid.mass.volume).epsilon(2e-3));
    CHECK((mass_properties(wall).centre - lid.mass.centre).norm() < 1e-4);
    const long n = nodes_of_one_side(lid);
    REQUIRE(2 * n == lid.skin.nodes.rows());
    double most = 0, stretched = 0;
    for (long mode = 0; mode < lid.omega.size(); ++mode)
        for (long i = 0; i < n; ++i) {
            const Vec3 fibre = lid.skin.nodes.row(i) - lid.skin.nodes.row(n + i);
            const Vec3 change =
                (lid.shapes.col(mode).segment<3>(3 * i) - lid.shapes.col(mode).segment<3>(3 * (n + i))).cast<double>();
            most = std::max(most, change.norm() / fibre.norm());
            stretched = std::max(stretched, std::abs(change.dot(fibre)) / fibre.squaredNorm());
        }
    CHECK(most > 1);                 // they turn
    CHECK(stretched < 1e-4 * most);  // shapes are kept as floats
}

TEST_CASE("a bowl as a shell and as a solid of the same wall: pitches within 1.5 %, loudness within 1 dB") {
    const scene::SolidOptions options{.max_hz = 4000};
    const ModalBody shell = baked(surface_of(Dome{.radius = 0.08, .depth = 0.05}), 0.003, options);
    const ModalBody solid =
        bake_solid("bowl", clean(surface_of(Bowl{.radius = 0.08, .depth = 0.05, .thickness = 0.003})), steel, options);
    CHECK(shell.mass.volume == Approx(solid.mass.volume).epsilon(0.003));
    REQUIRE(shell.omega.size() >= 6);
    REQUIRE(solid.omega.size() >= 6);
    const ContactFinder on_shell(flat(shell.skin)), on_solid(flat(solid.skin));
    const Vec3 at(0.07, 0.045, 0.005), impulse(-0.01, 0, 0), listener(0.5, 0.4, 0.2);
    // What a mode that is struck sounds like: Σ P u·J over the two of a pair, whichever way these lie.
    const auto pressure = [&](const ModalBody& model, const ContactFinder& finder, long pair) {
        const Eigen::VectorXcd P = transfer(model.compact, model.omega, listener, Air{});
        const ModalMobility mobility = mobility_of(std::make_shared<const ModalBody>(model), steel);
        const Eigen::VectorXd q = mobility.modal_impulse(finder(at), impulse).cwiseQuotient(model.omega);
        return std::abs(P[2 * pair] * q[2 * pair] + P[2 * pair + 1] * q[2 * pair + 1]);
    };
    for (long pair = 0; pair < 3; ++pair) {
        CAPTURE(pair);
        CHECK(shell.omega[2 * pair] == Approx(solid.omega[2 * pair]).epsilon(0.015));
        const double db = 20 * std::log10(pressure(shell, on_shell, pair) / pressure(solid, on_solid, pair));
        CHECK(std::abs(db) < 1);
    }
}

TEST_CASE("clamped, pinned and felted sheets have the modes of the theory") {
    // A circular plate of 80 mm, clamped all around, cut out of a larger one: λ² = 10.2158, 21.2604 twice [Leissa1969].
    const ModalBody drum = baked(surface_of(Disc{.radius = 0.1}), 0.0005,
                                 {.max_hz = 2000,
                                  .max_modes = 3,
                                  .supports = {{.kind = SupportKind::Clamped, .at = Vec3::Zero(), .beyond = 0.08}}});
    CHECK(worst(drum, plate_hz({10.215826, 21.260398, 21.260398}, 0.08, 0.0005)) < 0.01);
    for (long i = 0; i < drum.skin.nodes.rows(); ++i)
        if (std::hypot(drum.skin.nodes(i, 0), drum.skin.nodes(i, 2)) > 0.0801)
            CHECK(drum.shapes.middleRows<3>(3 * i).norm() == 0);
    // A square plate that rests on its four sides: λ = 2π², 5π² twice.
    std::vector<Support> sides;
    for (const Side side : {Side::LowX, Side::HighX, Side::LowZ, Side::HighZ})
        sides.push_back({.kind = SupportKind::Pinned, .side = side});
    const ModalBody plate =
        baked(surface_of(Sheet{0.2, 0.2}), 0.001, {.max_hz = 2000, .max_modes = 3, .supports = sides});
    CHECK(worst(plate, plate_hz({2 * square(pi), 5 * square(pi), 5 * square(pi)}, 0.2, 0.001)) < 0.01);
    // On soft felt all over it bounces: m ω² = k A, all energy in the felt.
    const ModalBody pad = baked(
        surface_of(Sheet{0.05, 0.05}), 0.002,
        {.min_hz = 1,
         .max_hz = 2000,
         .max_modes = 6,
         .supports = {
             {.kind = SupportKind::Felt, .at = Vec3::Zero(), .radius = 0.1, .stiffness = 1e6, .loss_factor = 0.3}}});
    const double bounce = std::sqrt(1e6 / (steel.density * 0.002));
    CHECK((pad.omega.array() / bounce - 1).abs().minCoeff() < 0.01);
    CHECK(pad.support_share.head(6).minCoeff() > 0.99);
    CHECK(own_damping(pad, steel)[0] == Approx(0.15).epsilon(0.01));
}

TEST_CASE("one, two, three and five threads bake the same bytes") {
    const auto with_threads = [](int count) {
        const clangor::testing::Threads threads(count);
        return baked(surface_of(Cymbal{.radius = 0.08, .bell_radius = 0.025, .bell_height = 0.01}), 0.001,
                     {.max_hz = 4000});
    };
    const ModalBody one = with_threads(1);
    REQUIRE(one.omega.size() > 5);
    for (const int count : {2, 3, 5}) {
        const ModalBody other = with_threads(count);
        CHECK(other.omega == one.omega);
        CHECK(other.shapes == one.shapes);
        CHECK(other.skin.nodes == one.skin.nodes);
        CHECK(other.compact.strengths == one.compact.strengths);
    }
}

}  // namespace shell_object_modes_test
