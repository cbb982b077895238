// What runs of single grains teach.
#include <clangor/motion/grain_databank/classes.hpp>

#include <limits>

namespace clangor {
namespace {

constexpr double fill_step = 0.04;
constexpr int most_fill = 16, least_root = -10, most_root = 12;

std::array<int, 3> nearest_place(const std::array<double, 3>& coordinates) {
    return {static_cast<int>(std::lround(coordinates[0])), static_cast<int>(std::lround(coordinates[1])),
            static_cast<int>(std::lround(coordinates[2]))};
}

DatabankEntry& entry_at(GrainDatabank& databank, const std::array<int, 3>& place) {
    auto at = std::ranges::lower_bound(databank.entries, place, {}, &DatabankEntry::place);
    if (at == databank.entries.end() || at->place != place)
        at = databank.entries.insert(at, {.place = place,
                                          .counts = std::vector<double>(grain_databank::classes),
                                          .friction_sq = std::vector<double>(grain_databank::classes)});
    return *at;
}

const FlowCell* cell_at(const GrainFlow& flow, const Vec3& point) {
    std::array<long, 3> cell;
    for (std::size_t axis = 0; axis < 3; ++axis)
        cell[axis] = static_cast<long>(std::floor(point[static_cast<long>(axis)] / flow.edge));
    const auto at = std::ranges::lower_bound(flow.cells, cell, {}, &FlowCell::cell);
    return at != flow.cells.end() && at->cell == cell ? &*at : nullptr;
}

}  // namespace

std::array<double, 3> coordinates_of(const FlowCell& cell, double radius) {
    const double unit = grain_databank::gravity * 2 * radius;
    const auto root = [&](double square_speed) {
        const double octaves = std::log2(std::max(square_speed / unit, 1e-12)) / 2;
        return std::clamp(octaves, double(least_root), double(most_root));
    };
    return {std::clamp(cell.fill / fill_step, 0.0, double(most_fill)), root(grain_databank::heat_of(cell, radius)),
            root(cell.velocity.squaredNorm())};
}

GrainDatabank learnt(GrainDatabank databank, const GrainFlow& flow, const FlowWindow& window,
                     std::span<const Encounter> encounters) {
    CLANGOR_ASSERT(flow.sheared == databank.traits.sheared, "a databank knows one sort of variances");
    for (const FlowCell& cell : flow.cells)
        entry_at(databank, nearest_place(coordinates_of(cell, flow.radius))).expected +=
            grain_databank::gas_encounters(cell, flow, window);
    for (const Encounter& encounter : encounters) {
        if (encounter.time < window.begin || encounter.time >= window.end) continue;
        const FlowCell* const cell = cell_at(flow, encounter.point);
        if (!cell) continue;
        DatabankEntry& entry = entry_at(databank, nearest_place(coordinates_of(*cell, flow.radius)));
        const double octave = std::log2(encounter.speed / std::sqrt(grain_databank::heat_of(*cell, flow.radius)));
        const int speed =
            static_cast<int>(std::clamp((octave - grain_databank::slowest_octave) * grain_databank::speeds_per_octave,
                                        0.0, double(grain_databank::speeds - 1)));
        const double along = encounter.normal.dot(grain_databank::axis_of(*cell));
        const int band =
            std::clamp(static_cast<int>((along + 1) / 2 * grain_databank::bands), 0, grain_databank::bands - 1);
        const auto at = static_cast<std::size_t>(speed * grain_databank::bands + band);
        entry.count += 1;
        entry.counts[at] += 1;
        entry.friction_sq[at] += encounter.friction.squaredNorm();
    }
    return databank;
}

std::array<grain_databank::Corner, 8> grain_databank::corners_of(const GrainDatabank& databank, const FlowCell& cell,
                                                                 double radius) {
    const std::array<double, 3> at = coordinates_of(cell, radius);
    std::array<Corner, 8> corners;
    for (unsigned i = 0; i < 8; ++i) {
        std::array<int, 3> place;
        double weight = 1;
        for (unsigned axis = 0; axis < 3; ++axis) {
            const double below = std::floor(at[axis]), past = at[axis] - below;
            const bool upper = (i >> axis & 1) != 0;
            place[axis] = static_cast<int>(below) + (upper ? 1 : 0);
            weight *= upper ? past : 1 - past;
        }
        const auto found = std::ranges::lower_bound(databank.entries, place, {}, &DatabankEntry::place);
        const bool known = found != databank.entries.end() && found->place == place;
        corners[i] = {known ? &*found : nullptr, weight};
    }
    return corners;
}

double encounter_ratio(const GrainDatabank& databank, const FlowCell& cell, double radius) {
    double ratio = 0;
    for (const grain_databank::Corner& corner : grain_databank::corners_of(databank, cell, radius))
        ratio += corner.weight * grain_databank::ratio_of(corner.entry);
    return ratio;
}

const GrainDatabank& nearest_databank(std::span<const GrainDatabank> databanks, const DatabankTraits& traits) {
    const GrainDatabank* nearest = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const GrainDatabank& bank : databanks) {
        const double distance =
            std::hypot(bank.traits.restitution - traits.restitution, (bank.traits.friction - traits.friction) / 2);
        if (bank.traits.sheared != traits.sheared || !(distance < least)) continue;
        least = distance;
        nearest = &bank;
    }
    if (!nearest)
        throw Error(traits.sheared ? "no databank of grains knows flows without variances; learn one from sheared flows"
                                   : "no databank of grains knows flows with variances; learn one");
    return *nearest;
}

}  // namespace clangor
