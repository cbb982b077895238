// The report beside the sound: what was made, how loud, from what, and how long it took.
#include <clangor/render/render.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>

namespace clangor {
namespace {

// By this key a report is known again; its value is the version of the format.
constexpr const char* report_mark = "clangor_report";

nlohmann::json listener_report(const SoundLevels& levels, size_t channel) {
    const double peak = levels.peaks_pa[channel];
    nlohmann::json entry = {
        {"name", levels.channels[channel]},
        {"peak_pa", peak},
        {"rms_pa",
         levels.frames > 0 ? std::sqrt(levels.squares_pa[channel] / static_cast<double>(levels.frames)) : 0.0}};
    if (peak > 0) entry["peak_db_spl"] = sound_pressure_level_db(peak);
    return entry;
}

void add_window(SoundLevels& levels, const Audio& window) {
    for (long channel = 0; channel < window.samples.rows(); ++channel) {
        double& peak = levels.peaks_pa[channel];
        double& sum = levels.squares_pa[channel];  // in order and in double: the same on every machine
        for (long frame = 0; frame < window.frames(); ++frame) {
            const double pressure = double(window.samples(channel, frame));
            peak = std::max(peak, std::abs(pressure));
            sum += square(pressure);
        }
    }
}

SoundLevels silent_levels(double sample_rate, const std::vector<std::string>& channels, long frames) {
    const std::vector<double> zeros(channels.size(), 0.0);
    return {sample_rate, frames, channels, zeros, zeros};
}

}  // namespace

double SoundLevels::peak_pa() const { return peaks_pa.empty() ? 0.0 : *std::ranges::max_element(peaks_pa); }

double SoundLevels::rms_pa() const {
    if (channels.empty() || frames == 0) return 0;
    double mean_square = 0;
    for (const double sum : squares_pa) mean_square += square(std::sqrt(sum / static_cast<double>(frames)));
    return std::sqrt(mean_square / static_cast<double>(channels.size()));
}

SoundLevels levels_of(const Audio& audio) {
    SoundLevels levels = silent_levels(audio.sample_rate, audio.channels, audio.frames());
    add_window(levels, audio);
    return levels;
}

SoundLevels levels_of(const io::AudioSpool& spool) {
    SoundLevels levels = silent_levels(spool.sample_rate(), spool.channels(), spool.frames());
    spool.for_windows([&](long, const Audio& window) { add_window(levels, window); });
    return levels;
}

nlohmann::json report_of(const Scene& scene, const Baked& baked, const Motion& motion, const Rendered& rendered,
                         const SoundLevels& levels, double gain_db) {
    nlohmann::json report;
    report[report_mark] = 1;
    report["sample_rate_hz"] = scene.sample_rate;
    report["duration_s"] = static_cast<double>(levels.frames) / levels.sample_rate;
    report["unit"] = "Pa";
    report["gain_db"] = gain_db;
    report["pascals_per_unit"] = 1 / factor_of_db(gain_db);
    report["peak_pa"] = levels.peak_pa();
    report["rms_pa"] = levels.rms_pa();
    report["impacts"] = rendered.impacts;
    report["listeners"] = nlohmann::json::array();
    for (size_t i = 0; i < levels.channels.size(); ++i) report["listeners"].push_back(listener_report(levels, i));
    report["objects"] = nlohmann::json::array();
    double baking = 0;
    for (const SoundingObject& object : baked.objects) {
        nlohmann::json entry = {{"name", object.name}};
        if (object.report) object.report(entry);
        for (const auto& [name, account] : rendered.accounts)
            if (name == object.name)
                for (const auto& [key, figure] : account.figures) entry[key] = figure;
        report["objects"].push_back(std::move(entry));
        baking += object.seconds;
    }
    double last = 0;
    for (const Trajectory& body : motion.bodies) last = std::max(last, last_motion(body));
    for (const Impact& impact : motion.impacts)  // what moves by itself has no path that tells
        for (const ContactSide& side : impact.sides)
            if (side.body >= 0 && baked.objects[size_t(side.body)].move) last = std::max(last, impact.time);
    report["motion"] = {{"last_motion_s", std::min(last, scene.duration)},
                        {"impacts", impacts_until(motion, scene.duration)},
                        {"touches", motion.touches.size()},
                        {"step_hz", motion.step_hz},
                        {"from_cache", motion.from_cache}};
    if (motion.ignored)
        report["motion"]["ignored_contacts"] = {{"merged", motion.ignored->merged},
                                                {"touching", motion.ignored->touching},
                                                {"slow", motion.ignored->slow},
                                                {"without_effect", motion.ignored->without_effect}};
    report["seconds"] = {{"bake", baking}, {"motion", motion.seconds}, {"synthesis", rendered.seconds}};
    report["warnings"] = baked.warnings;
    for (const std::vector<std::string>* more : {&motion.warnings, &rendered.warnings})
        for (const std::string& warning : *more) report["warnings"].push_back(warning);
    report["warning_count"] = report["warnings"].size();
    return report;
}

bool is_report(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    const nlohmann::json content = nlohmann::json::parse(file, nullptr, false);
    return content.is_object() && content.contains(report_mark);
}

}  // namespace clangor
