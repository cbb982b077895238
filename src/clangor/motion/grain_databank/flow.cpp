// How grains flow, from particles or on a grid.
#include <clangor/motion/grain_databank/grain_databank.hpp>

#include <algorithm>
#include <cmath>
#include <map>

namespace clangor {
namespace {

using Cell = std::array<long, 3>;

struct Moments {
    double count = 0;
    Vec3 sum = Vec3::Zero();
    double sum_sq = 0;

    void add(const Moments& other) {
        count += other.count;
        sum += other.sum;
        sum_sq += other.sum_sq;
    }
    // Of one component, without the bias of few.
    double variance() const {
        return count < 2 ? 0 : std::max(0.0, sum_sq - sum.squaredNorm() / count) / (3 * (count - 1));
    }
};

constexpr double enough = 8;  // particles for a variance

template <class Body>
void for_neighbourhood(const Cell& cell, const Body& body) {
    for (long x = -1; x <= 1; ++x)
        for (long y = -1; y <= 1; ++y)
            for (long z = -1; z <= 1; ++z) body(Cell{cell[0] + x, cell[1] + y, cell[2] + z});
}

}  // namespace

GrainFlow flow_of(const Points& positions, const Points& velocities, const FlowOptions& options) {
    CLANGOR_ASSERT(positions.rows() == velocities.rows() && options.radius > 0 && options.edge >= 0,
                   "a velocity for each place, and grains that have a size");
    GrainFlow flow{.radius = options.radius, .edge = options.edge > 0 ? options.edge : 12 * options.radius};
    std::map<Cell, Moments> moments;
    for (long i = 0; i < positions.rows(); ++i) {
        if (!positions.row(i).allFinite() || !velocities.row(i).allFinite()) continue;
        Cell cell;
        for (std::size_t axis = 0; axis < 3; ++axis)
            cell[axis] = static_cast<long>(std::floor(positions(i, static_cast<long>(axis)) / flow.edge));
        const Vec3 velocity = velocities.row(i);
        moments[cell].add({1, velocity, velocity.squaredNorm()});
    }
    const double part = options.grains_per_particle * 4.0 / 3 * pi * cube(options.radius / flow.edge);
    for (const auto& [cell, own] : moments) {
        Moments around = own;
        if (own.count < enough) {
            around = {};
            for_neighbourhood(cell, [&](const Cell& next) {
                if (const auto found = moments.find(next); found != moments.end()) around.add(found->second);
            });
        }
        flow.cells.push_back({cell, own.count * part, own.sum / own.count, around.variance()});
    }
    return flow;
}

// T = 2J d²γ̇²/(15(1 − e²)): what shear stress puts in is what collisions take, both by kinetic theory of dense flows.
GrainFlow with_shear_variance(GrainFlow flow, double restitution) {
    const double e = restitution;
    CLANGOR_ASSERT(e > 0 && e < 1, "grains that lose energy; others would heat up without end");
    const double J =
        (1 + e) / 2 + pi / 4 * square(1 + e) * (3 * e - 1) / (24 - 6 * square(1 - e) - 5 * (1 - square(e)));
    std::map<Cell, Vec3> velocities;
    for (const FlowCell& cell : flow.cells) velocities[cell.cell] = cell.velocity;
    for (FlowCell& cell : flow.cells) {
        Mat3 gradient = Mat3::Zero();  // one-sided at the rim
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Cell before = cell.cell, after = cell.cell;
            --before[axis];
            ++after[axis];
            const auto low = velocities.find(before), high = velocities.find(after);
            const bool has_low = low != velocities.end(), has_high = high != velocities.end();
            if (!has_low && !has_high) continue;
            const Vec3 difference = (has_high ? high->second : cell.velocity) - (has_low ? low->second : cell.velocity);
            gradient.col(static_cast<long>(axis)) = difference / (flow.edge * (has_low && has_high ? 2 : 1));
        }
        const Mat3 stretching = (gradient + gradient.transpose()) / 2;
        const double shear_sq = 2 * stretching.squaredNorm();
        cell.variance = 2 * J * square(2 * flow.radius) * shear_sq / (15 * (1 - square(e)));
    }
    flow.sheared = true;
    return flow;
}

}  // namespace clangor
