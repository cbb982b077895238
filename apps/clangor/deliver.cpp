// What was rendered, onto the disk: the sound, its stems, and the report that says what is in them.
#include "outputs.hpp"
#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clangor::app {
namespace {

namespace fs = std::filesystem;

// 1 dB under full scale, in pascals.
double ceiling_pa(double gain_db) { return factor_of_db(-1) / factor_of_db(gain_db); }

void write_sound(const Sounded& sounded, double gain_db, const RenderOptions& options, nlohmann::json& report) {
    const io::AudioCoding coding = coding_of(options.bits);
    const io::AudioSpool& sound = *sounded.sound;
    const io::ChannelRange all{0, int(sound.channels().size())};
    long clipped = 0;
    report["files"] = nlohmann::json::array();
    const auto write = [&](const fs::path& path, const io::ChannelRange& channels) {
        clipped += io::write_audio(path, sound, channels, {gain_db}, coding).clipped;
        report["files"].push_back(path.filename().string());
    };
    if (!options.split) write(options.out, all);
    if (options.split)
        for (const ListenerChannels& listener : sounded.rendered.listeners)
            write(split_path(options.out, listener.name), {listener.first, listener.count});
    if (clipped > 0)
        report["warnings"].push_back(fmt::format(
            "{} samples were louder than the file can hold and were clipped: use --gain auto, --limit, or --bits 32f",
            clipped));
    if (options.stems.empty()) return;
    for (const auto& [name, stem] : sounded.stems)
        io::write_audio(fs::path(options.stems) / (name + fs::path(options.out).extension().string()), stem, all,
                        {gain_db}, coding);
}

}  // namespace

Sounded sounded(const Scene& scene, const Baked& baked, const Motion& motion, const RenderOptions& options,
                const Progress& progress) {
    Sounded result;
    const auto into = [](io::AudioSpool& spool) -> AddSound {
        return [&spool](long begin, const Samples& samples) { spool.add(begin, samples); };
    };
    SoundSinks sinks;
    sinks.open = [&](const std::vector<std::string>& channels, long frames) {
        result.sound.emplace(scene.sample_rate, channels, frames, fs::path(options.out).parent_path());
        return into(*result.sound);
    };
    if (!options.stems.empty()) {
        fs::create_directories(options.stems);
        sinks.stem = [&](const std::string& name, const std::vector<std::string>& channels, long frames) {
            result.stems.emplace_back(name, io::AudioSpool(scene.sample_rate, channels, frames, options.stems));
            return into(result.stems.back().second);
        };
    }
    result.rendered = synthesize(scene, baked, motion, {.quality = options.quality}, sinks, progress);
    return result;
}

void deliver(const Scene& scene, const Baked& baked, const Motion& motion, Sounded sounded,
             const RenderOptions& options, const Common& common) {
    SoundLevels levels = levels_of(*sounded.sound);
    const double gain_db = gain_db_of(options.gain, levels.peak_pa());
    nlohmann::json report = report_of(scene, baked, motion, sounded.rendered, levels, gain_db);
    if (options.limit) {  // looks at all of it at once
        Audio audio = sounded.sound->read(0, sounded.sound->frames());
        report["limited_db"] = limit_true_peak(audio, ceiling_pa(gain_db));
        sounded.sound->replace(audio.samples);
        levels = levels_of(*sounded.sound);
    }
    write_sound(sounded, gain_db, options, report);
    report["warning_count"] = report["warnings"].size();
    io::write_json(io::report_path(options.out), report);
    for (const auto& warning : report["warnings"]) warn(warning.get<std::string>(), common.quiet);
    if (common.json) return print_json(report);
    const double peak = levels.peak_pa();
    const std::string level =
        peak > 0 ? fmt::format("peak {:.3g} Pa ({:.0f} dB SPL)", peak, sound_pressure_level_db(peak)) : "silent";
    say(fmt::format("{}: {:.3g} s, {} channel(s), {} impacts, {}{}", options.out,
                    double(levels.frames) / levels.sample_rate, levels.channels.size(), sounded.rendered.impacts, level,
                    gain_db == 0 ? ", 1.0 = 1 Pa" : fmt::format(", gain {:+.1f} dB", gain_db)),
        common.quiet);
    if (!motion.ignored) return;
    say(fmt::format(
            "{} impacts found in the trajectories; of other contacts, {} belong to an impact just before, {} are "
            "of bodies that rest, slide or roll, {} are slower than the frames can tell, {} changed no motion",
            impacts_until(motion, scene.duration), motion.ignored->merged, motion.ignored->touching,
            motion.ignored->slow, motion.ignored->without_effect),
        common.quiet);
}

}  // namespace clangor::app
