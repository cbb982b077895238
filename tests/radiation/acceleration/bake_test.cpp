#include "exact_ball.hpp"

#include <doctest/doctest.h>
#include <approx.hpp>

namespace bake_test {

using namespace clangor;
using namespace clangor::test;
using clangor::test::Approx;

namespace {

const Material copper{.name = "", .density = 8940, .young = 123.4e9, .poisson = 0.34};

AccelerationBake baked(const Surface& surface, const AccelerationOptions& options) {
    return bake_acceleration_noise(surface, mass_properties(surface), copper, Air{}, options);
}

}  // namespace

TEST_CASE("a ball solved on a grid sounds like the ball in closed form") {
    const double a = 0.0075;
    const Surface ball = surface_of(Sphere{.radius = a});
    const AccelerationBake bake = baked(ball, {.cell_size = a / 8});
    CHECK(bake.warnings.empty());
    CHECK(bake.died_out);
    CHECK(bake.fit_residual < 0.02);
    for (std::size_t motion = 3; motion < 6; ++motion)
        CHECK(bake.noise.fields[motion].pressure.size() == 0);  // a turning ball is silent
    const AccelerationNoise exact =
        sphere_noise(*ball_radius(ball, mass_properties(ball)), bake.noise.pulse_scale, Air{});
    const PreparedNoise on_grid = prepare(bake.noise, 48000), closed = prepare(exact, 48000);
    for (const Vec3& listener : {Vec3(0.06, 0, 0), Vec3(0.02, 0.05, 0.02), Vec3(1, 1, -1)}) {
        std::vector<float> heard(1024), expected(1024);
        const Click click{.time = 0.01, .duration = 4e-5, .velocity_change = {1, 0.5, 0.2}, .listener = listener};
        add_click(heard, on_grid, click);
        add_click(expected, closed, click);
        CHECK(relative_difference(heard, expected) < 0.02);  // audible band, 8 cells per radius
        const double start = listener.norm() / 343.2 - 8e-5;
        CHECK(relative_difference(pulse_pressure(bake.noise, 0, listener, start, 2e-6, 150),
                                  pulse_pressure(exact, 0, listener, start, 2e-6, 150)) < 0.06);  // up to 100 kHz
    }
    CHECK(bake.noise.bytes() < 20000);
}

TEST_CASE("an open sheet is baked, if it is told its pulse") {
    Surface sheet;
    sheet.vertices.resize(4, 3);
    sheet.vertices << -0.02, -0.02, 0, 0.02, -0.02, 0, 0.02, 0.02, 0, -0.02, 0.02, 0;
    sheet.faces.resize(2, 3);
    sheet.faces << 0, 1, 2, 0, 2, 3;
    CHECK_THROWS_WITH_AS(baked(sheet, {}), doctest::Contains("give the pulse scale"), Error);
    const AccelerationBake bake =
        bake_acceleration_noise(sheet, {}, copper, Air{}, {.pulse_scale = 4e-5, .cell_size = 0.003});
    const auto loudness = [&](std::size_t motion) { return bake.noise.fields[motion].pressure.norm(); };
    CHECK(loudness(2) > 0);   // broadside
    CHECK(loudness(0) == 0);  // edge-on it moves no air
    CHECK(loudness(5) == 0);
    CHECK(loudness(3) > 0);
}

TEST_CASE("a cylinder is silent when it turns about its axis, and needs few signals otherwise") {
    const AccelerationBake bake =
        baked(surface_of(Cylinder{.radius = 0.012, .height = 0.008}), {.pulse_scale = 2e-5, .cell_size = 0.0015});
    CHECK(bake.noise.fields[4].pressure.size() == 0);
    CHECK(std::abs(bake.noise.frame.col(2).y()) == Approx(1));  // harmonics are counted about its axis
    REQUIRE(bake.noise.fields[1].harmonics.size() > 0);
    for (const int harmonic : bake.noise.fields[1].harmonics) {
        const int l = static_cast<int>(std::sqrt(harmonic + 0.5)), m = harmonic - l * l - l;
        CHECK(m % 4 == 0);  // 0, but for the grid, which has four sides
    }
    CHECK(bake.noise.fields[1].harmonics.size() < 8);
}

TEST_CASE("a bake gives the same bytes for any number of threads") {
    // It ends when its sound has died out, not at a given time: that the end, too, is the same, is part of the
    // statement.
    const Surface box = surface_of(Box{.size = {0.02, 0.03, 0.01}});
    const int threads = thread_count();
    const auto bake_on = [&](int count) {
        set_thread_count(count);
        return baked(box, {.pulse_scale = 2e-5, .cell_size = 0.0025});
    };
    const AccelerationBake one = bake_on(1);
    CHECK(one.died_out);
    for (const int count : {2, 3, 5, 16}) {
        CAPTURE(count);
        const AccelerationNoise several = bake_on(count).noise;
        for (std::size_t motion = 0; motion < 6; ++motion) {
            const NoiseField& field = one.noise.fields[motion];
            REQUIRE(field.pressure.size() > 0);
            CHECK(field.start == several.fields[motion].start);
            CHECK(field.harmonics == several.fields[motion].harmonics);
            CHECK(field.pressure == several.fields[motion].pressure);
        }
    }
    set_thread_count(threads);
}

TEST_CASE("options that make no model are refused") {
    const Surface ball = surface_of(Sphere{.radius = 0.01});
    CHECK_THROWS_WITH_AS(baked(ball, {.theta_count = 0}), doctest::Contains("holds nothing"), Error);
    CHECK_THROWS_WITH_AS(baked(ball, {.recording_radii = {1.0, 2.0}}), doctest::Contains("1.2 body radii"), Error);
    CHECK_THROWS_WITH_AS(baked(ball, {.cell_size = -1}), doctest::Contains("must not be negative"), Error);
}

TEST_CASE("a bake that is stopped after any motion goes on from there and ends with the same bytes") {
    const Surface die = surface_of(Box{.size = Vec3(0.016, 0.014, 0.012)});
    const AccelerationOptions options{.cell_size = 0.0012};
    const AccelerationNoise whole = baked(die, options).noise;
    std::vector<NoiseMotion> kept;
    const auto keep = [&](const std::vector<NoiseMotion>& motions) {
        if (kept.size() < 2) kept = motions;  // nothing is kept any more once it is stopped
        if (kept.size() == 2) throw Error("stopped");
    };
    const MassProperties body = mass_properties(die);
    CHECK_THROWS_AS(bake_acceleration_noise(die, body, copper, Air{}, options, {.keep = keep}), Error);
    REQUIRE(kept.size() == 2);
    int solved = 0;
    const AccelerationResume resume{.begun = kept, .keep = [&](const auto&) { ++solved; }};
    const AccelerationNoise resumed = bake_acceleration_noise(die, body, copper, Air{}, options, resume).noise;
    CHECK(solved == 4);
    for (std::size_t motion = 0; motion < 6; ++motion) {
        CHECK(resumed.fields[motion].harmonics == whole.fields[motion].harmonics);
        CHECK(resumed.fields[motion].pressure == whole.fields[motion].pressure);
    }
}

}  // namespace bake_test
