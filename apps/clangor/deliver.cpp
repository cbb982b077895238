// What was rendered, onto the disk: the sound, its stems, and the report that says what is in them.
#include "outputs.hpp"
#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace clangor::app {
namespace {

namespace fs = std::filesystem;

// The channels of one listener.
Audio channels_of(const Audio& audio, const ListenerChannels& listener) {
    Audio part;
    part.sample_rate = audio.sample_rate;
    for (int c = 0; c < listener.count; ++c) part.channels.push_back(audio.channels[size_t(listener.first + c)]);
    part.samples = audio.samples.middleRows(listener.first, listener.count);
    return part;
}

// 1 dB under full scale, in pascals.
double ceiling_pa(double gain_db) { return factor_of_db(-1) / factor_of_db(gain_db); }

void write_sound(const Audio& audio, double gain_db, const RenderOptions& options, const Rendered& rendered,
                 nlohmann::json& report) {
    const io::AudioCoding coding = coding_of(options.bits);
    long clipped = 0;
    report["files"] = nlohmann::json::array();
    const auto write = [&](const fs::path& path, const Audio& sound) {
        clipped += io::write_audio(path, sound, {gain_db}, coding).clipped;
        report["files"].push_back(path.filename().string());
    };
    if (!options.split) write(options.out, audio);
    if (options.split)
        for (const ListenerChannels& listener : rendered.listeners)
            write(split_path(options.out, listener.name), channels_of(audio, listener));
    if (clipped > 0)
        report["warnings"].push_back(fmt::format(
            "{} samples were louder than the file can hold and were clipped: use --gain auto, --limit, or --bits 32f",
            clipped));
    if (options.stems.empty()) return;
    fs::create_directories(options.stems);
    for (const Stem& stem : rendered.stems)
        io::write_audio(fs::path(options.stems) / (stem.name + fs::path(options.out).extension().string()), stem.audio,
                        {gain_db}, coding);
}

}  // namespace

void deliver(const Scene& scene, const Baked& baked, const Motion& motion, const Rendered& rendered,
             const RenderOptions& options, const Common& common) {
    const double gain_db = gain_db_of(options.gain, rendered.audio);
    nlohmann::json report = report_of(scene, baked, motion, rendered, gain_db);
    Audio audio = rendered.audio;
    if (options.limit) report["limited_db"] = limit_true_peak(audio, ceiling_pa(gain_db));
    write_sound(audio, gain_db, options, rendered, report);
    report["warning_count"] = report["warnings"].size();
    io::write_json(io::report_path(options.out), report);
    for (const auto& warning : report["warnings"]) warn(warning.get<std::string>(), common.quiet);
    if (common.json) return print_json(report);
    const double peak = peak_pa(audio);
    const std::string level =
        peak > 0 ? fmt::format("peak {:.3g} Pa ({:.0f} dB SPL)", peak, sound_pressure_level_db(peak)) : "silent";
    say(fmt::format("{}: {:.3g} s, {} channel(s), {} impacts, {}{}", options.out, audio.duration(),
                    audio.channels.size(), rendered.impacts, level,
                    gain_db == 0 ? ", 1.0 = 1 Pa" : fmt::format(", gain {:+.1f} dB", gain_db)),
        common.quiet);
}

}  // namespace clangor::app
