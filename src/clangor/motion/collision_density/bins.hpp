// Classes of moments, normals, speeds and kinds.
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>

namespace clangor::collision_density {

/// Slower encounters count as this fast [m/s].
inline constexpr double slowest = 1e-9;
inline constexpr int octaves = 50;

/// A bin's classes, each from 0.
struct Classes {
    int kind = 0, moment = 0, band = 0, sector = 0, speed = 0;
};

inline Classes classes_of(std::uint64_t index, const DensityOptions& options) {
    const auto next = [&index](int count) {
        const auto rest = static_cast<int>(index % static_cast<std::uint64_t>(count));
        index /= static_cast<std::uint64_t>(count);
        return rest;
    };
    Classes classes;
    classes.speed = next(options.speeds_per_octave * octaves);
    classes.sector = next(options.sectors);
    classes.band = next(options.bands);
    classes.moment = next(options.moments);
    classes.kind = static_cast<int>(index);
    return classes;
}

inline std::uint64_t index_of(const Classes& classes, const DensityOptions& options) {
    std::uint64_t index = static_cast<std::uint64_t>(classes.kind);
    const auto append = [&index](int value, int count) {
        index = index * static_cast<std::uint64_t>(count) + static_cast<std::uint64_t>(value);
    };
    append(classes.moment, options.moments);
    append(classes.band, options.bands);
    append(classes.sector, options.sectors);
    append(classes.speed, options.speeds_per_octave * octaves);
    return index;
}

}  // namespace clangor::collision_density
