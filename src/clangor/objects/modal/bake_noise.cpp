// From a surface to the click of its accelerations.
#include <clangor/objects/modal/modal.hpp>

namespace clangor {
namespace {

// Whatever changes the numbers must change this, or old cache entries would be taken for new ones.
constexpr std::string_view noise_algorithm = "acceleration 3";

}  // namespace

std::string noise_key(const Surface& surface, const Material& material, const Air& air, Quality quality) {
    return body_fingerprint(noise_algorithm, surface, material)
        .add("air density", air.density)
        .add("speed of sound", air.speed_of_sound)
        .add("quality", double(static_cast<int>(quality)))
        .hex();
}

BakedNoise bake_noise(const std::string& name, const Surface& surface, const Material& material,
                      const BakeContext& context, const AccelerationResume& resume, const Progress& progress) {
    BakedNoise baked;
    baked.name = name;
    const MassProperties mass = mass_properties(surface);
    if (const std::optional<double> radius = ball_radius(surface, mass)) {
        baked.noise = sphere_noise(*radius, pulse_scale(mass, material), context.air);
        baked.noise.centre = mass.centre;
        return baked;
    }
    const Progress part{[&](std::string_view, double fraction) { progress(name + ": click", fraction); }};
    AccelerationOptions options = settings_of(context.quality).clicks;
    options.memory_limit = limit_of(allowed_memory(context.memory));
    AccelerationBake bake = bake_acceleration_noise(surface, mass, material, context.air, options, resume, part);
    baked.noise = std::move(bake.noise);
    baked.messages = std::move(bake.warnings);
    return baked;
}

io::Cached<BakedNoise> cached_noise(const std::string& name, const Surface& surface, const Material& material,
                                    const BakeContext& context, const Progress& progress) {
    const std::string key = noise_key(surface, material, context.air, context.quality);
    return io::cached<BakedNoise>(context.cache, key, [&] {
        io::CacheLookup<BegunNoise> begun = io::load<BegunNoise>(context.cache, key);
        const AccelerationResume resume{
            .begun = begun.found ? std::move(begun.found->motions) : std::vector<NoiseMotion>(),
            .keep = [&](const std::vector<NoiseMotion>& motions) {
                io::store(context.cache, BegunNoise{name, key, motions});
            }};
        return bake_noise(name, surface, material, context, resume, progress);
    });
}

}  // namespace clangor
