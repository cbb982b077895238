// The absorbing layer: nothing comes back, nothing drifts, and the end of the sound is found.
#include <radiation/wave/sphere_sound.hpp>

#include <doctest/doctest.h>

#include <cmath>

namespace layer_test {

using namespace clangor;
using namespace clangor::test;

namespace {

constexpr double a = 0.01;
const Air air;
const double c = air.speed_of_sound;

// Points to listen at, and two more that only make the grid larger.
Points points_in_box(double half_width) {
    Points points(5, 3);
    points << 2 * a, 0, 0, 0, -2 * a, 0, 1.2 * a, 1.2 * a, 1.2 * a, half_width, half_width, half_width, -half_width,
        -half_width, -half_width;
    return points;
}

}  // namespace

TEST_CASE("less than −60 dB of a pulse comes back from the edge of the grid") {
    const double cell = a / 8;
    const Surface ball = icosphere(a, 4);
    const Points along_x = rigid_motions(ball, Vec3::Zero())[0], breathing = ball.vertices.rowwise().normalized();
    for (const double h : {0.6 * a / c, 3 * a / c}) {
        CAPTURE(h);
        const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
        const WaveRunOptions run{.start_time = -2 * h, .max_duration = 4 * h + 8 * a / c};
        // The larger grid's echoes come late and from four times as far. Both grids lie on the same lattice.
        const double far = 2 * a + 48 * cell;
        const std::vector<WaveField> fields = {{{{along_x, pulse}}}, {{{breathing, pulse}}}};
        const WaveRecord near = WaveSolver(ball, points_in_box(2 * a), air, {.cell_size = cell}).run(fields, run);
        const WaveRecord free = WaveSolver(ball, points_in_box(far), air, {.cell_size = cell}).run(fields, run);
        for (std::size_t f = 0; f < 2; ++f) {
            const Eigen::MatrixXf echo = near.pressure[f].leftCols(3) - free.pressure[f].leftCols(3);
            CHECK(echo.cwiseAbs().maxCoeff() < 1e-3f * free.pressure[f].leftCols(3).cwiseAbs().maxCoeff());
        }
    }
}

TEST_CASE("after a pulse with net impulse the pressure goes to zero and stays there") {
    // The body keeps its speed, so the air keeps flowing around it; but a steady flow has no sound pressure.
    const double h = 1.5 * a / c;
    const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
    const Surface ball = icosphere(a, 3);
    const Points breathing = ball.vertices.rowwise().normalized();
    const WaveSolver solver(ball, points_in_box(1.7 * a), air, {.cell_size = a / 5});
    const WaveRecord record = solver.run({{{{rigid_motions(ball, Vec3::Zero())[1], pulse}}}, {{{breathing, pulse}}}},
                                         {.start_time = -2 * h, .max_duration = 2500 * solver.report().time_step});
    for (const Eigen::MatrixXf& pressure : record.pressure) {
        const float late = pressure.bottomRows(pressure.rows() * 3 / 4).cwiseAbs().maxCoeff();
        CHECK(late < 1e-3f * pressure.cwiseAbs().maxCoeff());
    }
}

TEST_CASE("a run ends when the sound has died out, and says so") {
    const double h = 1.5 * a / c;
    const auto pulse = [h](double t) { return mitchell_pulse(t, h); };
    const Surface ball = icosphere(a, 3);
    const WaveSolver solver(ball, points_in_box(2 * a), air, {.cell_size = a / 5});
    const std::vector<WaveField> fields = {{{{rigid_motions(ball, Vec3::Zero())[1], pulse}}}};
    const WaveRecord whole = solver.run(fields, {.start_time = -2 * h, .max_duration = 0.01, .decay_db = 60});
    CHECK(whole.died_out);
    CHECK(whole.residual_db < -60);
    // The pulse lasts 4h, the way to the farthest point 3.5 radii, the flow settles as e^{−ct/a}: all in all 20 a/c,
    // and one window.
    CHECK(whole.time(whole.samples()) < 50 * a / c);
    const WaveRecord cut = solver.run(fields, {.start_time = -2 * h, .max_duration = 3 * h, .decay_db = 60});
    CHECK_FALSE(cut.died_out);
    CHECK(cut.residual_db > -60);
}

}  // namespace layer_test
