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

/// What tells one kind of entry from the other.
struct EntryKind {
    const char* noun;
    const char* ending;  ///< of the file's name, after the key
};
constexpr EntryKind model_kind = {"model", ".h5"};
constexpr EntryKind noise_kind = {"acceleration noise", ".noise.h5"};
constexpr EntryKind begun_noise_kind = {"begun acceleration noise", ".noise.begun.h5"};
constexpr EntryKind transfer_kind = {"transfer", ".transfer.h5"};
constexpr EntryKind begun_transfer_kind = {"begun transfer", ".transfer.begun.h5"};
constexpr EntryKind collisions_kind = {"collision record", ".collisions.h5"};

fs::path entry(const Cache& cache, const std::string& key, const EntryKind& kind) {
    return cache.folder / (key + kind.ending);
}

/// A CacheLookup or a NoiseLookup; `parse` makes its content of bytes and their place.
template <class Lookup, class Parse>
Lookup load_entry(const Cache& cache, const std::string& key, const EntryKind& kind, const Parse& parse) {
    if (cache.folder.empty()) return {};
    const fs::path path = entry(cache, key, kind);
    std::error_code error;
    if (!fs::exists(path, error)) return {};
    try {
        auto found = parse(read_bytes(path), path.string());
        if (found.inputs_hash == key) return {std::move(found), ""};
        return {{},
                fmt::format("{} holds another {} than its name says. It is baked again.", path.string(), kind.noun)};
    } catch (const Error& failure) {
        return {{}, fmt::format("the cache is damaged: {}", failure.what())};
    }
}

template <class Baked, class Pack>
std::string store_entry(const Cache& cache, const std::string& key, const EntryKind& kind, const Baked& baked,
                        const Pack& pack) {
    CLANGOR_ASSERT(baked.inputs_hash == key, "what is kept carries the key it is found by");
    if (cache.folder.empty()) return "";
    std::error_code error;
    fs::create_directories(cache.folder, error);
    if (error)
        return fmt::format(
            "the {} of {} was not kept: cannot make the folder {}: {}. Set CLANGOR_CACHE to another place.", kind.noun,
            baked.name, cache.folder.string(), error.message());
    delete_left_over(cache.folder);
    try {
        const fs::path path = entry(cache, key, kind);
        if (fs::is_directory(path, error)) fs::remove(path, error);  // whatever it is, it is not ours
        write_file(path, pack(baked));
        return "";
    } catch (const Error& failure) {
        return fmt::format("the {} of {} was not kept: {}", kind.noun, baked.name, failure.what());
    }
}

void forget_entry(const Cache& cache, const std::string& key, const EntryKind& kind) {
    std::error_code error;
    if (!cache.folder.empty()) fs::remove(entry(cache, key, kind), error);
}

}  // namespace

CacheChoice default_cache() {
    if (const auto chosen = environment("CLANGOR_CACHE")) return {{*chosen}, ""};
    // The XDG base directory specification asks to ignore relative paths.
    if (const auto xdg = environment("XDG_CACHE_HOME"); xdg && xdg->is_absolute()) return {{*xdg / "clangor"}, ""};
    if (const auto home = environment("HOME"); home && home->is_absolute()) return {{*home / ".cache" / "clangor"}, ""};
    return {{}, "no place for a cache is known, so that every model is baked anew. Set CLANGOR_CACHE or HOME."};
}

CacheLookup load(const Cache& cache, const std::string& key) {
    return load_entry<CacheLookup>(cache, key, model_kind, model_from_bytes);
}

std::string store(const Cache& cache, const std::string& key, const BakedSolid& model) {
    return store_entry(cache, key, model_kind, model, model_bytes);
}

NoiseLookup load_noise(const Cache& cache, const std::string& key) {
    NoiseLookup found = load_entry<NoiseLookup>(cache, key, noise_kind, noise_from_bytes);
    if (found.noise) forget_entry(cache, key, begun_noise_kind);  // of one killed after the whole was kept
    return found;
}

std::string store_noise(const Cache& cache, const std::string& key, const BakedNoise& noise) {
    const std::string problem = store_entry(cache, key, noise_kind, noise, noise_bytes);
    if (problem.empty()) forget_entry(cache, key, begun_noise_kind);
    return problem;
}

TransferLookup load_transfer(const Cache& cache, const std::string& key) {
    TransferLookup found = load_entry<TransferLookup>(cache, key, transfer_kind, transfer_from_bytes);
    if (found.transfer && !found.transfer->transfer.complete()) return {};
    if (found.transfer) forget_entry(cache, key, begun_transfer_kind);  // as above
    return found;
}

std::string store_transfer(const Cache& cache, const std::string& key, const BakedTransfer& transfer) {
    const std::string problem = store_entry(cache, key, transfer_kind, transfer, transfer_bytes);
    if (problem.empty()) forget_entry(cache, key, begun_transfer_kind);
    return problem;
}

CollisionsLookup load_collisions(const Cache& cache, const std::string& key) {
    return load_entry<CollisionsLookup>(cache, key, collisions_kind, collisions_from_bytes);
}

std::string store_collisions(const Cache& cache, const std::string& key, const BakedCollisions& collisions) {
    return store_entry(cache, key, collisions_kind, collisions, collisions_bytes);
}

std::vector<NoiseMotion> load_begun_noise(const Cache& cache, const std::string& key) {
    struct Lookup {
        std::optional<BegunNoise> begun;
        std::string warning;
    };
    Lookup found = load_entry<Lookup>(cache, key, begun_noise_kind, begun_noise_from_bytes);
    return found.begun ? std::move(found.begun->motions) : std::vector<NoiseMotion>();
}

void store_begun_noise(const Cache& cache, const BegunNoise& begun) {
    store_entry(cache, begun.inputs_hash, begun_noise_kind, begun, begun_noise_bytes);
}

BegunTransfer load_begun_transfer(const Cache& cache, const std::string& key) {
    struct Lookup {
        std::optional<BegunTransferFile> begun;
        std::string warning;
    };
    Lookup found = load_entry<Lookup>(cache, key, begun_transfer_kind, begun_transfer_from_bytes);
    return found.begun ? std::move(found.begun->begun) : BegunTransfer();
}

void store_begun_transfer(const Cache& cache, const BegunTransferFile& begun) {
    store_entry(cache, begun.inputs_hash, begun_transfer_kind, begun, begun_transfer_bytes);
}

}  // namespace clangor::io
