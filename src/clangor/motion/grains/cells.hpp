// In which cell of a lattice each ball is, so that it looks for others nearby only. Internal to motion/grains.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace clangor::grains {

using CellIndex = std::array<std::int16_t, 3>;

/// Cells no smaller than the largest ball. The lattice has no end, and as many lists as there are balls, wherever they
/// fly: each column of cells along z follows some place in the ring of lists, at which others may lie, too. In a
/// periodic box there is a list for each cell.
struct Cells {
    Vec3 size = Vec3::Ones();       ///< of a cell [m]
    Vec3 origin = Vec3::Zero();     ///< the low corner of cell (0, 0, 0) [m]
    std::array<int, 3> count = {};  ///< of a periodic box, at least 3 along each axis
    bool periodic = false;
    std::vector<std::int32_t> first = {};  ///< of each list; −1: none
    std::vector<std::int32_t> next = {}, before = {};
    std::vector<CellIndex> of_ball = {};

    /// In a periodic box: the cell that is meant by one outside of it.
    int folded(int i, std::size_t axis) const {
        const int n = count[axis];
        return i < 0 ? i + n : i >= n ? i - n : i;
    }
    std::size_t column(int x, int y) const {
        if (periodic) return std::size_t((folded(x, 0) * count[1] + folded(y, 1)) * count[2]);
        const std::uint64_t key = std::uint64_t(std::uint32_t(x)) << 32 | std::uint32_t(y);
        return std::size_t((key * 0x9e3779b97f4a7c15u) >> 24 ^ (key * 0xc2b2ae3d27d4eb4fu) >> 40);
    }
    std::size_t in_column(std::size_t column, int z) const {
        if (periodic) return column + std::size_t(folded(z, 2));
        return (column + std::size_t(z)) & (first.size() - 1);
    }
    std::size_t list(int x, int y, int z) const { return in_column(column(x, y), z); }
    void insert(std::int32_t ball);
    void remove(std::int32_t ball);
};

/// The lattice for balls of at most this diameter.
Cells cells_for(double diameter, const Vec3& origin, std::size_t balls);
Cells periodic_cells(double diameter, const Vec3& box, std::size_t balls);

}  // namespace clangor::grains
