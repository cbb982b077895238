// Encounters of a flow.
#include <clangor/motion/grain_databank/classes.hpp>

namespace clangor {
namespace {

// One of several, by their weights.
template <class Weights, class Of>
std::size_t picked(const Weights& weights, const Of& of, double sum, Random& random) {
    double left = sum * random.uniform();
    std::size_t last = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const double weight = of(weights[i]);
        if (!(weight > 0)) continue;
        last = i;
        left -= weight;
        if (left <= 0) break;
    }
    return last;
}

// At this cosine to an axis, anywhere around it.
Vec3 direction_about(const Vec3& axis, double cosine, Random& random) {
    const double turn = 2 * pi * random.uniform(), across = std::sqrt(std::max(0.0, 1 - square(cosine)));
    const Vec3 one = axis.unitOrthogonal();
    return cosine * axis + across * (std::cos(turn) * one + std::sin(turn) * axis.cross(one));
}

void meet_as_learnt(Encounter& encounter, const DatabankEntry& entry, const FlowCell& cell, double heat,
                    Random& random) {
    const std::size_t at = picked(
        entry.counts, [](double count) { return count; }, entry.count, random);
    const int speed = static_cast<int>(at) / grain_databank::bands, band = static_cast<int>(at) % grain_databank::bands;
    const double octave =
        grain_databank::slowest_octave + (speed + random.uniform()) / grain_databank::speeds_per_octave;
    encounter.speed = std::sqrt(heat) * std::exp2(octave);
    encounter.normal = direction_about(grain_databank::axis_of(cell),
                                       2 * (band + random.uniform()) / grain_databank::bands - 1, random);
    const double friction = std::sqrt(entry.friction_sq[at] / entry.counts[at]);
    if (friction > 0) encounter.friction = friction * direction_about(encounter.normal, 0, random);
}

}  // namespace

std::vector<Encounter> drawn(const GrainFlow& flow, const GrainDatabank& databank, const FlowWindow& window,
                             std::uint64_t seed) {
    CLANGOR_ASSERT(databank.entries.empty() || flow.sheared == databank.traits.sheared,
                   "a databank knows one sort of variances");
    std::vector<std::vector<Encounter>> of_cells(flow.cells.size());
    const Random seeds = Random(seed).child(static_cast<std::uint64_t>(std::llround(window.begin * 1e6)));
    parallel_for(std::ssize(flow.cells), [&](long i) {
        const FlowCell& cell = flow.cells[static_cast<std::size_t>(i)];
        Random random = seeds.child(static_cast<std::uint64_t>(cell.cell[0]))
                            .child(static_cast<std::uint64_t>(cell.cell[1]))
                            .child(static_cast<std::uint64_t>(cell.cell[2]));
        const double heat = grain_databank::heat_of(cell, flow.radius);
        const auto corners = grain_databank::corners_of(databank, cell, flow.radius);
        const auto ratio = [](const grain_databank::Corner& corner) {
            return corner.weight * grain_databank::ratio_of(corner.entry);
        };
        double sum = 0;
        for (const grain_databank::Corner& corner : corners) sum += ratio(corner);
        for (long left = random.poisson(sum * grain_databank::gas_encounters(cell, flow, window)); left > 0; --left) {
            Encounter encounter;
            encounter.time = window.begin + (window.end - window.begin) * random.uniform();
            for (std::size_t axis = 0; axis < 3; ++axis)
                encounter.point[static_cast<long>(axis)] =
                    (static_cast<double>(cell.cell[axis]) + random.uniform()) * flow.edge;
            encounter.point += (encounter.time - window.time) * cell.velocity;
            const DatabankEntry* const entry = corners[picked(corners, ratio, sum, random)].entry;
            const double known = entry ? entry->count / (entry->count + grain_databank::taken_for_granted) : 0;
            if (random.uniform() <= known) {
                meet_as_learnt(encounter, *entry, cell, heat, random);
            } else {
                encounter.speed = drawn_gas_speed({cell.fill, flow.radius, heat}, random);
                encounter.normal = drawn_direction(random);
            }
            of_cells[static_cast<std::size_t>(i)].push_back(encounter);
        }
    });
    return by_time(of_cells);
}

}  // namespace clangor
