// How grains flow, as an animation knows it, frame by frame: tables of particles, or of the cells of a grid.
//
//     const std::vector<io::FlowFrame> frames = io::parse_particles("time,x,y,z,vx,vy,vz\n…", "gravel.csv");
#pragma once

#include <clangor/core/core.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace clangor::io {

/// One moment: a row for each particle or cell.
struct FlowFrame {
    double time = 0;                  ///< [s]
    Points positions = {};            ///< of particles, or of the middles of cells [m]
    Points velocities = {};           ///< [m/s]
    Eigen::VectorXd fills = {};       ///< of cells: the part of the volume that is grains, in [0, 1]
    Eigen::VectorXd deviations = {};  ///< of cells: of one component of a grain's velocity; empty: not known [m/s]
};

/// Cells that are cubes of one grid.
struct FlowGrid {
    double edge = 0;             ///< of a cell [m]
    Vec3 corner = Vec3::Zero();  ///< of one of the cells; all others are whole edges away [m]
    std::vector<FlowFrame> frames = {};
};

/// A row of a file, in SI units with y up.
struct FlowRow {
    double time = 0;
    Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
    double fill = 0, deviation = 0;
};

/// Puts rows together, whatever they were read from. Frames ascend; throws Error at `where` for a row that can mean
/// nothing.
class FlowRows {
public:
    FlowRows(bool has_fills, bool has_deviations) : has_fills_(has_fills), has_deviations_(has_deviations) {}
    void add(const FlowRow& row, const std::string& where);
    /// Throws Error, with `name`, for less than two frames.
    std::vector<FlowFrame> frames(const std::string& name);

private:
    void close();

    bool has_fills_, has_deviations_;
    std::vector<FlowRow> rows_ = {};  ///< of the frame that is read
    std::vector<FlowFrame> frames_ = {};
};

/// The grid that the middles of cells lie on. Throws Error, with `name`, where they lie on none.
FlowGrid grid_of(std::vector<FlowFrame> frames, const std::string& name);

/// Two frames at least, by time. `name` stands in messages; throws Error with line and what to do.
std::vector<FlowFrame> parse_particles(std::string_view text, const std::string& name);
FlowGrid parse_grid(std::string_view text, const std::string& name);

/// The same of files.
std::vector<FlowFrame> read_particle_table(const std::filesystem::path& path);
FlowGrid read_grid_table(const std::filesystem::path& path);

}  // namespace clangor::io
