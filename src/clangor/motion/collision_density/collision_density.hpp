/// @file collision_density.hpp — collisions of grains that nobody simulated: drawn from densities in time and space.
/// Model     Poisson counts in windows × cells, places uniform in a cell, (t, n, v) from a joint histogram; of a gas of
///           grains, 2n²d²√(πT)χ collisions a volume and time       docs/theory/grain-sound.md, section 5
/// In        recorded collisions, or how densely grains lie and how fast they are.
/// Out       Encounter: the sound of grains is made of them as of simulated ones.
/// Not here  grains that move (motion/grains), their sound (radiation/spheres).
///
///     const DensityOptions options{.window = 0.02, .cell = 0.01};
///     const std::vector<LocalDensity> densities = local_densities(recorded, options);
///     const std::vector<Encounter> others = drawn(densities, options, 1);  // as many, as loud, elsewhere
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace clangor {

/// Two grains meet, or a grain and a wall.
struct Encounter {
    double time = 0;               ///< [s]
    Vec3 point = Vec3::Zero();     ///< where they touch [m]
    Vec3 normal = Vec3::UnitX();   ///< unit, out of the second, into the first
    double speed = 0;              ///< of approach along it, > 0 [m/s]
    Vec3 friction = Vec3::Zero();  ///< what the first receives across the normal, over what it receives along it
    int kind = 0;                  ///< which two kinds of things met, counted by the caller from 0
};

struct DensityOptions {
    double window = 0.02;  ///< [s]
    double cell = 0.01;    ///< edge of a cube; the origin is a corner of one [m]
    /// Of a window, that are kept apart. Half a millisecond: what comes in bursts, as layers of what falls, adds up at
    /// frequencies below 1/moment, and what is drawn does so, too.
    int moments = 40;
    /// Solid angles of normals: so many bands of equal height about +y, and sectors of each. Only those that something
    /// is in take memory: many are no dearer, and coarse ones blur what falls one way.
    int bands = 32, sectors = 64;
    int speeds_per_octave = 8;
    int kinds = 1;  ///< of encounters
    /// Numbers scatter as Poisson's about those of the record, which are one draw themselves: below 1/moment, where
    /// what happens is not in bursts, that is up to twice the energy. false: the numbers of the record.
    bool poisson = true;
};

/// Encounters of one moment, solid angle, class of speed and kind.
struct DensityBin {
    std::uint64_t index = 0;
    float count = 0;     ///< expected
    float friction = 0;  ///< root of the mean square
};

/// What happens in a cell during a window: const_{w,c} p_{w,c}(t, n, v) of [Marko2013, §5.5].
struct LocalDensity {
    long window = 0;                    ///< from window·options.window on
    std::array<long, 3> cell{};         ///< from cell·options.cell on
    std::vector<DensityBin> bins = {};  ///< by index

    double count() const;  ///< expected encounters
};

/// Histograms of recorded encounters, by window, then cell. Pieces of a record give the same densities as the whole if
/// they are cut between windows.
std::vector<LocalDensity> local_densities(std::span<const Encounter> recorded, const DensityOptions& options);

/// Encounters by time. Each window and cell has random numbers of its own: pieces give the same as the whole here too.
std::vector<Encounter> drawn(std::span<const LocalDensity> densities, const DensityOptions& options,
                             std::uint64_t seed);

/// All of several lists as one, by time; of those at the same time the earlier list comes first.
std::vector<Encounter> by_time(std::span<const std::vector<Encounter>> lists);

/// How grains of one size move at a place, as a gas: a fraction of the volume, a mean velocity and its variance.
struct GrainGas {
    double fill = 0;      ///< φ, of the volume, in [0, 0.64)
    double radius = 0;    ///< [m]
    double variance = 0;  ///< T: of one component of a grain's velocity about the mean [m²/s²]
};

/// How often, compared with points, hard balls meet: χ = (1 − φ/2)/(1 − φ)³ [Carnahan1969]; from the freezing at 0.49
/// on, up to where they jam at 0.64, as they have it that stay disordered [Torquato1995].
double contact_value(double fill);

/// Encounters a volume and time: 2n²d²√(πT)χ, n = φ/(πd³/6) [Chapman1970] [1/(m³ s)].
double gas_encounter_rate(const GrainGas& gas);

/// A speed of approach in a gas: v/(2T) exp(−v²/4T) [m/s].
double drawn_gas_speed(const GrainGas& gas, Random& random);

/// A direction with every solid angle alike.
Vec3 drawn_direction(Random& random);

}  // namespace clangor
