// From a surface to the click of its accelerations.
#include <clangor/render/memory.hpp>
#include <clangor/render/render.hpp>

namespace clangor {
namespace {

// Bowls and mugs are what takes long: six wave fields around a hollow that rings on. The standard follows them for 30
// dB on a grid of half a million cells, in 5 to 20 s; what is cut is faded out.
AccelerationOptions options_of(Quality quality) {
    switch (quality) {
        case Quality::Draft:
            return {.max_cells = 2e5, .decay_db = 30};
        case Quality::Standard:
            return {.max_cells = 5e5, .decay_db = 30};
        case Quality::Reference:
            return {.theta_count = 40, .phi_count = 80};
    }
    return {};
}

}  // namespace

io::BakedNoise bake_noise(const std::string& name, const Surface& surface, const Material& material, const Air& air,
                          Quality quality, const AccelerationResume& resume, const Progress& progress, double memory) {
    io::BakedNoise baked;
    baked.name = name;
    const MassProperties mass = mass_properties(surface);
    if (const std::optional<double> radius = ball_radius(surface, mass)) {
        baked.noise = sphere_noise(*radius, pulse_scale(mass, material), air);
        baked.noise.centre = mass.centre;
        return baked;
    }
    const Progress part{[&](std::string_view, double fraction) { progress(name + ": click", fraction); }};
    AccelerationOptions options = options_of(quality);
    options.memory_limit = limit_of(allowed_memory(memory));
    AccelerationBake bake = bake_acceleration_noise(surface, mass, material, air, options, resume, part);
    baked.noise = std::move(bake.noise);
    baked.messages = std::move(bake.warnings);
    return baked;
}

}  // namespace clangor
