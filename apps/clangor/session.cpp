#include "session.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace clangor::app {

io::Cache open_cache(const Common& common) {
    if (common.threads > 0) set_thread_count(common.threads);
    if (common.no_cache) return {};
    if (!common.cache.empty()) return {common.cache};
    const io::CacheChoice choice = io::default_cache();
    if (!choice.warning.empty()) warn(choice.warning, common.quiet);
    return choice.cache;
}

std::vector<std::string> problems_in(const io::SceneFile& file) {
    const auto place_of = [&](const SceneProblem& problem) {
        switch (problem.part) {
            case SceneProblem::Part::Object:
                return file.objects[problem.index];
            case SceneProblem::Part::Strike:
                return file.strikes[problem.index];
            case SceneProblem::Part::Listener:
                return file.listeners[problem.index];
            case SceneProblem::Part::Motion:
                return file.motion;
        }
        return std::string();
    };
    std::vector<std::string> lines;
    for (const SceneProblem& problem : problems_of(file.scene))
        lines.push_back(fmt::format("{}: {}", place_of(problem), problem.message));
    return lines;
}

void require_sound(const io::SceneFile& file) {
    const std::vector<std::string> problems = problems_in(file);
    if (!problems.empty()) throw Error(fmt::format("{}", fmt::join(problems, "\n")));
}

BakeOptions bake_options(const Common& common, Quality quality) {
    return {.cache = open_cache(common), .quality = quality, .memory = 1e9 * common.memory_gb};
}

double gain_db_of(const std::string& gain, double peak) {
    if (gain == "auto") return auto_gain_db(peak);
    double db = 0;
    const auto [end, error] = std::from_chars(gain.data(), gain.data() + gain.size(), db);
    if (error != std::errc() || end != gain.data() + gain.size() || !(std::abs(db) <= 200))
        throw Error(fmt::format("--gain takes \"auto\" or decibels between -200 and 200, not \"{}\"", gain));
    return db;
}

io::AudioCoding coding_of(const std::string& bits) {
    if (bits == "16") return io::AudioCoding::Int16;
    if (bits == "24") return io::AudioCoding::Int24;
    if (bits == "32f") return io::AudioCoding::Float32;
    return io::AudioCoding::Default;
}

}  // namespace clangor::app
