// What baking acceleration noise costs, beside [Chadwick2012, Table 1]: the same kinds of bodies, grids of about as
// many cells, the same simulated times and the paper's five spheres from 2R to 4R, all six rigid motions.
// Run on a quiet machine, 2–4 minutes:  build/release/bin/pan_table_bench [part of a name]
//
// The paper's "solve", the fit of radial terms in every direction, is our fit of one signal a harmonic. These settings
// are its, not ours: with default options bodies bake on nearer spheres and end when their sound has died out.
#include <clangor/radiation/acceleration/acceleration.hpp>

#include <fmt/core.h>

#include <cmath>
#include <string>
#include <vector>

using namespace clangor;

namespace {

/// One line of the paper's table: grid, duration, and what it measured on an 8-core Xeon.
struct Row {
    std::string name;
    Shape shape;
    const char* material = "";
    int cells = 0;                ///< along each edge of the grid
    double duration = 0;          ///< [s]
    double paper_simulation = 0;  ///< [s]
    double paper_fit = 0;         ///< [s]
    double paper_megabytes = 0;
};

// The paper gives the sizes of the ball, the die and the coin; bowl, plate and mug are the library's.
std::vector<Row> rows() {
    return {
        {"ball bearing", Sphere{.radius = 0.0075}, "steel", 125, 1e-3, 415, 2.7, 0.42},
        {"die", Box{.size = Vec3::Constant(0.0114), .rounding = 0.001}, "acrylic", 170, 1e-3, 1058, 7.3, 0.6},
        {"coin", Cylinder{.radius = 0.011, .height = 0.00133}, "copper", 215, 2e-3, 8478, 3.3, 0.6},
        {"bowl", Bowl{}, "ceramic", 220, 10e-3, 2419, 136, 2.15},
        {"plate", Bowl{.radius = 0.1, .depth = 0.018, .thickness = 0.004}, "ceramic", 300, 5e-3, 3206, 28.1, 1.8},
        {"mug", Mug{}, "ceramic", 195, 13e-3, 6959, 16921, 19},
    };
}

AccelerationBake bake(const Row& row) {
    const Surface surface = surface_of(row.shape);
    const MassProperties body = mass_properties(surface);
    const double radius = (surface.vertices.rowwise() - body.centre.transpose()).rowwise().norm().maxCoeff();
    constexpr int border_cells = 22;  // absorbing layers and what the interpolation reads
    return bake_acceleration_noise(surface, body, *find_material(row.material), Air{},
                                   {.cell_size = 8 * radius / (row.cells - border_cells),
                                    .recording_radii = {2, std::pow(2, 1.25), std::pow(2, 1.5), std::pow(2, 1.75), 4},
                                    .max_duration = row.duration,
                                    .decay_db = 0});
}

void print(const Row& row, const AccelerationBake& bake) {
    const auto [nx, ny, nz] = bake.grid.cells;
    long signals = 0;
    for (const NoiseField& field : bake.noise.fields) signals += field.harmonics.size();
    fmt::print(
        "| {} | {}×{}×{} | {:.0f} | {:.1f} s | {:.0f} s | {:.2f} s | {:.1f} s | {:.3f} MB | {} MB | {} | {:.1f} % |\n",
        row.name, nx, ny, nz, std::ceil(row.duration / bake.grid.time_step), bake.solve_seconds, row.paper_simulation,
        bake.fit_seconds, row.paper_fit, 1e-6 * static_cast<double>(bake.noise.bytes()), row.paper_megabytes, signals,
        100 * bake.fit_residual);
    std::fflush(stdout);
}

}  // namespace

int main(int count, char** arguments) {
    fmt::print("{} threads\n", thread_count());
    fmt::print("| body | cells | steps | simulation | paper | fit | paper | model | paper | signals | residual |\n");
    fmt::print("|---|---|---|---|---|---|---|---|---|---|---|\n");
    for (const Row& row : rows())
        if (count < 2 || row.name.find(arguments[1]) != std::string::npos) print(row, bake(row));
}
