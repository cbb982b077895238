// The time steps: several at once in one sweep through the grid, so that memory is read once for all of them.
#pragma once

#include <clangor/radiation/wave/absorbing_layer.hpp>
#include <clangor/radiation/wave/grid.hpp>

#include <array>
#include <span>
#include <vector>

namespace clangor::wave {

/// What differs from free air, in ascending order of the owning cells' place in memory. Where walls divide the air of a
/// cell, its further parts have pressures of their own, behind those of the grid.
struct WallCells {
    std::vector<int> cell;                    ///< index of air cells that a wall touches
    std::vector<std::array<float, 6>> extra;  ///< λ²(β/α − 1) towards −x, +x, −y, +y, −z, +z
    std::vector<int> shut;                    ///< cells without air that have air beside them: kept at zero
    std::vector<int> further_owner;           ///< the cell that each further part belongs to

    struct Link {
        int owner, to, from;
        float gain;  ///< λ²β/α
    };
    std::vector<Link> links;  ///< openings to and from further parts
    std::vector<int> source;  ///< cells and further parts into which surface pushes
    std::vector<int> source_owner;
};

/// Four neighbouring cells of a row that one point's pressure is read from.
struct Tap {
    int point;
    int cell;  ///< index of the first of the four
    std::array<float, 4> weights;
};

/// All that the steps read and never write; shared by every field.
struct StepPlan {
    Grid grid;
    LayerProfile layer;
    WallCells walls;
    std::vector<Tap> taps;  ///< ascending planes, then points
    int points = 0;

    // What follows is made by `finish`.
    std::vector<int> cell_begin, shut_begin, further_begin, link_begin,
        source_begin;                          ///< per row of all planes, into the lists above
    std::vector<int> sum_begin;                ///< per plane: the partial sums, one for each point that taps the plane
    std::vector<int> sum_tap;                  ///< per partial sum: its first tap
    std::vector<int> point_begin, point_sums;  ///< per point: its partial sums, in ascending planes

    long pressures() const { return grid.size() + static_cast<long>(walls.further_owner.size()); }
};

/// Sorts the taps and finds each plane's part of the lists.
void finish(StepPlan& plan);

/// How a field is driven: pressure added to source cell i in step n is Σ_m weights[m][i]·signals[m][n].
struct Drive {
    std::vector<std::vector<float>> weights;
    std::vector<std::vector<float>> signals;
};

/// One field. `now` is its pressure at step n, `before` that at n − 1.
struct FieldState {
    FloatArray now, before;
    LayerMemory layer;
    Drive drive;
    std::vector<float> recorded;  ///< what `advance` has recorded, one row of points per sample

    explicit FieldState(const StepPlan& plan);
};

/// Advances all fields from step `first` to `first + steps`, each by itself, `fused` steps in one sweep. Where
/// record_every divides a step's number, the pressures at the points after it are appended to `recorded`. Fields, and
/// stretches of planes of one field, run side by side.
void advance(const StepPlan& plan, std::span<FieldState> fields, long first, long steps, int record_every, int fused);

/// How many steps one sweep best takes: with more of them its planes outgrow the cache, or its threads wait.
int fused_steps(const StepPlan& plan, std::size_t fields);

/// Largest magnitude of a field; NaN where there is one.
float largest_pressure(const StepPlan& plan, const FieldState& state);

}  // namespace clangor::wave
