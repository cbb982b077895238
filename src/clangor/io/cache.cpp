#include <clangor/io/cache.hpp>

#include <clangor/io/atomic_file.hpp>

#include <fmt/format.h>

#include <cstdlib>

namespace clangor::io {
namespace {

namespace fs = std::filesystem;

std::optional<fs::path> environment(const char* name) {
    const char* value = std::getenv(name);
    return value ? std::optional<fs::path>(value) : std::nullopt;
}

fs::path entry(const Cache& cache, const std::string& key) { return cache.folder / (key + ".h5"); }

}  // namespace

CacheChoice default_cache() {
    if (const auto chosen = environment("CLANGOR_CACHE")) return {{*chosen}, ""};
    // The XDG base directory specification asks to ignore relative paths.
    if (const auto xdg = environment("XDG_CACHE_HOME"); xdg && xdg->is_absolute()) return {{*xdg / "clangor"}, ""};
    if (const auto home = environment("HOME"); home && home->is_absolute()) return {{*home / ".cache" / "clangor"}, ""};
    return {{}, "no place for a cache is known, so that every model is baked anew. Set CLANGOR_CACHE or HOME."};
}

CacheLookup load(const Cache& cache, const std::string& key) {
    if (cache.folder.empty()) return {};
    const fs::path path = entry(cache, key);
    std::error_code error;
    if (!fs::exists(path, error)) return {};
    try {
        BakedSolid model = model_from_bytes(read_bytes(path), path.string());
        if (model.inputs_hash == key) return {std::move(model), ""};
        return {{}, fmt::format("{} holds another model than its name says. It is baked again.", path.string())};
    } catch (const Error& failure) {
        return {{}, fmt::format("the cache is damaged: {}", failure.what())};
    }
}

std::string store(const Cache& cache, const std::string& key, const BakedSolid& model) {
    CLANGOR_ASSERT(model.inputs_hash == key, "a model carries the key it is found by");
    if (cache.folder.empty()) return "";
    std::error_code error;
    fs::create_directories(cache.folder, error);
    if (error)
        return fmt::format(
            "the model of {} was not kept: cannot make the folder {}: {}. Set CLANGOR_CACHE to another place.",
            model.name, cache.folder.string(), error.message());
    try {
        const fs::path path = entry(cache, key);
        if (fs::is_directory(path, error)) fs::remove(path, error);  // whatever it is, it is no model
        write_file(path, model_bytes(model));
        return "";
    } catch (const Error& failure) {
        return fmt::format("the model of {} was not kept: {}", model.name, failure.what());
    }
}

}  // namespace clangor::io
