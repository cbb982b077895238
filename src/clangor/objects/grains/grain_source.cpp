// Collisions, animations and densities from files   docs/guide/grains.md.
#include <clangor/objects/grains/grain_source.hpp>

#include <clangor/motion/grain_runs/grain_runs.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace clangor {
namespace {

/// A databank as the cache keeps it.
struct KeptDatabank {
    std::string name = {}, inputs_hash = {};
    std::string text = {};
    static constexpr io::BakedKind kind = {"clangor databank of grains", "1", "databank of grains",
                                           "databank of grains", ".grains.h5"};
};
void write(io::Hdf5Writer& file, const KeptDatabank& kept) { file.write("databank", kept.text); }
void read(const io::Hdf5Reader& file, KeptDatabank& kept) { kept.text = file.text("databank"); }
std::vector<std::string> problems_of(const KeptDatabank& kept) {
    try {
        (void)parse_databank(kept.text, "the databank");
    } catch (const Error& error) {
        return {error.what()};
    }
    return {};
}

// Whatever changes what is taught must change this.
constexpr std::string_view teaching = "standard databank 1";

// Grains that lose nothing, or all, are no gas of what can be taught.
constexpr double least_bounce = 0.05, most_bounce = 0.98;

GrainDatabank databank_for(const scene::Grains& grains, bool sheared, BakeContext& context,
                           std::vector<std::string>& warnings) {
    const DatabankTraits traits{
        .restitution =
            std::clamp(scene::stated_or(grains.restitution, grains.material.restitution), least_bounce, most_bounce),
        .friction = scene::stated_or(grains.friction, grains.material.friction),
        .sheared = sheared};
    if (context.check_only) return {.traits = traits};
    io::Fingerprint print;
    print.add("algorithm", teaching)
        .add("restitution", traits.restitution)
        .add("friction", traits.friction)
        .add("sheared", traits.sheared ? 1.0 : 0.0);
    const io::Cached<KeptDatabank> kept = io::cached<KeptDatabank>(context.cache, print.hex(), [&] {
        return KeptDatabank{.name = grains.name, .text = text_of(standard_databank(traits, context.progress))};
    });
    warnings.insert(warnings.end(), kept.warnings.begin(), kept.warnings.end());
    return parse_databank(kept.value.text, "the databank of grains");
}

}  // namespace

GrainSource source_of(const scene::Grains& grains, BakeContext& context, std::vector<std::string>& warnings) {
    if (!grains.collisions.empty())
        return std::make_shared<const io::CollisionList>(io::read_collisions(grains.collisions));
    if (grains.particles.empty() && grains.grid.empty()) return FilledIn{};
    Animated animated;
    if (!grains.particles.empty())
        animated.particles = io::read_particles(grains.particles);
    else
        animated.grid = io::read_grid(grains.grid);
    const bool has_variance = grains.grid.empty() || animated.grid.frames.front().deviations.size() > 0;
    animated.databank = databank_for(grains, !has_variance, context, warnings);
    return std::make_shared<const Animated>(std::move(animated));
}

}  // namespace clangor
