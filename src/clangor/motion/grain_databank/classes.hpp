// Classes of speeds and angles of what is learnt.
#pragma once

#include <clangor/motion/grain_databank/grain_databank.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::grain_databank {

/// v/√T from 2^−8 to 2^8, in quarters of an octave; what lies outside is counted in the last ones.
inline constexpr int speeds = 64, speeds_per_octave = 4, slowest_octave = -8;

/// cos of the angle between normal and mean velocity, in equal solid angles.
inline constexpr int bands = 8;

inline constexpr int classes = speeds * bands;

/// Free fall over a diameter is the unit: √(gd).
inline constexpr double gravity = 9.81;

/// Of what is at rest, and of single grains [of gd].
inline constexpr double least_variance = 1e-6;

inline double heat_of(const FlowCell& cell, double radius) {
    return std::max(cell.variance, least_variance * gravity * 2 * radius);
}

inline Vec3 axis_of(const FlowCell& cell) {
    const double speed = cell.velocity.norm();
    return speed > 0 ? Vec3(cell.velocity / speed) : Vec3::UnitY();
}

inline double gas_encounters(const FlowCell& cell, const GrainFlow& flow, const FlowWindow& window) {
    const GrainGas gas{cell.fill, flow.radius, heat_of(cell, flow.radius)};
    return gas_encounter_rate(gas) * cube(flow.edge) * (window.end - window.begin);
}

/// How much of each of the eight entries around a cell counts.
struct Corner {
    const DatabankEntry* entry = nullptr;  ///< none: nothing was learnt there
    double weight = 0;
};
std::array<Corner, 8> corners_of(const GrainDatabank& databank, const FlowCell& cell, double radius);

/// Encounters of a gas that every entry starts from.
inline constexpr double taken_for_granted = 10;

inline double ratio_of(const DatabankEntry* entry) {
    return entry ? (entry->count + taken_for_granted) / (entry->expected + taken_for_granted) : 1;
}

}  // namespace clangor::grain_databank
