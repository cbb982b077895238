#include <clangor/validation/cases.hpp>

#include <clangor/vibration/solid/solid.hpp>

#include <algorithm>

namespace clangor::validation {

bool Case::holds() const {
    return std::all_of(rows.begin(), rows.end(), [](const Row& row) { return row.holds(); }) &&
           std::all_of(bounds.begin(), bounds.end(), [](const Bound& bound) { return bound.holds(); });
}

double worse(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

Eigen::VectorXd default_frequencies_hz(const Surface& given, const Material& material,
                                       const scene::SolidOptions& options, const Progress& progress) {
    // The part of render's bake that concerns frequencies.
    const Tetrahedralization tets = tetrahedralize(
        clean(given).surface, {.edge_length = options.edge_length, .refinement = options.refinement}, progress);
    const TetMesh mesh = options.elements == scene::Elements::Linear ? tets.mesh : quadratic(tets.mesh, tets.surface);
    return vibration_modes(assemble(mesh, material),
                           {.min_hz = options.min_hz,
                            .max_hz = options.max_hz,
                            .max_count = options.max_modes,
                            .excess = excess_of(mesh, material)},
                           progress)
               .omega /
           (2 * pi);
}

const std::vector<CaseInfo>& validation_cases() {
    static const std::vector<CaseInfo> cases = {
        {"bar", "free steel bar: bending against Timoshenko, all modes against 3-D elasticity", bar_case},
        {"sphere", "free elastic sphere: the first ten frequencies against Lamb, with multiplicities", sphere_case},
        {"cube", "free cube: twenty modes against 3-D elasticity", cube_case},
        {"hemisphere", "free hemispherical shells, walls 1:50 to 1:12, as triangle meshes: against 3-D elasticity",
         hemisphere_case},
        {"plate", "free square plate 1:50: against thin-plate theory", plate_case},
        {"supports", "a ruler, bars and a plate that are clamped, pinned or lie on felt: against beams and plates",
         supports_case},
        {"shells", "free plates, discs, caps and cylinders, as thin shells: ten modes each, and how they converge",
         shells_case},
        {"hardening", "pitch over amplitude of plates, a cap and a cylinder: against whole meshes and the continuum",
         hardening_case},
        {"shell-energy", "a plate and a cymbal in large motion without damping: energy over a second",
         shell_energy_case},
        {"hits", "a plate and a cymbal hit softly and hard: spectra, and quiet hits against linear oscillators",
         hits_case},
        {"glide", "pitch over time after large motion of a plate, against the backbone of von Kármán's plate",
         glide_case},
        {"coupling", "energy that one mode of a plate gives to others, over modes and time", coupling_case},
        {"crash", "high frequencies of a gong and a cymbal that build up after a hard hit", crash_case},
        {"cubature", "forces of shells from few edges, and from few triangles: error over their number", cubature_case},
        {"elements", "4-node against 10-node elements: convergence of a bending frequency", elements_case},
        {"oscillator", "oscillators against the closed form, ten seconds of decay", oscillator_case},
        {"hertz", "how long two balls touch, from their meshes, against Hertz", hertz_case},
        {"bounce", "ten elastic bounces against free fall; momentum of a heap that tumbles", bounce_case},
        {"click", "acceleration noise of a ball against the exact solution", click_case},
        {"bem", "boundary elements: vibrating spheres against spherical waves", bem_case},
        {"transfer", "sound fields of a bowl's modes: waves on a grid against boundary elements, and maps of them",
         transfer_case},
        {"rods", "spectra of struck bars: against ideal bars, Timoshenko's and three dimensions", rods_case},
        {"dispersion", "a guy wire that is struck at one end: arrival times against the dispersion relation",
         dispersion_case},
        {"rod-dipoles", "how rods of several sections sound around them, and a thick cylinder: against closed forms",
         rod_dipoles_case},
        {"rod-listening", "what delays, sections and single points do to the sound of struck rods", rod_listening_case},
        {"rod-rest", "a spring that comes to rest on the ground: level over time", rod_rest_case},
        {"grains", "a gas of balls and a ball that bounces: against kinetic theory and closed forms", grains_case},
        {"grain-sound", "the click of a grain, a published table, and drawn collisions against recorded ones",
         grain_sound_case},
        {"grain-importance", "what is heard of places, normals and speeds of colliding grains", grain_importance_case},
        {"doppler", "a tone that passes at 30 m/s against the closed form", doppler_case},
    };
    return cases;
}

}  // namespace clangor::validation
