// Animations of grains: HDF5 or tables.
#include <clangor/io/collisions/collisions.hpp>
#include <clangor/io/collisions/datasets.hpp>
#include <clangor/io/file/file.hpp>

#include <fmt/format.h>

namespace clangor::io {
namespace {

std::vector<FlowFrame> frames_in(const Hdf5Reader& file, const std::string& name, bool of_cells) {
    const std::uint64_t n = file.doubles("time").values.size();
    const bool has_deviation = of_cells && file.has("deviation");
    const auto numbers = [&](const char* dataset, bool is_there) {
        return is_there ? rows_of(file, dataset, n, 1) : std::vector<double>(n);
    };
    const std::vector<double> time = rows_of(file, "time", n, 1), position = rows_of(file, "position", n, 3),
                              velocity = rows_of(file, "velocity", n, 3), fill = numbers("fill", of_cells),
                              deviation = numbers("deviation", has_deviation);
    FlowRows rows(of_cells, has_deviation);
    for (std::size_t i = 0; i < n; ++i)
        rows.add({time[i], vector_in_row(position, i), vector_in_row(velocity, i), fill[i], deviation[i]},
                 fmt::format("{}: row {}", name, i));
    return rows.frames(name);
}

}  // namespace

std::vector<FlowFrame> parse_particle_datasets(std::span<const std::byte> bytes, const std::string& name) {
    return named_in_errors(name, [&] { return frames_in(Hdf5Reader(bytes), name, false); });
}

FlowGrid parse_grid_datasets(std::span<const std::byte> bytes, const std::string& name) {
    return named_in_errors(name, [&] { return grid_of(frames_in(Hdf5Reader(bytes), name, true), name); });
}

std::vector<FlowFrame> read_particles(const std::filesystem::path& path) {
    if (is_hdf5(path)) return parse_particle_datasets(read_bytes(path), path.string());
    return read_particle_table(path);
}

FlowGrid read_grid(const std::filesystem::path& path) {
    if (is_hdf5(path)) return parse_grid_datasets(read_bytes(path), path.string());
    return read_grid_table(path);
}

}  // namespace clangor::io
