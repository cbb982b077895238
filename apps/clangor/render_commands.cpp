// render and bake.
#include "outputs.hpp"
#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace clangor::app {

namespace {

// Channels, rate and length are known before any sound is.
void check_formats(const Scene& scene, const RenderOptions& options) {
    const io::AudioFormat format = io::audio_format_of(options.out, coding_of(options.bits));
    long all = 0, most = 0;
    for (const scene::Listener& listener : scene.listeners) {
        const long channels = long(microphone_array(listener.name, listener.kind).channels.size());
        all += channels;
        most = std::max(most, channels);
    }
    const bool only_split = options.split && options.stems.empty();  // stems hold the channels of all listeners
    io::check_capacity(format, only_split ? most : all, scene.sample_rate, scene.duration * scene.sample_rate);
}

}  // namespace

void render_command(const RenderOptions& options, const Common& common) {
    io::SceneFile file = io::read_scene_file(options.scene);
    Scene& scene = file.scene;
    if (options.rate_hz > 0) scene.sample_rate = options.rate_hz;
    if (!options.stems.empty()) require_folder(options.stems, "--stems");
    check_outputs(outputs_of(options, scene), file.files);
    check_formats(scene, options);
    gain_db_of(options.gain, 0);
    require_sound(file);
    const Progress progress = progress_on_stderr(common.quiet);
    const BakeOptions baking = bake_options(common, options.quality);
    const Baked baked = bake(scene, baking, progress);
    const Motion motion = motion_of(scene, baked, baking.cache, progress);
    if (!options.motion.empty()) write_motion(options.motion, scene, baked, motion, options.motion_fps);
    if (!options.impacts.empty()) write_impacts(options.impacts, scene, baked, motion);
    Sounded sound = sounded(scene, baked, motion, options, progress);
    finish_progress();
    deliver(scene, baked, motion, std::move(sound), options, common);
}

void bake_command(const std::string& path, Quality quality, const std::string& maps, const Common& common) {
    const io::SceneFile file = io::read_scene_file(path);
    const Scene& scene = file.scene;
    if (!maps.empty()) {
        check_outputs(outputs_of_maps(maps), file.files);
        require_folder(maps, "--maps");
    }
    require_sound(file);
    const Progress progress = progress_on_stderr(common.quiet);
    const Baked baked = bake(scene, bake_options(common, quality), progress);
    const int pictures = maps.empty() ? 0 : write_transfer_pictures(maps, scene, baked, 5, progress);
    finish_progress();
    nlohmann::json objects = nlohmann::json::array();
    for (const SoundingObject& object : baked.objects) {
        nlohmann::json report;
        if (object.report) object.report(report);
        if (!report.contains("modes")) continue;  // a ground, or silent
        objects.push_back({{"name", object.name},
                           {"modes", report["modes"]},
                           {"degrees_of_freedom", report["degrees_of_freedom"]},
                           {"from_cache", object.from_cache},
                           {"seconds", object.seconds}});
        say(fmt::format("{}: {} modes, {} degrees of freedom, {:.1f} s{}", object.name, report["modes"].get<long>(),
                        report["degrees_of_freedom"].get<long>(), object.seconds,
                        object.from_cache ? " (was baked before)" : ""),
            common.quiet || common.json);
    }
    if (!maps.empty()) say(fmt::format("{} pictures in {}", pictures, maps), common.quiet || common.json);
    for (const std::string& warning : baked.warnings) warn(warning, common.quiet);
    if (common.json) print_json({{"objects", objects}, {"warnings", baked.warnings}});
}

}  // namespace clangor::app
