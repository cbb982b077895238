#include "approx.hpp"

#include <clangor/motion/grains/grains.hpp>

#include <cmath>

namespace grains_input_test {

using namespace clangor;
using clangor::test::Approx;

namespace {

void refused(const GrainWorld& world, const char* message) {
    try {
        GrainSimulator(world, {});
        FAIL_CHECK("it was not refused: ", message);
    } catch (const Error& error) {
        CHECK(std::string(error.what()).find(message) != std::string::npos);
        INFO(error.what());
    }
}

GrainWorld two_grains() {
    return {.kinds = {{.name = "glass"}},
            .grains = {{.position = {0, 0.01, 0}, .radius = 0.01}, {.position = {0.03, 0.01, 0}, .radius = 0.01}},
            .walls = {{.name = "floor"}}};
}

}  // namespace

TEST_CASE("worlds that cannot be are refused, with what and where") {
    GrainWorld world = two_grains();
    world.grains[1].position[0] = 0.019;
    refused(world, "grains 0 and 1 overlap by 1 mm at the start, at (0.019, 0.01, 0)");
    world = two_grains();
    world.grains[0].radius = 0;
    refused(world, "grain 0: the radius must be positive, but is 0 m");
    world = two_grains();
    world.grains[1].position[1] = 0.008;
    refused(world, "grain 1 reaches 2 mm into wall \"floor\" at the start, at (0.03, 0.008, 0)");
    world = two_grains();
    world.grains[1].kind = 1;
    refused(world, "grain 1: it is of kind 1, but there are 1");
    world = two_grains();
    world.grains[1].velocity[2] = NAN;
    refused(world, "grain 1: its position, velocity or spin is not a finite number");
    for (const double e : {0.0, -0.1, 1.01, double(NAN)}) {
        world = two_grains();
        world.kinds[0].surface.restitution = e;
        refused(world, "grains of \"glass\": restitution must be above 0 and at most 1, but is");
        world = two_grains();
        world.walls[0].surface.restitution = e;
        refused(world, "wall \"floor\": restitution must be above 0 and at most 1, but is");
    }
    world = two_grains();
    world.kinds[0].density = 0;
    refused(world, "grains of \"glass\": density must be positive, but is 0 kg/m³");
    world = two_grains();
    world.periodic = Vec3(1, 1, 1);
    refused(world, "a periodic box of grains has neither walls nor gravity");
    world = two_grains();
    world.walls.push_back({.name = "cup", .shape = Surface{}});
    refused(world, "wall \"cup\" has no faces");
}

TEST_CASE("grains that leak out of an open mesh are told of") {
    GrainWorld world = two_grains();
    world.walls = {{.name = "sieve", .shape = surface_of(Can{.radius = 0.06, .height = 0.1, .bottom = false})}};
    const GrainReport report = simulate(world, {.duration = 2}, {});
    CHECK(report.escaped == 2);
    REQUIRE(report.warnings.size() == 1);
    CHECK(report.warnings[0].find("2 of 2 grains left the world, the first after 0.") == 0);
    CHECK(report.warnings[0].find("Close the gap in the walls, or put a floor below") != std::string::npos);
}

TEST_CASE("more grains than fit are refused, and those that fall out while they are filled in") {
    GrainWorld world{.kinds = {{.name = "glass"}},
                     .walls = {{.name = "can", .shape = surface_of(Can{.radius = 0.01, .height = 0.03})}}};
    GrainFill fill{
        .low = {-0.01, 0, -0.01}, .high = {0.01, 0.028, 0.01}, .is_round = true, .count = 10000, .radius = 0.002};
    // 8.8 cm³ take 0.6·8800/33.5 = 158 of them at most.
    try {
        filled(world, fill);
        FAIL_CHECK("10 000 grains fit");
    } catch (const Error& error) {
        const std::string message = error.what();
        int fit = 0;
        REQUIRE(std::sscanf(message.c_str(), "only %d of 10000 grains fit", &fit) == 1);
        CHECK(fit > 60);
        CHECK(fit < 170);
    }
    fill.count = 20;
    CHECK(filled(world, fill).size() == 20);
    fill.settle = false;
    CHECK(filled(world, fill).size() == 20);
    world.walls[0].shape = surface_of(Can{.radius = 0.01, .height = 0.03, .bottom = false});
    fill.settle = true;
    CHECK_THROWS_AS(filled(world, fill), Error);
}

TEST_CASE("frames come at their times, with what falls where it falls") {
    GrainWorld world{.kinds = {{.name = "glass"}}, .grains = {{.position = {0, 1, 0}}}};
    int frames = 0;
    simulate(world, {.duration = 0.4, .frame_hz = 50}, {.frame = [&](const GrainFrame& frame) {
                 CHECK(frame.time == Approx(frames / 50.0).epsilon(1e-12));
                 CHECK(frame.grains[0].position[1] == Approx(1 - 0.5 * 9.81 * square(frame.time)).epsilon(1e-12));
                 ++frames;
             }});
    CHECK(frames == 21);
}

TEST_CASE("restitution falls with speed as viscoelastic balls have it") {
    // m δ″ = −k (δ^{3/2} + 3/2 A √δ δ′), k, m = 1, until the force is spent: e over v follows one curve in A v^{1/5}.
    const auto measured = [](double v) {
        const double a = 0.1, h = 2e-5;
        double x = 0, u = v;
        const auto force = [&](double at, double speed) {
            return at > 0 ? -(std::pow(at, 1.5) + 1.5 * a * std::sqrt(at) * speed) : 0.0;
        };
        bool began = false;
        while (true) {  // midpoint
            const double xm = x + 0.5 * h * u, um = u + 0.5 * h * force(x, u);
            const double f = force(xm, um);
            if (began && f >= 0) return -u / v;
            began = true;
            x += h * um;
            u += h * f;
        }
    };
    const double reference = measured(1);
    const GrainSurface surface{.restitution = reference, .reference_speed = 1};
    for (const double v : {0.01, 0.1, 0.4, 3.0, 10.0})
        CHECK(restitution_at(surface, surface, v) == Approx(measured(v)).epsilon(0.01));  // of the fit: under 1 %
    CHECK(restitution_at(surface, surface, 1e-12) > 0.99);
    const GrainSurface steady{.restitution = 0.5, .reference_speed = 0};
    CHECK(restitution_at(steady, steady, 7) == 0.5);
}

}  // namespace grains_input_test
