// From recorded encounters to densities.
#include <clangor/motion/collision_density/bins.hpp>

#include <algorithm>
#include <cmath>
#include <tuple>

namespace clangor {
namespace {

using collision_density::Classes;

// Where an encounter is counted.
struct Counted {
    long window;
    std::array<long, 3> cell;
    std::uint64_t index;
    double friction_sq;

    auto key() const { return std::tie(window, cell, index); }
};

int class_of(double part, int count) { return std::clamp(static_cast<int>(part * count), 0, count - 1); }

// Bands of equal height of the sphere have equal areas (Archimedes).
Counted counted(const Encounter& encounter, const DensityOptions& options) {
    CLANGOR_ASSERT(encounter.kind >= 0 && encounter.kind < options.kinds, "a kind that was announced");
    const double windows = encounter.time / options.window, window = std::floor(windows);
    const double turn = std::atan2(encounter.normal.z(), encounter.normal.x()) / (2 * pi);
    const double octave = std::log2(std::max(encounter.speed, collision_density::slowest) / collision_density::slowest);
    const Classes classes{
        .kind = encounter.kind,
        .moment = class_of(windows - window, options.moments),
        .band = class_of((encounter.normal.y() + 1) / 2, options.bands),
        .sector = class_of(turn - std::floor(turn), options.sectors),
        .speed = class_of(octave / collision_density::octaves, options.speeds_per_octave * collision_density::octaves)};
    Counted result{.window = static_cast<long>(window),
                   .cell = {},
                   .index = index_of(classes, options),
                   .friction_sq = encounter.friction.squaredNorm()};
    for (std::size_t axis = 0; axis < 3; ++axis)
        result.cell[axis] = static_cast<long>(std::floor(encounter.point[static_cast<long>(axis)] / options.cell));
    return result;
}

}  // namespace

double LocalDensity::count() const {
    double sum = 0;
    for (const DensityBin& bin : bins) sum += static_cast<double>(bin.count);
    return sum;
}

std::vector<LocalDensity> local_densities(std::span<const Encounter> recorded, const DensityOptions& options) {
    CLANGOR_ASSERT(options.window > 0 && options.cell > 0 && options.moments > 0 && options.bands > 0 &&
                       options.sectors > 0 && options.speeds_per_octave > 0,
                   "windows, cells and classes");
    std::vector<Counted> all(recorded.size());
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = counted(recorded[i], options);
    // stable: sums of the same encounters are the same
    std::ranges::stable_sort(all, [](const Counted& a, const Counted& b) { return a.key() < b.key(); });
    std::vector<LocalDensity> densities;
    for (std::size_t i = 0; i < all.size();) {
        const Counted& of = all[i];
        double friction_sq = 0;
        std::size_t end = i;
        for (; end < all.size() && all[end].key() == of.key(); ++end) friction_sq += all[end].friction_sq;
        const auto count = static_cast<double>(end - i);
        if (densities.empty() || densities.back().window != of.window || densities.back().cell != of.cell)
            densities.push_back({.window = of.window, .cell = of.cell});
        densities.back().bins.push_back({.index = of.index,
                                         .count = static_cast<float>(count),
                                         .friction = static_cast<float>(std::sqrt(friction_sq / count))});
        i = end;
    }
    return densities;
}

}  // namespace clangor
