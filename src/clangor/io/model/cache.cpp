#include <clangor/io/model/cache.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::optional<fs::path>(value) : std::nullopt;
}

}  // namespace

CacheChoice default_cache() {
    if (const auto chosen = environment("CLANGOR_CACHE")) return {{*chosen}, ""};
    // The XDG base directory specification asks to ignore relative paths.
    if (const auto xdg = environment("XDG_CACHE_HOME"); xdg && xdg->is_absolute()) return {{*xdg / "clangor"}, ""};
    if (const auto home = environment("HOME"); home && home->is_absolute()) return {{*home / ".cache" / "clangor"}, ""};
    return {{}, "no place for a cache is known, so that every model is baked anew. Set CLANGOR_CACHE or HOME."};
}

fs::path entry_of(const Cache& cache, const std::string& key, const BakedKind& kind) {
    return cache.folder / (key + kind.ending);
}

std::string store_entry(const Cache& cache, const std::string& key, const BakedKind& kind, const std::string& name,
                        const std::function<std::vector<std::byte>()>& pack) {
    CLANGOR_ASSERT(!key.empty(), "what is kept carries the key it is found by");
    if (cache.folder.empty()) return "";
    std::error_code error;
    fs::create_directories(cache.folder, error);
    if (error)
        return fmt::format(
            "the {} of {} was not kept: cannot make the folder {}: {}. Set CLANGOR_CACHE to another place.", kind.noun,
            name, cache.folder.string(), error.message());
    delete_left_over(cache.folder);
    try {
        const fs::path path = entry_of(cache, key, kind);
        if (fs::is_directory(path, error)) fs::remove(path, error);  // whatever it is, it is not ours
        write_file(path, pack());
        return "";
    } catch (const Error& failure) {
        return fmt::format("the {} of {} was not kept: {}", kind.noun, name, failure.what());
    }
}

std::string foreign_entry(const fs::path& path, const BakedKind& kind) {
    return fmt::format("{} holds another {} than its name says. It is baked again.", path.string(), kind.noun);
}

}  // namespace clangor::io
