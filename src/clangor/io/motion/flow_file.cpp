// Tables of particles, and of cells, frame by frame   docs/guide/imported-motion.md.
#include <clangor/io/motion/flow_file.hpp>

#include <clangor/io/motion/collision_file.hpp>
#include <clangor/io/motion/table.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace clangor::io {
namespace {

constexpr ColumnKind flow_columns[] = {
    {"time", Quantity::Time, "t"}, {"frame", Quantity::Number},    {"x", Quantity::Length}, {"y", Quantity::Length},
    {"z", Quantity::Length},       {"vx", Quantity::Speed},        {"vy", Quantity::Speed}, {"vz", Quantity::Speed},
    {"fill", Quantity::Number},    {"deviation", Quantity::Speed},
};
constexpr std::array<std::string_view, 6> moving_columns = {"x", "y", "z", "vx", "vy", "vz"};
constexpr std::array<std::string_view, 1> fill_column = {"fill"};

// Of a cell: what files with few digits leave open.
constexpr double off_grid = 0.02;

std::vector<FlowFrame> frames_in(TableReader& table, const std::string& name, bool of_cells) {
    const bool has_time = table.has("time");
    if (has_time == table.has("frame"))
        fail(table.where_header(), "give one of the columns \"time\" and \"frame\"{}", has_time ? ", not both" : "");
    table.require(moving_columns);
    if (of_cells) table.require(fill_column);
    const bool has_deviation = of_cells && table.has("deviation");
    FlowRows rows(of_cells, has_deviation);
    const auto three = [&](std::string_view x, std::string_view y, std::string_view z) {
        return y_up(table.units(), Vec3(table.number(x), table.number(y), table.number(z)));
    };
    while (table.next()) {
        FlowRow row;
        row.time = has_time ? table.number("time") : time_of_frame(table.units(), table.number("frame"), table.where());
        row.position = three("x", "y", "z");
        row.velocity = three("vx", "vy", "vz");
        if (of_cells) row.fill = table.number("fill");
        if (has_deviation) row.deviation = table.number("deviation");
        rows.add(row, table.where());
    }
    return rows.frames(name);
}

// Of all cells along one axis, each once.
std::vector<double> places_along(const std::vector<FlowFrame>& frames, long axis) {
    std::vector<double> places;
    for (const FlowFrame& frame : frames) {
        for (long i = 0; i < frame.positions.rows(); ++i) places.push_back(frame.positions(i, axis));
        std::ranges::sort(places);
        places.erase(std::unique(places.begin(), places.end()), places.end());
    }
    return places;
}

}  // namespace

void FlowRows::add(const FlowRow& row, const std::string& where) {
    check_moment(row.time, row.position, where);
    check_speed(row.velocity.norm(), where);
    if (has_fills_ && !(row.fill >= 0 && row.fill <= 1))
        fail(where, "the fill is the part of a cell that is grains, from 0 to 1, but is {}", row.fill);
    if (has_deviations_ && !(row.deviation >= 0))
        fail(where, "the deviation of velocities must not be negative, but is {} m/s", row.deviation);
    check_speed(row.deviation, where);
    if (!rows_.empty() && row.time < rows_.back().time)
        fail(where, "time goes back from {} s to {} s; sort the rows by time", rows_.back().time, row.time);
    if (!rows_.empty() && row.time > rows_.back().time) close();
    rows_.push_back(row);
}

void FlowRows::close() {
    const long count = std::ssize(rows_);
    FlowFrame frame{.time = rows_.front().time, .positions = Points(count, 3), .velocities = Points(count, 3)};
    if (has_fills_) frame.fills.resize(count);
    if (has_deviations_) frame.deviations.resize(count);
    for (long i = 0; i < count; ++i) {
        const FlowRow& row = rows_[static_cast<std::size_t>(i)];
        frame.positions.row(i) = row.position;
        frame.velocities.row(i) = row.velocity;
        if (has_fills_) frame.fills[i] = row.fill;
        if (has_deviations_) frame.deviations[i] = row.deviation;
    }
    frames_.push_back(std::move(frame));
    rows_.clear();
}

std::vector<FlowFrame> FlowRows::frames(const std::string& name) {
    if (!rows_.empty()) close();
    if (frames_.size() < 2)
        fail(name, "holds {}; a flow needs two frames at least", frames_.empty() ? "no row" : "a single frame");
    return std::exchange(frames_, {});
}

FlowGrid grid_of(std::vector<FlowFrame> frames, const std::string& name) {
    FlowGrid grid;
    std::array<std::vector<double>, 3> places;
    double extent = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        places[axis] = places_along(frames, static_cast<long>(axis));
        extent = std::max(extent, places[axis].back() - places[axis].front());
    }
    // Numbers of few digits may differ a little where they mean the same.
    constexpr double same = 1e-4;
    for (const std::vector<double>& along : places)
        for (std::size_t i = 1; i < along.size(); ++i)
            if (const double gap = along[i] - along[i - 1]; gap > same * extent && (grid.edge == 0 || gap < grid.edge))
                grid.edge = gap;
    if (grid.edge == 0) fail(name, "holds a single cell; how large it is shows only beside another one");
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const double first = places[axis].front();
        grid.corner[static_cast<long>(axis)] = first - grid.edge / 2;
        for (const double place : places[axis]) {
            const double cells = (place - first) / grid.edge;
            if (std::abs(cells - std::round(cells)) > off_grid)
                fail(name,
                     "cells are no cubes of one grid: the nearest are {:.6g} m apart, but {} = {:.6g} m is "
                     "{:.6g} m from another one",
                     grid.edge, "xyz"[axis], place, place - first);
        }
    }
    grid.frames = std::move(frames);
    return grid;
}

std::vector<FlowFrame> parse_particles(std::string_view text, const std::string& name) {
    TableReader table(text, name, flow_columns);
    return frames_in(table, name, false);
}

FlowGrid parse_grid(std::string_view text, const std::string& name) {
    TableReader table(text, name, flow_columns);
    return grid_of(frames_in(table, name, true), name);
}

std::vector<FlowFrame> read_particle_table(const std::filesystem::path& path) {
    return parse_particles(text_of_table(path, "animation of grains"), path.string());
}

FlowGrid read_grid_table(const std::filesystem::path& path) {
    return parse_grid(text_of_table(path, "animation of grains"), path.string());
}

}  // namespace clangor::io
