// From densities to encounters.
#include <clangor/motion/collision_density/bins.hpp>

#include <algorithm>
#include <cmath>

namespace clangor {
namespace {

using collision_density::Classes;

Vec3 across(const Vec3& normal, double angle) {
    const Vec3 one = normal.unitOrthogonal();
    return std::cos(angle) * one + std::sin(angle) * normal.cross(one);
}

// Anywhere in its bin and in its cell.
Encounter drawn_of(const LocalDensity& density, const DensityBin& bin, const DensityOptions& options, Random& random) {
    const Classes classes = collision_density::classes_of(bin.index, options);
    const auto within = [&random](int at, int count) { return (at + random.uniform()) / count; };
    Encounter encounter;
    encounter.kind = classes.kind;
    encounter.time = (static_cast<double>(density.window) + within(classes.moment, options.moments)) * options.window;
    for (std::size_t axis = 0; axis < 3; ++axis)
        encounter.point[static_cast<long>(axis)] =
            (static_cast<double>(density.cell[axis]) + random.uniform()) * options.cell;
    const double height = 2 * within(classes.band, options.bands) - 1;
    const double turn = 2 * pi * within(classes.sector, options.sectors), flat = std::sqrt(1 - square(height));
    encounter.normal = {flat * std::cos(turn), height, flat * std::sin(turn)};
    encounter.speed =
        collision_density::slowest * std::exp2((classes.speed + random.uniform()) / options.speeds_per_octave);
    if (bin.friction > 0)
        encounter.friction = static_cast<double>(bin.friction) * across(encounter.normal, 2 * pi * random.uniform());
    return encounter;
}

std::uint64_t bits_of(long value) { return static_cast<std::uint64_t>(value); }

}  // namespace

std::vector<Encounter> drawn(std::span<const LocalDensity> densities, const DensityOptions& options,
                             std::uint64_t seed) {
    std::vector<std::vector<Encounter>> of_cells(densities.size());
    const Random seeds(seed);
    parallel_for(std::ssize(densities), [&](long i) {
        const LocalDensity& density = densities[static_cast<std::size_t>(i)];
        Random random = seeds.child(bits_of(density.window))
                            .child(bits_of(density.cell[0]))
                            .child(bits_of(density.cell[1]))
                            .child(bits_of(density.cell[2]));
        std::vector<Encounter>& encounters = of_cells[static_cast<std::size_t>(i)];
        // A Poisson number of the cell, spread over its bins, is a Poisson number of each bin.
        for (const DensityBin& bin : density.bins) {
            const auto count = static_cast<double>(bin.count);
            long left = options.poisson ? random.poisson(count) : static_cast<long>(count + 1 - random.uniform());
            for (; left > 0; --left) encounters.push_back(drawn_of(density, bin, options, random));
        }
    });
    return by_time(of_cells);
}

std::vector<Encounter> by_time(std::span<const std::vector<Encounter>> lists) {
    std::vector<Encounter> all;
    for (const std::vector<Encounter>& list : lists) all.insert(all.end(), list.begin(), list.end());
    std::ranges::stable_sort(all, {}, &Encounter::time);
    return all;
}

}  // namespace clangor
