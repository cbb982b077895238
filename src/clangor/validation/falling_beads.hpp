// Glass beads that fall into a box, and the sound of their collisions. Internal to validation.
#pragma once

#include <clangor/motion/grain_runs/grain_runs.hpp>
#include <clangor/radiation/spheres/spheres.hpp>

namespace clangor::validation {

constexpr double bead_radius = 0.001;  ///< [m]
constexpr double bead_rate_hz = 48000;

Material bead_glass();

/// Encounters of beads with one another while a column of them, 15 diameters wide, falls from 25 diameters on into an
/// open box. Walls are another matter.
std::vector<Encounter> falling_beads(long count, std::uint64_t seed, double seconds);

/// Of both beads of each encounter, at a listener, from time 0 on [Pa].
std::vector<float> sound_of(std::span<const Encounter> encounters, const Vec3& listener, double seconds);

/// Energies of thirds of an octave, 10^(band/10) Hz, from band 20 on.
constexpr int first_third = 20, last_third = 42;
std::vector<double> third_octaves(std::span<const float> sound);

}  // namespace clangor::validation
