#include <clangor/radiation/wave/advance.hpp>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

namespace clangor::wave {

void finish(StepPlan& plan) {
    const auto [nx, ny, nz] = plan.grid.cells;
    auto plane_of = [&](int cell) { return static_cast<int>((cell + 1 - plan.grid.first()) / plan.grid.plane); };
    auto begins = [&](const std::vector<int>& cells) {
        std::vector<int> begin;
        for (int z = 0; z <= nz; ++z)
            for (int y = 0; y < (z < nz ? ny : 1); ++y) {
                const long at = plan.grid.index(0, y, z);
                begin.push_back(static_cast<int>(std::lower_bound(cells.begin(), cells.end(), at) - cells.begin()));
            }
        return begin;
    };
    plan.cell_begin = begins(plan.walls.cell);
    plan.shut_begin = begins(plan.walls.shut);
    plan.further_begin = begins(plan.walls.further_owner);
    plan.source_begin = begins(plan.walls.source_owner);
    std::vector<int> link_owner;
    for (const WallCells::Link& link : plan.walls.links) link_owner.push_back(link.owner);
    plan.link_begin = begins(link_owner);

    std::stable_sort(plan.taps.begin(), plan.taps.end(), [&](const Tap& a, const Tap& b) {
        return std::tuple(plane_of(a.cell), a.point, a.cell) < std::tuple(plane_of(b.cell), b.point, b.cell);
    });
    plan.sum_tap.clear();
    plan.sum_begin.assign(nz + 1, 0);
    for (std::size_t i = 0; i < plan.taps.size(); ++i) {
        const int z = plane_of(plan.taps[i].cell);
        if (i > 0 && z == plane_of(plan.taps[i - 1].cell) && plan.taps[i].point == plan.taps[i - 1].point) continue;
        plan.sum_tap.push_back(static_cast<int>(i));
        ++plan.sum_begin[z + 1];
    }
    for (std::size_t z = 1; z < plan.sum_begin.size(); ++z) plan.sum_begin[z] += plan.sum_begin[z - 1];
    plan.sum_tap.push_back(static_cast<int>(plan.taps.size()));
    plan.point_begin.assign(plan.points + 1, 0);
    const auto sums = static_cast<int>(plan.sum_tap.size()) - 1;
    const auto point_of = [&](int sum) { return plan.taps[plan.sum_tap[sum]].point; };
    for (int sum = 0; sum < sums; ++sum) ++plan.point_begin[point_of(sum) + 1];
    std::partial_sum(plan.point_begin.begin(), plan.point_begin.end(), plan.point_begin.begin());
    plan.point_sums.resize(sums);
    std::vector<int> place(plan.point_begin.begin(), plan.point_begin.end() - 1);
    for (int sum = 0; sum < sums; ++sum) plan.point_sums[place[point_of(sum)]++] = sum;
}

FieldState::FieldState(const StepPlan& plan)
    : now(plan.pressures()), before(plan.pressures()), layer(plan.grid, plan.layer) {}

namespace {

/// Far ahead of a wave, pressures are too small to be normalised floats, on which arithmetic is many times slower: they
/// count as zero while this lives.
class FlushToZero {
public:
#if defined(__SSE__)
    FlushToZero() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | 0x8040u); }
    ~FlushToZero() { _mm_setcsr(saved_); }
    FlushToZero(const FlushToZero&) = delete;
    FlushToZero& operator=(const FlushToZero&) = delete;

private:
    unsigned saved_;
#endif
};

// p^{n+1} = p^n + (p^n − p^{n−1}) + λ² Σ (p_neighbour − p)^n over a row; `next` holds p^{n−1}
// (docs/theory/wave-solver.md, Eq. 2). The difference comes first: it is exact where both are close, so that rounding
// does not drift.
void free_air(const float* __restrict p, float* __restrict next, long row, long plane, long count, float courant_sq) {
#pragma omp simd
    for (long x = 0; x < count; ++x) {
        const float neighbours =
            (p[x - 1] + p[x + 1]) + (p[x - row] + p[x + row]) + (p[x - plane] + p[x + plane]) - 6.0f * p[x];
        next[x] = p[x] + ((p[x] - next[x]) + courant_sq * neighbours);
    }
}

/// One step of one field.
struct Step {
    const float* now;
    float* next;
    long n;
    float* sums;  ///< partial sums of the points at n + 1, or null
};

/// Of rows in the lists of all rows.
struct ListedRows {
    std::size_t begin, end;
};

ListedRows listed(const Grid& grid, const PlaneRows& rows) {
    const std::size_t first = std::size_t(rows.z) * std::size_t(grid.cells[1]);
    return {first + std::size_t(rows.begin), first + std::size_t(rows.end)};
}

// What walls change in these rows, after they were treated as free air.
void apply_walls(const StepPlan& plan, const Step& step, const ListedRows& rows) {
    const Grid& grid = plan.grid;
    const WallCells& walls = plan.walls;
    const float* const p = step.now;
    for (int i = plan.cell_begin[rows.begin]; i < plan.cell_begin[rows.end]; ++i) {
        const long c = walls.cell[i];
        const std::array<float, 6>& k = walls.extra[i];
        step.next[c] += k[0] * (p[c - 1] - p[c]) + k[1] * (p[c + 1] - p[c]) + k[2] * (p[c - grid.row] - p[c]) +
                        k[3] * (p[c + grid.row] - p[c]) + k[4] * (p[c - grid.plane] - p[c]) +
                        k[5] * (p[c + grid.plane] - p[c]);
    }
    for (int i = plan.further_begin[rows.begin]; i < plan.further_begin[rows.end]; ++i) {
        const long c = grid.size() + i;
        step.next[c] = p[c] + (p[c] - step.next[c]);
    }
    for (int i = plan.link_begin[rows.begin]; i < plan.link_begin[rows.end]; ++i) {
        const WallCells::Link& link = walls.links[i];
        step.next[link.to] += link.gain * (p[link.from] - p[link.to]);
    }
    for (int i = plan.shut_begin[rows.begin]; i < plan.shut_begin[rows.end]; ++i) step.next[walls.shut[i]] = 0;
}

void push_air(const StepPlan& plan, const Drive& drive, const Step& step, const ListedRows& rows) {
    for (std::size_t m = 0; m < drive.weights.size(); ++m) {
        const float signal = drive.signals[m][step.n];
        if (signal == 0) continue;
        const float* const weights = drive.weights[m].data();
        for (int i = plan.source_begin[rows.begin]; i < plan.source_begin[rows.end]; ++i)
            step.next[plan.walls.source[i]] += weights[i] * signal;
    }
}

void record_plane(const StepPlan& plan, const Step& step, std::size_t z) {
    for (int sum = plan.sum_begin[z]; sum < plan.sum_begin[z + 1]; ++sum) {
        float total = 0;
        for (int i = plan.sum_tap[sum]; i < plan.sum_tap[sum + 1]; ++i) {
            const Tap& tap = plan.taps[i];
            const float* const p = step.next + tap.cell;
            total += (tap.weights[0] * p[0] + tap.weights[1] * p[1]) + (tap.weights[2] * p[2] + tap.weights[3] * p[3]);
        }
        step.sums[sum] = total;
    }
}

void advance_rows(const StepPlan& plan, FieldState& field, const Step& step, const PlaneRows& rows) {
    const Grid& grid = plan.grid;
    for (int y = rows.begin; y < rows.end; ++y) {
        const long i = grid.index(0, y, rows.z);
        // Over whole registers into the ghost cells, which are then silenced again.
        free_air(step.now + i, step.next + i, grid.row, grid.plane, grid.row, static_cast<float>(grid.courant_sq));
        std::fill(step.next + i + grid.cells[0], step.next + i + grid.row, 0.0f);
    }
    absorb(grid, plan.layer, field.layer, step.now, step.next, rows);
    apply_walls(plan, step, listed(grid, rows));
    push_air(plan, field.drive, step, listed(grid, rows));
}

/// Planes that a task takes through all steps: step s works on [low + s·low_slope, high + s·high_slope). Where there is
/// but one step, also a part of their rows.
struct Tile {
    int low, high, low_slope, high_slope;
    int first_row, end_row;
};

// A wave front through space and time: step s follows one plane behind step s − 1, so that the planes in use stay in
// the cache and each is fetched from memory once for all steps.
void advance_tile(const StepPlan& plan, FieldState& field, std::span<const Step> steps, const Tile& tile) {
    const FlushToZero flush;
    const bool is_whole = tile.end_row - tile.first_row == plan.grid.cells[1];
    const int last = static_cast<int>(steps.size()) - 1;
    const int begin = std::min(tile.low, tile.low + last * tile.low_slope);
    const int end = std::max(tile.high, tile.high + last * tile.high_slope) + last;
    for (int front = begin; front < end; ++front)
        for (int s = 0; s <= last; ++s) {
            const int z = front - s;
            if (z < tile.low + s * tile.low_slope || z >= tile.high + s * tile.high_slope) continue;
            advance_rows(plan, field, steps[s], {z, tile.first_row, tile.end_row});
            if (is_whole && steps[s].sums != nullptr) record_plane(plan, steps[s], z);
        }
}

/// A field's planes are cut into blocks that run side by side. A block loses a plane a step at each end where it meets
/// another; the gaps between are filled afterwards. A plane keeps two time levels, so that both sides always find the
/// one they need.
struct Cut {
    std::vector<Tile> blocks, gaps;
    bool has_whole_planes = true;
};

// What an absorbing layer adds to the work of the air in it.
constexpr double layer_work = 1;

/// The planes, or the rows, of a grid.
struct Axis {
    int cells, layer;

    double work(int begin, int end) const {
        const int low = std::clamp(layer - begin, 0, end - begin),
                  high = std::clamp(end - cells + layer, 0, end - begin);
        return end - begin + layer_work * (low + high);
    }
};

// Where to cut an axis for `count` blocks with like work. Memories of a layer have but one time level, so that no cut
// may come near one in any step. Empty where there is no room.
std::vector<int> borders(const Axis& axis, int count, int steps) {
    if (count == 1) return {0, axis.cells};
    const int least_end = axis.layer + steps, least = 2 * steps;
    if (2 * least_end + (count - 2) * least > axis.cells) return {};
    const double share = axis.work(0, axis.cells) / count;
    std::vector<int> at = {0};
    for (int i = 1; i < count; ++i) {
        int cell = i == 1 ? least_end : at.back() + least;
        while (axis.work(0, cell) + 0.5 < i * share) ++cell;
        at.push_back(std::min(cell, axis.cells - least_end - (count - 1 - i) * least));
    }
    at.push_back(axis.cells);
    return at;
}

double largest_work(const Axis& axis, const std::vector<int>& borders) {
    double most = 0;
    for (std::size_t i = 1; i < borders.size(); ++i) most = std::max(most, axis.work(borders[i - 1], borders[i]));
    return most;
}

// For one step in a sweep: blocks of planes and rows.
Cut cut_both_ways(const Axis& planes, const Axis& rows, int most) {
    std::vector<int> best_planes, best_rows;
    double least = std::numeric_limits<double>::infinity();
    for (int count = most; count >= 1; --count) {
        const std::vector<int> z = borders(planes, count, 1), y = borders(rows, most / count, 1);
        if (z.empty() || y.empty()) continue;
        const double work = largest_work(planes, z) * largest_work(rows, y);
        if (!(work < least)) continue;
        least = work;
        best_planes = z;
        best_rows = y;
    }
    Cut cut{.blocks = {}, .gaps = {}, .has_whole_planes = best_rows.size() == 2};
    for (std::size_t z = 1; z < best_planes.size(); ++z)
        for (std::size_t y = 1; y < best_rows.size(); ++y)
            cut.blocks.push_back({best_planes[z - 1], best_planes[z], 0, 0, best_rows[y - 1], best_rows[y]});
    return cut;
}

Cut cut_planes(const Axis& planes, int rows, int most, int steps) {
    std::vector<int> at;
    for (int count = most; at.empty(); --count) at = borders(planes, count, steps);
    Cut cut;
    const std::size_t count = at.size() - 1;
    for (std::size_t i = 0; i < count; ++i) {
        cut.blocks.push_back({at[i], at[i + 1], i == 0 ? 0 : 1, i + 1 == count ? 0 : -1, 0, rows});
        if (i > 0) cut.gaps.push_back({at[i], at[i], -1, 1, 0, rows});
    }
    return cut;
}

// Into as many blocks as there are threads for each field.
Cut cut_grid(const StepPlan& plan, std::size_t fields, int steps) {
    const int most = std::max(1, (thread_count() + int(fields) - 1) / int(fields));
    const Axis planes{plan.grid.cells[2], plan.layer.thickness}, rows{plan.grid.cells[1], plan.layer.thickness};
    return steps == 1 ? cut_both_ways(planes, rows, most) : cut_planes(planes, rows.cells, most, steps);
}

// Each thread prefers the tile that it had in the sweep before, whose planes lie in its cache.
void run_tiles(const StepPlan& plan, FieldState& field, std::span<const Step> steps, const std::vector<Tile>& tiles) {
    std::vector<std::atomic<bool>> taken(tiles.size());
    parallel_for(std::ssize(tiles), [&](long) {
        std::size_t t = std::size_t(thread_index()) % tiles.size();
        while (taken[t].exchange(true, std::memory_order_relaxed)) t = (t + 1) % tiles.size();
        advance_tile(plan, field, steps, tiles[t]);
    });
}

/// Steps from `first` on, and where the partial sums of those that are recorded go.
struct Stretch {
    long first;
    int record_every;
    float* sums;

    long rows(long steps) const { return (first + steps) / record_every - first / record_every; }
};

// The steps of one sweep.
void sweep(const StepPlan& plan, FieldState& field, const Cut& cut, const Stretch& stretch, int steps) {
    const std::size_t sums = plan.sum_tap.size() - 1;
    std::vector<Step> todo;
    const std::array<float*, 2> levels = {field.now.data(), field.before.data()};
    float* next_row = stretch.sums;
    for (int s = 0; s < steps; ++s) {
        const bool wanted = (stretch.first + s + 1) % stretch.record_every == 0;
        todo.push_back({levels[s % 2], levels[(s + 1) % 2], stretch.first + s, wanted ? next_row : nullptr});
        if (wanted) next_row += sums;
    }
    run_tiles(plan, field, todo, cut.blocks);
    run_tiles(plan, field, todo, cut.gaps);
    if (!cut.has_whole_planes && todo.back().sums != nullptr) {
        const long nz = plan.grid.cells[2], parts = std::min(nz, 2 * std::ssize(cut.blocks));
        parallel_for(parts, [&](long part) {
            for (long z = nz * part / parts; z < nz * (part + 1) / parts; ++z)
                record_plane(plan, todo.back(), std::size_t(z));
        });
    }
    if (steps % 2 == 1) std::swap(field.now, field.before);
}

// The pressures at the points, of rows of partial sums.
void add_up(const StepPlan& plan, const std::vector<float>& partial, long rows, std::vector<float>& recorded) {
    const std::size_t sums = plan.sum_tap.size() - 1, points = plan.points, before = recorded.size();
    recorded.resize(before + rows * points);
    parallel_for(rows, [&](long r) {
        const float* const row = partial.data() + r * sums;
        float* const out = recorded.data() + before + r * points;
        for (std::size_t p = 0; p < points; ++p) {
            float pressure = 0;
            for (int i = plan.point_begin[p]; i < plan.point_begin[p + 1]; ++i) pressure += row[plan.point_sums[i]];
            out[p] = pressure;
        }
    });
}

// Partial sums are added up after so many steps: memory for them, and so many rows side by side.
constexpr long steps_together = 64;

void advance(const StepPlan& plan, FieldState& field, const Cut& cut, long first, long steps, int record_every,
             int fused) {
    std::vector<float> partial;
    for (long done = 0; done < steps;) {
        const long end = std::min(steps, done + std::max<long>(fused, steps_together / fused * fused));
        const long rows = Stretch{first + done, record_every, nullptr}.rows(end - done);
        partial.resize(rows * (plan.sum_tap.size() - 1));
        Stretch stretch{first + done, record_every, partial.data()};
        while (done < end) {
            const auto count = static_cast<int>(std::min<long>(fused, end - done));
            sweep(plan, field, cut, stretch, count);
            done += count;
            stretch.sums += stretch.rows(count) * (std::ssize(plan.sum_tap) - 1);
            stretch.first += count;
        }
        add_up(plan, partial, rows, field.recorded);
    }
}

}  // namespace

int fused_steps(const StepPlan& plan, std::size_t fields) {
    // Two arrays of steps + 3 planes stay in use; 8 MB of cache a thread hold them. More than 8 steps gain nothing.
    const double planes = 8e6 / (2 * 4.0 * static_cast<double>(plan.grid.plane));
    int steps = std::clamp(static_cast<int>(planes) - 3, 1, 8);
    // Blocks must outlast the steps, and there must be work for every thread.
    const int blocks = std::max(1, thread_count() / std::max(1, static_cast<int>(fields)));
    while (steps > 1 && blocks > 1 && plan.grid.cells[2] / (2 * steps + plan.layer.thickness) < blocks) --steps;
    return steps;
}

void advance(const StepPlan& plan, std::span<FieldState> fields, long first, long steps, int record_every, int fused) {
    if (fields.empty()) return;
    const Cut cut = cut_grid(plan, fields.size(), fused);
    parallel_for(std::ssize(fields), [&](long f) { advance(plan, fields[f], cut, first, steps, record_every, fused); });
}

float largest_pressure(const StepPlan& plan, const FieldState& state) {
    const Grid& grid = plan.grid;
    std::vector<float> largest(grid.cells[2], 0.0f);
    const float* const p = state.now.data();
    parallel_for(grid.cells[2], [&](long z) {
        // x − x is zero for every number, and NaN for infinity and NaN.
        float peak = 0, broken = 0;
        const float* const q = p + grid.index(0, 0, static_cast<int>(z));
#pragma omp simd reduction(max : peak) reduction(+ : broken)
        for (long i = 0; i < grid.plane; ++i) {
            peak = std::max(peak, std::abs(q[i]));
            broken += q[i] - q[i];
        }
        largest[z] = broken == 0 ? peak : std::numeric_limits<float>::quiet_NaN();
    });
    for (long i = grid.size(); i < plan.pressures(); ++i) largest.push_back(std::abs(p[i]));
    float peak = 0;
    for (const float value : largest)
        peak = std::isnan(value) || std::isnan(peak) ? value + peak : std::max(peak, value);
    return peak;
}

}  // namespace clangor::wave
