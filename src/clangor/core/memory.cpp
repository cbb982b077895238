#include <clangor/core/memory.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <limits>
#include <string>

namespace clangor {
namespace {

namespace fs = std::filesystem;

constexpr double unknown = std::numeric_limits<double>::infinity();
constexpr double share = 0.8;

// A file that holds one number; "max", or no file, is no limit.
double number_in(const fs::path& path) {
    double value = 0;
    return std::ifstream(path) >> value ? value : unknown;
}

// The number behind a key, as in /proc/meminfo and memory.stat.
double number_of(const fs::path& path, const std::string& wanted) {
    std::ifstream file(path);
    for (std::string key, rest; file >> key; std::getline(file, rest)) {
        double value = 0;
        if (key == wanted && file >> value) return value;
    }
    return unknown;
}

// Control groups, version 2: what is left in a folder and in all above it. Pages of files that nobody used lately are
// given back when asked.
double free_in_groups() {
    const fs::path root = "/sys/fs/cgroup";
    std::ifstream file("/proc/self/cgroup");
    fs::path group = root;
    for (std::string line; std::getline(file, line);)
        if (line.starts_with("0::/")) group = root / line.substr(4);
    double left = unknown;
    for (;; group = group.parent_path()) {
        const double limit = number_in(group / "memory.max"), used = number_in(group / "memory.current");
        const double idle = number_of(group / "memory.stat", "inactive_file");
        if (limit < unknown && used < unknown) left = std::min(left, limit - used + (idle < unknown ? idle : 0));
        if (group == root || !group.has_relative_path()) break;
    }
    // Version 1: the one group that containers have.
    const fs::path old = root / "memory";
    const double limit = number_in(old / "memory.limit_in_bytes"), used = number_in(old / "memory.usage_in_bytes");
    if (limit < unknown && used < unknown) left = std::min(left, limit - used);
    return std::max(left, 0.0);
}

}  // namespace

double allowed_memory(double asked) {
    if (asked > 0) return asked;
    return share * std::min(1024 * number_of("/proc/meminfo", "MemAvailable:"), free_in_groups());
}

std::size_t limit_of(double bytes) { return bytes < 1e18 ? static_cast<std::size_t>(bytes) : 0; }

}  // namespace clangor
