// What is too large, too many or too damped: refused, bounded or replaced, and said.
#include "breathing_sphere.hpp"

#include <clangor/objects/modal/heard_band.hpp>
#include <clangor/objects/solid/solid.hpp>

#include <doctest/doctest.h>
#include <approx.hpp>

#include <cmath>

namespace limits_test {

using namespace clangor;
using clangor::test::Approx;
using doctest::Contains;

namespace {

/// A hexagonal prism with a round hole, 2r across its corners and h high.
Surface nut(double r, double h) {
    constexpr int sides = 48;
    Surface surface{Points(4 * sides, 3), Triangles(8 * sides, 3)};
    for (int i = 0; i < sides; ++i) {
        const double phi = 2 * pi * i / sides, corner = std::fmod(phi, pi / 3) - pi / 6;
        const double outer = r * std::cos(pi / 6) / std::cos(corner), inner = 0.5 * r;
        const Vec3 direction(std::cos(phi), std::sin(phi), 0);
        for (int top = 0; top < 2; ++top) {
            surface.vertices.row(4 * i + top) = outer * direction + top * h * Vec3::UnitZ();
            surface.vertices.row(4 * i + 2 + top) = inner * direction + top * h * Vec3::UnitZ();
        }
    }
    int row = 0;
    for (int i = 0; i < sides; ++i) {
        const int a = 4 * i, b = 4 * ((i + 1) % sides);
        const auto quad = [&](int p, int q, int s, int t) {
            surface.faces.row(row++) << p, q, s;
            surface.faces.row(row++) << p, s, t;
        };
        quad(a, b, b + 1, a + 1);          // outside
        quad(b + 2, a + 2, a + 3, b + 3);  // the hole
        quad(a + 1, b + 1, b + 3, a + 3);  // top
        quad(b, a, a + 2, b + 2);          // bottom
    }
    return surface;
}

}  // namespace

TEST_CASE("a nut of 6 m is refused before its mesh is made, with its size, its need and what can be done") {
    const Material steel = *find_material("steel");
    const Surface metres = nut(3, 2.5);
    REQUIRE(topology_of(metres).closed());
    REQUIRE(mass_properties(metres).volume > 0);
    bool meshed = false;
    const Progress watch{[&](std::string_view, double) { meshed = true; }};
    CHECK_THROWS_WITH_AS(bake_solid("nut", clean(metres), steel, {}, watch, {.memory = 4e9}),
                         Contains("it is 6 × 5.2 × 2.5 m large"), Error);
    CHECK_THROWS_WITH_AS(bake_solid("nut", clean(metres), steel, {}, watch, {.memory = 4e9}),
                         Contains("but 4 GB may be used"), Error);
    CHECK_THROWS_WITH_AS(bake_solid("nut", clean(metres), steel, {}, watch, {.memory = 4e9}), Contains("--memory"),
                         Error);
    CHECK_FALSE(meshed);
    // 6 mm of it ring above 20 kHz, and fit.
    CHECK(bake_solid("nut", clean(nut(3e-3, 2.5e-3)), steel, {}, {}, {.memory = 4e9}).omega.size() == 0);
}

TEST_CASE("a body that is far too large or too small for a thing names the units that its mesh may be in") {
    CHECK(unit_remark(nut(0.3, 0.25), 1).empty());
    CHECK(unit_remark(nut(3, 2.5), 1)
              .find("6 m long: if its mesh is in millimetres its scale is 0.001 (6 mm), in centimetres its scale is "
                    "0.01 (60 mm), in inches its scale is 0.0254 (152 mm)") == 0);
    // 0.1 mm, read as millimetres: it was in metres.
    const std::string tiny = unit_remark(nut(0.05e-3, 0.04e-3), 1e-3);
    CHECK(tiny.find("0.1 mm long") == 0);
    CHECK(tiny.find("in metres its scale is 1 (100 mm)") != std::string::npos);
    CHECK(unit_remark(nut(500, 400), 1).find("in millimetres its scale is 0.001 (1 m)") != std::string::npos);
    CHECK(unit_remark(nut(5e6, 4e6), 1).find("check the scale") != std::string::npos);
}

TEST_CASE("what is asked for may be used, and otherwise no more than the machine has") {
    CHECK(allowed_memory(3e9) == 3e9);
    CHECK(allowed_memory(0) > 1e6);
    CHECK(allowed_memory(0) < 1e15);
}

TEST_CASE("the band ends where modes die within three periods, and is dull from where they die within twenty") {
    // ξ = βω/2 ≥ ln(1000)/2πN from f = ln(1000)/2π²βN on.
    const Damping damping{.beta = 1e-5};
    const auto hz = [&](double periods) { return std::log(1000.0) / (2 * pi * pi * damping.beta * periods); };
    const HeardBand band = heard_band(damping, {});
    CHECK(band.max_hz == Approx(hz(3)).epsilon(1e-6));
    CHECK(band.dull_hz == Approx(hz(20)).epsilon(1e-6));
    // A band that ends below is left as it is.
    const HeardBand low = heard_band(damping, {.max_hz = 1000});
    CHECK(low.max_hz == 1000);
    CHECK(low.dull_hz == std::numeric_limits<double>::infinity());
    // Rubber: no mode rings for twenty periods, since ξ = η/2 = 0.1.
    CHECK(heard_band(find_material("rubber")->damping, {}).dull_hz == 20);
    // Low modes that α damps as much leave the top alone.
    CHECK(heard_band({.alpha = 1e4}, {}).max_hz == 20e3);
}

TEST_CASE(
    "no material of the library lets modes die within three periods, and only rubber, felt and fingers "
    "within twenty") {
    for (const Material& material : material_library()) {
        CAPTURE(material.name);
        const bool is_dull = material.name == "rubber" || material.name == "felt" || material.name == "finger";
        CHECK(heard_band(material.damping, {}).max_hz == 20e3);
        CHECK((heard_band(material.damping, {}).dull_hz < 20e3) == is_dull);
    }
}

TEST_CASE("a mode without a sound field is heard by its compact sources, from the same place at the same time") {
    const double a = 0.05, hz = 200, s = 3;
    const auto model = std::make_shared<const ModalBody>(test::breathing_sphere(a, hz, s));
    // The centre of the sound fields is elsewhere: only the delay that is taken out differs.
    const Vec3 centre(0.02, -0.01, 0);
    ModalTransfer unsolved{
        .centre = centre,
        .radius = 1.5 * a,
        .reference_radius = 2 * a,
        .solved_hz = 100,
        .modes = {{.omega = model->omega[0], .degree = 0, .coefficients = Eigen::VectorXcf::Zero(1)}}};
    const ModalRadiation compact(*model, Air{}), fallback(*model, unsolved);
    for (const Vec3& listener : {Vec3(0.5, 0.1, 0.2), Vec3(-1, 2, 0.3)}) {
        const double k = model->omega[0] / Air{}.speed_of_sound;
        const auto at_listener = [&](const ModalRadiation& radiation, bool is_exact) {
            const Eigen::VectorXcd P = is_exact ? radiation.exact(listener) : radiation.quick(listener);
            return P[0] * std::polar(1.0, -k * (listener - radiation.centre()).norm());
        };
        const std::complex<double> expected = at_listener(compact, true);
        CHECK(std::abs(at_listener(fallback, true) - expected) < 1e-6 * std::abs(expected));
        CHECK(std::abs(at_listener(fallback, false) - expected) < 1e-3 * std::abs(expected));
    }
    // It loses to its sound what a pulsating sphere does: 2πρ0ωs²a⁴/c for small ka.
    const double xi = 2 * pi * Air{}.density * model->omega[0] * square(s) * std::pow(a, 4) / Air{}.speed_of_sound;
    CHECK(radiation_damping_of(*model, unsolved)[0] == Approx(xi).epsilon(0.05));
    unsolved.solved_hz = 300;
    CHECK(radiation_damping_of(*model, unsolved)[0] == 0);
    CHECK(ModalRadiation(*model, unsolved).exact({1, 0, 0})[0] == 0.0);
}

}  // namespace limits_test
