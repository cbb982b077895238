// The cases, one function each. Internal to validation.
#pragma once

#include <clangor/render/render.hpp>
#include <clangor/validation/validation.hpp>

namespace clangor::validation {

Case bar_case(const Progress& progress);
Case sphere_case(const Progress& progress);
Case cube_case(const Progress& progress);
Case hemisphere_case(const Progress& progress);
Case plate_case(const Progress& progress);
Case elements_case(const Progress& progress);
Case supports_case(const Progress& progress);
Case shells_case(const Progress& progress);
Case hardening_case(const Progress& progress);
Case shell_energy_case(const Progress& progress);
Case hits_case(const Progress& progress);
Case glide_case(const Progress& progress);
Case coupling_case(const Progress& progress);
Case crash_case(const Progress& progress);
Case cubature_case(const Progress& progress);
Case oscillator_case(const Progress& progress);
Case hertz_case(const Progress& progress);
Case bounce_case(const Progress& progress);
Case click_case(const Progress& progress);
Case bem_case(const Progress& progress);
Case transfer_case(const Progress& progress);
Case rod_dipoles_case(const Progress& progress);
Case rod_listening_case(const Progress& progress);
Case rod_rest_case(const Progress& progress);
Case rods_case(const Progress& progress);
Case dispersion_case(const Progress& progress);
Case grains_case(const Progress& progress);
Case grain_sound_case(const Progress& progress);
Case grain_importance_case(const Progress& progress);
Case doppler_case(const Progress& progress);

/// Modes of a body with the settings that a user gets by default.
Eigen::VectorXd default_frequencies_hz(const Surface& surface, const Material& material,
                                       const scene::SolidOptions& options, const Progress& progress);

/// The larger of two errors, and NaN if one of them is, so that it misses every bound.
double worse(double a, double b);

}  // namespace clangor::validation
