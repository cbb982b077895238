// What the body and its sheets do to the cells around them, measured along lines through the cells.
#pragma once

#include <clangor/radiation/wave/grid.hpp>
#include <clangor/radiation/wave/surface_pieces.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace clangor::wave {

/// A box of cells that holds the body and some air around it.
struct CellBox {
    std::array<int, 3> low = {};    ///< its first cell in the grid
    std::array<int, 3> count = {};  ///< cells along x, y, z

    long size() const { return static_cast<long>(count[0]) * count[1] * count[2]; }
    long stride(int axis) const {
        return axis == 0 ? 1 : axis == 1 ? count[0] : static_cast<long>(count[0]) * count[1];
    }
    bool holds(const std::array<int, 3>& cell) const {  ///< a cell of the grid
        for (std::size_t k = 0; k < 3; ++k)
            if (cell[k] < low[k] || cell[k] >= low[k] + count[k]) return false;
        return true;
    }
    std::size_t at(const std::array<int, 3>& cell) const {  ///< of a cell of the grid
        const long x = cell[0] - low[0], y = cell[1] - low[1], z = cell[2] - low[2];
        return (z * count[1] + y) * count[0] + x;
    }
    std::array<int, 3> cell(std::size_t at) const {  ///< in the grid
        const auto i = static_cast<long>(at);
        return {low[0] + static_cast<int>(i % count[0]), low[1] + static_cast<int>(i / count[0] % count[1]),
                low[2] + static_cast<int>(i / count[0] / count[1])};
    }
};

/// Lines across each cell along each axis. With 7 the volume of a sphere of five cells radius comes out to 1e-4.
inline constexpr int cell_lines = 7;
inline constexpr int grain_count =
    cell_lines * cell_lines * cell_lines;  ///< points of a cell where lines of all axes meet

/// The points of one cell where its lines meet, x fastest. Where surface lies between a grain and the next lower one
/// along an axis, `blocked` says where: from 1, at the lower grain, to 255, at this one; else it is 0.
struct Grains {
    std::array<std::uint8_t, grain_count> solid = {};  ///< inside the body
    std::array<std::array<std::uint8_t, grain_count>, 3> blocked = {};
    std::array<std::array<std::uint8_t, cell_lines * cell_lines>, 3> blocked_above =
        {};  ///< likewise above the highest grains
};

inline constexpr std::array<int, 3> grain_stride = {1, cell_lines, cell_lines* cell_lines};
inline int grain_coordinate(int grain, std::size_t axis) { return grain / grain_stride[axis] % cell_lines; }

/// Of the lines along an axis, in grains from 0 to 48, the one that a grain lies on.
inline std::size_t grain_line(int grain, std::size_t axis) {
    return grain_coordinate(grain, (axis + 1) % 3) * cell_lines + grain_coordinate(grain, (axis + 2) % 3);
}

/// The mean plane of the open sheets in a cell; the normal is zero where there are none.
struct SheetPlane {
    Vec3 normal = Vec3::Zero();
    Vec3 through = Vec3::Zero();  ///< from the cell's low corner [cells]
};

struct LineSurvey {
    CellBox box;
    std::vector<float> solid;                      ///< part of each cell that is inside the body
    std::array<std::vector<float>, 3> solid_face;  ///< part of its low face along each axis
    std::vector<int> touched;  ///< per cell: into grains where surface passes through or close by, else −1
    std::vector<Grains> grains;
    std::vector<SheetPlane> sheets;  ///< one for each of grains
};

LineSurvey line_survey(const Grid& grid, const Surface& surface, const std::vector<char>& closed,
                       const std::vector<SurfacePiece>& pieces);

}  // namespace clangor::wave
