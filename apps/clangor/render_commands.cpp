// render and bake.
#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clangor::app {

void render_command(const RenderOptions& options, const Common& common) {
    Scene scene = io::read_scene(options.scene);
    if (options.rate_hz > 0) scene.sample_rate = options.rate_hz;
    require_writable(options.out);
    if (!options.motion.empty()) require_writable(options.motion);
    io::audio_format_of(options.out, coding_of(options.bits));
    gain_db_of(options.gain, 0);
    const Progress progress = progress_on_stderr(common.quiet);
    const io::Cache cache = open_cache(common);
    const Baked baked = bake(scene, {cache, options.quality}, progress);
    const Motion motion = motion_of(scene, baked, cache, progress);
    if (!options.motion.empty()) write_motion(options.motion, scene, motion, options.motion_fps);
    Sounded sound = sounded(scene, baked, motion, options, progress);
    finish_progress();
    deliver(scene, baked, motion, std::move(sound), options, common);
}

void bake_command(const std::string& path, Quality quality, const std::string& maps, const Common& common) {
    const Scene scene = io::read_scene(path);
    const Progress progress = progress_on_stderr(common.quiet);
    const Baked baked = bake(scene, {open_cache(common), quality}, progress);
    const int pictures = maps.empty() ? 0 : write_transfer_pictures(maps, scene, baked, 5, progress);
    finish_progress();
    nlohmann::json objects = nlohmann::json::array();
    for (size_t i = 0; i < baked.objects.size(); ++i) {
        const BakedObject& object = baked.objects[i];
        const std::string& name = scene::name_of(scene.objects[i]);
        if (!object.model) continue;  // a ground, or silent
        objects.push_back({{"name", name},
                           {"modes", object.model->omega.size()},
                           {"degrees_of_freedom", object.model->degrees_of_freedom},
                           {"from_cache", object.from_cache},
                           {"seconds", object.seconds}});
        say(fmt::format("{}: {} modes, {} degrees of freedom, {:.1f} s{}", name, object.model->omega.size(),
                        object.model->degrees_of_freedom, object.seconds,
                        object.from_cache ? " (was baked before)" : ""),
            common.quiet || common.json);
    }
    if (!maps.empty()) say(fmt::format("{} pictures in {}", pictures, maps), common.quiet || common.json);
    for (const std::string& warning : baked.warnings) warn(warning, common.quiet);
    if (common.json) print_json({{"objects", objects}, {"warnings", baked.warnings}});
}

}  // namespace clangor::app
