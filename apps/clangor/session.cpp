#include "session.hpp"

#include <fmt/format.h>
#include <omp.h>
#include <unistd.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <cmath>

namespace clangor::app {

namespace fs = std::filesystem;

io::Cache open_cache(const Common& common) {
    if (common.threads > 0) omp_set_num_threads(common.threads);
    if (common.no_cache) return {};
    if (!common.cache.empty()) return {common.cache};
    const io::CacheChoice choice = io::default_cache();
    if (!choice.warning.empty()) warn(choice.warning, common.quiet);
    return choice.cache;
}

void require_writable(const std::string& path) {
    const fs::path target(path);
    const fs::path folder = target.has_parent_path() ? target.parent_path() : ".";
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw Error(fmt::format("cannot write {}: the folder {} does not exist", path, folder.string()));
    if (fs::is_directory(target, error))
        throw Error(fmt::format("cannot write {}: it is a folder; name a file in it", path));
    if (::access(folder.c_str(), W_OK) != 0)
        throw Error(fmt::format("cannot write {}: you may not write into {}", path, folder.string()));
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
