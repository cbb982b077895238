#include <clangor/radiation/wave/grid_plan.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

namespace clangor::wave {
namespace {

// Between body and layer: the cut cells, and a few cells for the steep field next to the wall. Between points and
// layer: what the interpolation reads.
constexpr int body_margin = 6, point_margin = 3;

// Indices into an array are 32 bits wide.
constexpr double max_cells = 2e9;

// Cells along each axis. In double, since this is asked before it is known whether they can be counted in an int.
Vec3 cell_counts(const Bounds& bounds, double cell_size, int layer_cells) {
    const Vec3 inner = ((bounds.high - bounds.low) / cell_size).array().ceil();
    // The layers of the two ends, in whole registers, must not overlap.
    const double least = 2.0 * ((layer_cells + 7) / 8 * 8) + 2;
    return (inner.array() + 2.0 * layer_cells).max(least);
}

Bounds air_bounds(const Surface& surface, const Points& points, double cell_size) {
    Bounds bounds = bounds_of(surface.vertices);
    bounds.low.array() -= body_margin * cell_size;
    bounds.high.array() += body_margin * cell_size;
    if (points.rows() == 0) return bounds;
    const Bounds around = bounds_of(points);
    bounds.low = bounds.low.cwiseMin((around.low.array() - point_margin * cell_size).matrix());
    bounds.high = bounds.high.cwiseMax((around.high.array() + point_margin * cell_size).matrix());
    return bounds;
}

// Close to field_bytes, for counts that may be too large for a Grid.
double estimated_bytes(const Vec3& counts, int layer_cells) {
    const double cells = (counts.array() + 1).prod();
    const double faces = counts.x() * counts.y() + counts.y() * counts.z() + counts.z() * counts.x();
    return 4.0 * (2 * cells + 2 * 2 * (layer_cells + 4) * faces) * 1.05;
}

}  // namespace

Grid grid_around(const Surface& surface, const Points& points, const WaveGridOptions& options) {
    const Bounds bounds = air_bounds(surface, points, options.cell_size);
    const Vec3 counts = cell_counts(bounds, options.cell_size, options.layer_cells);
    Grid grid;
    grid.cells = {static_cast<int>(counts.x()), static_cast<int>(counts.y()), static_cast<int>(counts.z())};
    grid.cell_size = options.cell_size;
    grid.origin = (bounds.low + bounds.high) / 2 - counts * options.cell_size / 2;
    grid.layer_cells = options.layer_cells;
    grid.courant_sq = square(options.courant) / 3;
    lay_out(grid);
    return grid;
}

double field_bytes(const Grid& grid) {
    const LayerProfile layer = layer_profile(grid.layer_cells, grid.cell_size, grid.courant_sq, 1.0);
    return 4.0 * (2.0 * static_cast<double>(grid.size()) + static_cast<double>(LayerMemory::floats(grid, layer)));
}

double memory_limit(const WaveGridOptions& options) {
    return allowed_memory(static_cast<double>(options.memory_limit));
}

void check_memory(const Surface& surface, const Points& points, const WaveGridOptions& options, int fields,
                  double record_bytes) {
    const double limit = memory_limit(options);
    auto counts_at = [&](double size) {
        return cell_counts(air_bounds(surface, points, size), size, options.layer_cells);
    };
    auto bytes_at = [&](double size) {
        return fields * estimated_bytes(counts_at(size), options.layer_cells) + record_bytes;
    };
    auto fits = [&](double size) {
        return bytes_at(size) <= limit && (counts_at(size).array() + 17).prod() < max_cells;
    };
    if (fits(options.cell_size)) return;
    double larger = options.cell_size;
    for (int i = 0; i < 400 && !fits(larger); ++i) larger *= 1.02;
    const Vec3 counts = counts_at(options.cell_size);
    const std::string advice = fits(larger) ? fmt::format("Cells of {:.3g} m would fit", larger)
                                            : std::string("Record fewer points or a shorter time");
    throw Error(
        fmt::format(
            "a wave grid of {:.0f} × {:.0f} × {:.0f} cells of {:g} m and {} field{} needs {:.3g} GB of memory, but "
            "{:.3g} GB may be used. {}{}.",
            counts.x(), counts.y(), counts.z(), options.cell_size, fields, fields == 1 ? "" : "s",
            bytes_at(options.cell_size) / 1e9, limit / 1e9, advice,
            fields > 1 ? ", or run fewer fields at a time" : ""),
        Blame::Memory);
}

}  // namespace clangor::wave
