// Baked values on disk, found again by what they were baked from.
#pragma once

#include <clangor/io/file/file.hpp>
#include <clangor/io/model/baked_file.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace clangor::io {

/// A folder with one file per baked value, named after its key. Several processes may use it at once: files appear
/// complete, and of two that are baked at the same time the later one stays. Any file of it may be deleted at any time.
struct Cache {
    std::filesystem::path folder;  ///< empty: nothing is kept
};

struct CacheChoice {
    Cache cache;
    std::string warning;  ///< why nothing will be kept; empty if all is well
};

/// $CLANGOR_CACHE, else $XDG_CACHE_HOME/clangor, else ~/.cache/clangor. An empty $CLANGOR_CACHE keeps nothing.
CacheChoice default_cache();

template <class Baked>
struct CacheLookup {
    std::optional<Baked> found;  ///< none: bake it
    std::string warning;         ///< a damaged or foreign file stood in its place
};

/// `key` is a Fingerprint of all inputs and of the algorithm's version. Never throws for what is on disk.
template <class Baked>
CacheLookup<Baked> load(const Cache& cache, const std::string& key);

/// Keeps a value by its inputs_hash, and forgets what was kept of a bake that was stopped (Baked::Begun). Returns why
/// it could not be kept (folder not writable, disk full), or nothing. Work goes on either way.
template <class Baked>
std::string store(const Cache& cache, const Baked& baked);

template <class Baked>
void forget(const Cache& cache, const std::string& key);

/// What was kept under the key, or what `bake` makes, which is kept then.
template <class Baked>
struct Cached {
    Baked value;
    bool from_cache = false;
    std::vector<std::string> warnings = {};  ///< a damaged entry, or why nothing could be kept
};
template <class Baked, class Bake>
Cached<Baked> cached(const Cache& cache, const std::string& key, const Bake& bake);

// What follows is how.

std::filesystem::path entry_of(const Cache& cache, const std::string& key, const BakedKind& kind);

/// Writes the bytes that `pack` makes; `name` stands in what is returned.
std::string store_entry(const Cache& cache, const std::string& key, const BakedKind& kind, const std::string& name,
                        const std::function<std::vector<std::byte>()>& pack);

/// "… holds another model than its name says. It is baked again."
std::string foreign_entry(const std::filesystem::path& path, const BakedKind& kind);

template <class Baked>
CacheLookup<Baked> load(const Cache& cache, const std::string& key) {
    if (cache.folder.empty()) return {};
    const std::filesystem::path path = entry_of(cache, key, Baked::kind);
    std::error_code error;
    if (!std::filesystem::exists(path, error)) return {};
    try {
        Baked found = baked_from_bytes<Baked>(read_bytes(path), path.string());
        if (found.inputs_hash != key) return {{}, foreign_entry(path, Baked::kind)};
        // A bake that was killed just after it stored the whole has left what it had begun.
        if constexpr (requires { typename Baked::Begun; }) forget<typename Baked::Begun>(cache, key);
        return {std::move(found), ""};
    } catch (const Error& failure) {
        return {{}, std::string("the cache is damaged: ") + failure.what()};
    }
}

template <class Baked>
std::string store(const Cache& cache, const Baked& baked) {
    const std::string problem =
        store_entry(cache, baked.inputs_hash, Baked::kind, baked.name, [&] { return bytes_of_baked(baked); });
    if constexpr (requires { typename Baked::Begun; })
        if (problem.empty()) forget<typename Baked::Begun>(cache, baked.inputs_hash);
    return problem;
}

template <class Baked>
void forget(const Cache& cache, const std::string& key) {
    std::error_code error;
    if (!cache.folder.empty()) std::filesystem::remove(entry_of(cache, key, Baked::kind), error);
}

template <class Baked, class Bake>
Cached<Baked> cached(const Cache& cache, const std::string& key, const Bake& bake) {
    Cached<Baked> result;
    const auto warn = [&](const std::string& warning) {
        if (!warning.empty()) result.warnings.push_back(warning);
    };
    CacheLookup<Baked> lookup = load<Baked>(cache, key);
    warn(lookup.warning);
    result.from_cache = lookup.found.has_value();
    result.value = result.from_cache ? std::move(*lookup.found) : bake();
    if (result.from_cache) return result;
    result.value.inputs_hash = key;
    warn(store(cache, result.value));
    return result;
}

}  // namespace clangor::io
