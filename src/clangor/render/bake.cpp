// The objects of a scene, baked.
#include <clangor/render/render.hpp>

#include <fmt/format.h>

namespace clangor {

BakeContext bake_context(const Scene& scene, const BakeOptions& options) {
    const bool still = scene::is_still(scene);
    return {.air = scene.air,
            .still = still,
            .simulated = !still && scene.motion.impacts.empty(),
            .quality = options.quality,
            .memory = options.memory,
            .cache = options.cache};
}

Baked bake(const Scene& scene, const BakeOptions& options, const Progress& progress) {
    Baked baked;
    BakeContext context = bake_context(scene, options);
    const double share = 1.0 / double(scene.objects.size());
    for (const scene::Object& object : scene.objects) {
        const double from = double(baked.objects.size()) * share;
        context.progress = {[&](std::string_view stage, double fraction) { progress(stage, from + share * fraction); }};
        try {
            baked.objects.push_back(std::visit([&](const auto& kind) { return sounding(kind, context); }, object));
        } catch (const Error& error) {
            throw Error(fmt::format("{}: {}", object_named(scene::name_of(object)), error.what()), error.blame());
        }
        const std::vector<std::string>& warnings = baked.objects.back().warnings;
        baked.warnings.insert(baked.warnings.end(), warnings.begin(), warnings.end());
    }
    return baked;
}

}  // namespace clangor
