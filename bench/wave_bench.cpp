// Cell updates a second of the wave solver against what the memory allows, and the time of a whole acceleration-noise
// run.
// Run:  build/release/bin/wave_bench
//
// The limit is the rate at which both pressures of every cell could be read and written once a step, 16 bytes, at the
// speed of a plain copy by the same threads. Steps that are fused read memory less often and may exceed it.
#include <clangor/radiation/wave/advance.hpp>
#include <clangor/radiation/wave/air_cells.hpp>
#include <clangor/radiation/wave/grid_plan.hpp>
#include <clangor/radiation/wave/walls.hpp>

#include <fmt/core.h>

#include <chrono>
#include <cmath>
#include <cstring>

using namespace clangor;
using namespace clangor::wave;

namespace {

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

// Best of some runs, in bytes a second: read and written.
double copy_bandwidth() {
    const long count = 1 << 26;
    FloatArray from(count), to(count);
    double best = 0;
    for (int run = 0; run < 6; ++run) {
        const double begin = seconds();
        const long parts = thread_count(), part = count / parts;
        parallel_for(parts, [&](long i) {
            std::memcpy(to.data() + i * part, from.data() + i * part, static_cast<std::size_t>(part) * sizeof(float));
        });
        best = std::max(best, 2.0 * sizeof(float) * double(count) / (seconds() - begin));
    }
    return best;
}

// The absorbing layer included; with a ball of 40 cells across in the middle, or without.
StepPlan plan_of(int cells, bool with_body) {
    StepPlan plan;
    plan.grid.cells = {cells, cells, cells};
    plan.grid.cell_size = 1e-3;
    plan.grid.layer_cells = 8;
    plan.grid.courant_sq = square(0.95) / 3;
    lay_out(plan.grid);
    plan.layer = layer_profile(8, 1e-3, plan.grid.courant_sq, cells * 1e-3);
    if (with_body) {
        const Surface ball = surface_of(Sphere{.radius = 20e-3});
        plan.grid.origin = Vec3::Constant(-cells / 2.0 * 1e-3);
        const std::vector<char> closed = closed_faces(ball);
        const std::vector<SurfacePiece> pieces = surface_pieces(ball, plan.grid.origin, 1e-3);
        const AirCells air = air_cells(line_survey(plan.grid, ball, closed, pieces));
        plan.walls = walls_of(plan.grid, ball, closed, pieces, air, Sight(ball)).cells;
    }
    finish(plan);
    return plan;
}

double cell_rate(const StepPlan& plan, std::size_t count, int steps) {
    std::vector<FieldState> fields;
    for (std::size_t f = 0; f < count; ++f) {
        fields.emplace_back(plan);
        fields.back().now.data()[plan.grid.index(60, 60, 60)] = 1;
    }
    const auto [nx, ny, nz] = plan.grid.cells;
    const int calls = std::max(1, 24 / steps);
    double best = 0;
    for (int run = 0; run < 5; ++run) {
        const double begin = seconds();
        for (int call = 0; call < calls; ++call) advance(plan, fields, 0, steps, 1 << 30, steps);
        best = std::max(best, double(nx) * ny * nz * double(count) * steps * calls / (seconds() - begin));
    }
    return best;
}

void rates(int cells, double limit) {
    for (const bool with_body : {false, true}) {
        const StepPlan plan = plan_of(cells, with_body);
        for (const std::size_t count : {1, 6})
            for (const int steps : {1, fused_steps(plan, count)}) {
                const double rate = cell_rate(plan, count, steps);
                fmt::print(
                    "{}³ cells, {}, {} field{}, {} step{} fused: {:5.2f} G cell updates/s, {:3.0f} % of the limit\n",
                    cells, with_body ? "a ball" : "empty ", count, count == 1 ? " " : "s", steps,
                    steps == 1 ? " " : "s", rate / 1e9, 100 * rate / limit);
            }
    }
}

// Six rigid motions of a ball of 7.5 mm radius, 1 ms, recorded on five shells of 200 directions from 2 to 4 radii.
void ball_bearing() {
    const double a = 7.5e-3, h = 7.34e-6;
    const Surface ball = surface_of(Sphere{.radius = a});
    Points points(1000, 3);
    for (int i = 0; i < points.rows(); ++i) {
        const double z = 1 - 2 * (i % 200 + 0.5) / 200, phi = 2.399963 * (i % 200);
        const double r = 2 * a * std::pow(2.0, (i / 200) / 4.0), s = std::sqrt(1 - z * z);
        points.row(i) << r * s * std::cos(phi), r * s * std::sin(phi), r * z;
    }
    const auto pulse = [h](double t) { return std::exp(-square(t / h)); };
    const double begin = seconds();
    const WaveSolver solver(ball, points, Air{}, {.cell_size = 8 * a / 103});
    const double prepared = seconds();
    std::vector<WaveField> fields;
    for (const Points& motion : rigid_motions(ball, Vec3::Zero())) fields.push_back({{{motion, pulse}}});
    const WaveRecord record = solver.run(fields, {.start_time = -3 * h, .max_duration = 1e-3});
    const double done = seconds();
    const auto [nx, ny, nz] = solver.report().cells;
    fmt::print(
        "ball bearing, {}×{}×{} cells, {} steps, 6 fields, {} points: set-up {:.2f} s, run {:.2f} s ({:.2f} G cell "
        "updates/s)\n",
        nx, ny, nz, record.samples() - 1, points.rows(), prepared - begin, done - prepared,
        double(nx) * ny * nz * 6 * double(record.samples() - 1) / (done - prepared) / 1e9);
}

}  // namespace

int main() {
    const double bandwidth = copy_bandwidth(), limit = bandwidth / 16;
    fmt::print("{} threads, copy {:.1f} GB/s, limit {:.2f} G cell updates/s\n", thread_count(), bandwidth / 1e9,
               limit / 1e9);
    rates(200, limit);
    rates(125, limit);
    ball_bearing();
}
