// In which cell of a lattice each ball is, so that it looks for others nearby only. Internal to motion/grains.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace clangor::grains {

using CellIndex = std::array<std::int16_t, 3>;

/// Cells no smaller than the largest ball. The lattice has no end, but is folded: cells that are a multiple of `count`
/// apart share a list, so that it takes as much memory as there are balls, wherever they fly. In a periodic box
/// the fold is the box.
struct Cells {
    Vec3 size = Vec3::Ones();       ///< of a cell [m]
    Vec3 origin = Vec3::Zero();     ///< the low corner of cell (0, 0, 0) [m]
    std::array<int, 3> count = {};  ///< at least 3 along each axis
    bool periodic = false;
    std::vector<std::int32_t> first = {};  ///< of each list; −1: none
    std::vector<std::int32_t> next = {}, before = {};
    std::vector<CellIndex> of_ball = {};

    int folded(int i, std::size_t axis) const {
        const int n = count[axis];
        return periodic ? (i < 0 ? i + n : i >= n ? i - n : i) : i & (n - 1);
    }
    std::size_t list(int x, int y, int z) const {
        return std::size_t((folded(x, 0) * count[1] + folded(y, 1)) * count[2] + folded(z, 2));
    }
    void insert(std::int32_t ball);
    void remove(std::int32_t ball);
};

/// The lattice for balls of at most this diameter within these corners.
Cells cells_for(double diameter, const Vec3& low, const Vec3& high, std::size_t balls);
Cells periodic_cells(double diameter, const Vec3& box, std::size_t balls);

}  // namespace clangor::grains
