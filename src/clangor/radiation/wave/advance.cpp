#include <clangor/radiation/wave/advance.hpp>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <tuple>

namespace clangor::wave {

void finish(StepPlan& plan) {
    const int nz = plan.grid.cells[2];
    auto plane_of = [&](int cell) { return static_cast<int>((cell + 1 - plan.grid.first()) / plan.grid.plane); };
    auto begins = [&](const std::vector<int>& cells) {
        std::vector<int> begin;
        for (int z = 0; z <= nz; ++z) {
            const long at = plan.grid.index(0, 0, z);
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

// What walls change in plane z, after it was treated as free air.
void apply_walls(const StepPlan& plan, const Step& step, std::size_t z) {
    const Grid& grid = plan.grid;
    const WallCells& walls = plan.walls;
    const float* const p = step.now;
    for (int i = plan.cell_begin[z]; i < plan.cell_begin[z + 1]; ++i) {
        const long c = walls.cell[i];
        const std::array<float, 6>& k = walls.extra[i];
        step.next[c] += k[0] * (p[c - 1] - p[c]) + k[1] * (p[c + 1] - p[c]) + k[2] * (p[c - grid.row] - p[c]) +
                        k[3] * (p[c + grid.row] - p[c]) + k[4] * (p[c - grid.plane] - p[c]) +
                        k[5] * (p[c + grid.plane] - p[c]);
    }
    for (int i = plan.further_begin[z]; i < plan.further_begin[z + 1]; ++i) {
        const long c = grid.size() + i;
        step.next[c] = p[c] + (p[c] - step.next[c]);
    }
    for (int i = plan.link_begin[z]; i < plan.link_begin[z + 1]; ++i) {
        const WallCells::Link& link = walls.links[i];
        step.next[link.to] += link.gain * (p[link.from] - p[link.to]);
    }
    for (int i = plan.shut_begin[z]; i < plan.shut_begin[z + 1]; ++i) step.next[walls.shut[i]] = 0;
}

void push_air(const StepPlan& plan, const Drive& drive, const Step& step, std::size_t z) {
    for (std::size_t m = 0; m < drive.weights.size(); ++m) {
        const float signal = drive.signals[m][step.n];
        if (signal == 0) continue;
        const float* const weights = drive.weights[m].data();
        for (int i = plan.source_begin[z]; i < plan.source_begin[z + 1]; ++i)
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

void advance_plane(const StepPlan& plan, FieldState& field, const Step& step, int z) {
    const Grid& grid = plan.grid;
    for (int y = 0; y < grid.cells[1]; ++y) {
        const long i = grid.index(0, y, z);
        // Over whole registers into the ghost cells, which are then silenced again.
        free_air(step.now + i, step.next + i, grid.row, grid.plane, grid.row, static_cast<float>(grid.courant_sq));
        std::fill(step.next + i + grid.cells[0], step.next + i + grid.row, 0.0f);
    }
    absorb(grid, plan.layer, field.layer, step.now, step.next, z);
    apply_walls(plan, step, z);
    push_air(plan, field.drive, step, z);
    if (step.sums != nullptr) record_plane(plan, step, z);
}

/// Planes that a task takes through all steps: step s works on [low + s·low_slope, high + s·high_slope).
struct Tile {
    int low, high, low_slope, high_slope;
};

// A wave front through space and time: step s follows one plane behind step s − 1, so that the planes in use stay in
// the cache and each is fetched from memory once for all steps.
void advance_tile(const StepPlan& plan, FieldState& field, std::span<const Step> steps, const Tile& tile) {
    const FlushToZero flush;
    const int last = static_cast<int>(steps.size()) - 1;
    const int begin = std::min(tile.low, tile.low + last * tile.low_slope);
    const int end = std::max(tile.high, tile.high + last * tile.high_slope) + last;
    for (int front = begin; front < end; ++front)
        for (int s = 0; s <= last; ++s) {
            const int z = front - s;
            if (z >= tile.low + s * tile.low_slope && z < tile.high + s * tile.high_slope)
                advance_plane(plan, field, steps[s], z);
        }
}

/// A field's planes are cut into blocks that run side by side. A block loses a plane a step at each end where it meets
/// another; the gaps between are filled afterwards. A plane keeps two time levels, so that both sides always find the
/// one they need.
struct Cut {
    std::vector<Tile> blocks, gaps;
};

// As many as there are threads for each field.
int block_count(const StepPlan& plan, std::size_t fields, int steps) {
    const int threads = (thread_count() + int(fields) - 1) / int(fields);
    return std::clamp(threads, 1, std::max(1, plan.grid.cells[2] / (2 * steps + plan.layer.thickness)));
}

Cut cut_planes(const StepPlan& plan, std::size_t fields, int steps) {
    const int nz = plan.grid.cells[2], count = block_count(plan, fields, steps);
    Cut cut;
    for (int i = 0; i < count; ++i) {
        const int low = nz * i / count, high = nz * (i + 1) / count;
        cut.blocks.push_back({low, high, i == 0 ? 0 : 1, i + 1 == count ? 0 : -1});
        if (i > 0) cut.gaps.push_back({low, low, -1, 1});
    }
    return cut;
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

// The steps of one sweep.
void sweep(const StepPlan& plan, FieldState& field, const Cut& cut, long first, int steps, int record_every) {
    const std::size_t sums = plan.sum_tap.size() - 1, points = plan.points;
    const std::size_t rows = (first + steps) / record_every - first / record_every;
    std::vector<float> partial(rows * sums);
    std::vector<Step> todo;
    const std::array<float*, 2> levels = {field.now.data(), field.before.data()};
    float* next_row = partial.data();
    for (int s = 0; s < steps; ++s) {
        const bool wanted = (first + s + 1) % record_every == 0;
        todo.push_back({levels[s % 2], levels[(s + 1) % 2], first + s, wanted ? next_row : nullptr});
        if (wanted) next_row += sums;
    }
    run_tiles(plan, field, todo, cut.blocks);
    run_tiles(plan, field, todo, cut.gaps);
    if (steps % 2 == 1) std::swap(field.now, field.before);
    for (std::size_t r = 0; r < rows; ++r) {
        field.recorded.resize(field.recorded.size() + points, 0.0f);
        float* const at = field.recorded.data() + field.recorded.size() - points;
        const float* const row = partial.data() + r * sums;
        for (std::size_t i = 0; i < sums; ++i) at[plan.taps[plan.sum_tap[i]].point] += row[i];
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
    const Cut cut = cut_planes(plan, fields.size(), fused);
    parallel_for(std::ssize(fields), [&](long f) {
        for (long done = 0; done < steps; done += fused)
            sweep(plan, fields[f], cut, first + done, static_cast<int>(std::min<long>(fused, steps - done)),
                  record_every);
    });
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
