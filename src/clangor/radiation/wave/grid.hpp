// A regular grid of cubic cells and how its pressures lie in memory.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdlib>
#include <memory>
#include <new>

namespace clangor::wave {

/// Cells (x, y, z) with x fastest. Around them lie ghost cells that stay zero, so that every loop may read its
/// neighbours: each row ends in at least one, which also stands before the next row; likewise for planes.
struct Grid {
    std::array<int, 3> cells = {};  ///< along x, y, z
    Vec3 origin = Vec3::Zero();     ///< low corner of cell (0, 0, 0) [m]
    double cell_size = 0;           ///< [m]
    int layer_cells = 0;            ///< thickness of the absorbing layer on each side
    double courant_sq = 0;          ///< (c Δt/Δx)²
    long row = 0;                   ///< floats from (x, y, z) to (x, y+1, z): whole vector registers
    long plane = 0;                 ///< floats from (x, y, z) to (x, y, z+1)

    long first() const { return plane + row; }                      ///< of cell (0, 0, 0) in an array
    long size() const { return first() + (cells[2] + 1) * plane; }  ///< floats in an array
    long index(int x, int y, int z) const { return first() + z * plane + y * row + x; }
    Vec3 centre(int x, int y, int z) const { return origin + cell_size * Vec3(x + 0.5, y + 0.5, z + 0.5); }
};

inline constexpr long row_lanes = 16;  ///< floats in a cache line and in the widest vector register

/// Rows and planes for the cells that a grid has.
inline void lay_out(Grid& grid) {
    grid.row = (grid.cells[0] + 1 + row_lanes - 1) / row_lanes * row_lanes;
    grid.plane = (grid.cells[1] + 1) * grid.row;
    // Planes a multiple of 4 kB apart fall into the same sets of a cache and push each other out.
    if (grid.plane % 1024 < 80 || grid.plane % 1024 > 944) grid.plane += 11 * row_lanes;
}

/// Zeroed floats on a cache line of their own.
class FloatArray {
public:
    explicit FloatArray(long size = 0) : size_(size) {
        if (size == 0) return;
        const std::size_t bytes = (size * sizeof(float) + 63) / 64 * 64;
        data_.reset(static_cast<float*>(std::aligned_alloc(64, bytes)));
        if (!data_) throw std::bad_alloc();
        std::fill_n(data_.get(), size, 0.0f);
    }
    float* data() { return data_.get(); }
    const float* data() const { return data_.get(); }
    long size() const { return size_; }

private:
    struct Free {
        void operator()(float* p) const { std::free(p); }
    };
    std::unique_ptr<float, Free> data_;
    long size_ = 0;
};

}  // namespace clangor::wave
