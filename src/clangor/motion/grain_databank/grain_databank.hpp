/// @file grain_databank.hpp — encounters of grains whose motion is only known coarsely, as an animation knows it.
/// Model     as many as in a gas of the same fill and variance, times a ratio that was learnt from runs of single
///           grains, with speeds and normals from there       docs/theory/grain-sound.md, section 6
/// In        places and velocities of particles per frame, or a grid of fills and velocities; no collisions.
/// Out       Encounter: the sound of grains is made of them.
/// Not here  the runs that are learnt from (motion/grains).
///
///     const GrainFlow flow = flow_of(positions, velocities, {.radius = 0.001});
///     const FlowWindow frame{.time = 0.5, .begin = 0.5 - 1.0 / 120, .end = 0.5 + 1.0 / 120};
///     const std::vector<Encounter> encounters = drawn(flow, GrainDatabank{}, frame, 1);  // as a gas: nothing learnt
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace clangor {

/// A cube of space in which grains flow.
struct FlowCell {
    std::array<long, 3> cell = {};  ///< from cell·edge on
    double fill = 0;                ///< φ: the part of it that is grains
    Vec3 velocity = Vec3::Zero();   ///< their mean [m/s]
    double variance = 0;            ///< T: of one component of a grain's velocity about the mean [m²/s²]
};

/// Grains of one size at one moment.
struct GrainFlow {
    double radius = 0;                 ///< [m]
    double edge = 0;                   ///< of a cell [m]
    bool sheared = false;              ///< variances are those of with_shear_variance
    std::vector<FlowCell> cells = {};  ///< those with grains, by cell
};

struct FlowOptions {
    double radius = 0.001;           ///< of a grain [m]
    double edge = 0;                 ///< of a cell; 0: six diameters, as in what is learnt [m]
    double grains_per_particle = 1;  ///< where a particle stands for several
};

/// Moments of particles in cells, n×3 each. Where fewer than eight are in a cell, its variance is that of its
/// neighbourhood.
GrainFlow flow_of(const Points& positions, const Points& velocities, const FlowOptions& options);

/// Where a grid knows no variances: those that a steady shear keeps up, 2J d²γ̇²/(15(1 − e²)) [Berzi2015], with γ̇ from
/// the velocities of neighbouring cells. What falls on something is no such flow: the databank has to know what they
/// mean, and has learnt from flows whose variances were forgotten in the same way.
GrainFlow with_shear_variance(GrainFlow flow, double restitution);

/// The time that a frame stands for.
struct FlowWindow {
    double time = 0;            ///< of the frame [s]
    double begin = 0, end = 0;  ///< of what is drawn [s]
};

/// What has been learnt of flows that are alike in fill, in variance and in mean square speed, these two in units of
/// gravity times diameter: hard grains have no other scale.
struct DatabankEntry {
    std::array<int, 3> place = {};    ///< fill, variance, speed, as coordinates_of has them
    double expected = 0;              ///< encounters, had it been a gas
    double count = 0;                 ///< encounters
    std::vector<double> counts = {};  ///< of these, by class of v/√T and of the normal's angle to the mean velocity
    std::vector<double> friction_sq = {};  ///< sums, likewise
};

/// Of which flows a databank knows.
struct DatabankTraits {
    double restitution = 0;  ///< of the grains that were learnt from, at 1 m/s
    double friction = 0;     ///< likewise
    bool sheared = false;    ///< of the flows: GrainFlow::sheared
};

struct GrainDatabank {
    DatabankTraits traits = {};
    std::vector<DatabankEntry> entries = {};  ///< by place
};

/// Where a cell lies among the entries: whole numbers at their centres. Fill in steps of 0.04; variance and speed in
/// factors of two of their roots.
std::array<double, 3> coordinates_of(const FlowCell& cell, double radius);

/// Adds what happened in a flow, sheared or not as the databank, during a window. Windows should be so short that
/// grains stay in their cells. Encounters in cells without grains are not counted.
GrainDatabank learnt(GrainDatabank databank, const GrainFlow& flow, const FlowWindow& window,
                     std::span<const Encounter> encounters);

/// How many times as often grains meet there as they would in a gas. Between entries, and by ten encounters of a gas
/// where nothing was learnt.
double encounter_ratio(const GrainDatabank& databank, const FlowCell& cell, double radius);

/// Encounters of the window, by time; their places flow on with their cells. Each cell has random numbers of its own.
std::vector<Encounter> drawn(const GrainFlow& flow, const GrainDatabank& databank, const FlowWindow& window,
                             std::uint64_t seed);

/// Of several, the one of the grains that are most like these; none of other flows. Throws Error if there is none.
const GrainDatabank& nearest_databank(std::span<const GrainDatabank> databanks, const DatabankTraits& traits);

/// A databank as text, a line an entry, and back. Reading throws Error, with `name` and line in its message.
std::string text_of(const GrainDatabank& databank);
GrainDatabank parse_databank(std::string_view text, const std::string& name);

}  // namespace clangor
