// Baked models, acceleration noise, sound fields and collisions on disk, found again by what they were baked from.
#pragma once

#include <clangor/io/collisions_file.hpp>
#include <clangor/io/model_file.hpp>
#include <clangor/io/noise_file.hpp>
#include <clangor/io/transfer_file.hpp>

#include <filesystem>
#include <optional>
#include <string>

namespace clangor::io {

/// A folder with one file a model or noise, named after its key. Several processes may use it at once: files appear
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

struct CacheLookup {
    std::optional<BakedSolid> model;  ///< none: bake it
    std::string warning;              ///< a damaged or foreign file stood in its place
};

/// `key` is a Fingerprint of all inputs and of the algorithm's version. Never throws for what is on disk.
CacheLookup load(const Cache& cache, const std::string& key);

/// Returns why the model could not be kept (folder not writable, disk full), or nothing. Work goes on either way.
std::string store(const Cache& cache, const std::string& key, const BakedSolid& model);

struct NoiseLookup {
    std::optional<BakedNoise> noise;  ///< none: bake it
    std::string warning;              ///< a damaged or foreign file stood in its place
};

/// The same for acceleration noise, whose keys and files are its own.
NoiseLookup load_noise(const Cache& cache, const std::string& key);
std::string store_noise(const Cache& cache, const std::string& key, const BakedNoise& noise);

struct TransferLookup {
    std::optional<BakedTransfer> transfer;  ///< none: bake it
    std::string warning;                    ///< a damaged or foreign file stood in its place
};

/// The same for transfer.
TransferLookup load_transfer(const Cache& cache, const std::string& key);
std::string store_transfer(const Cache& cache, const std::string& key, const BakedTransfer& transfer);

struct CollisionsLookup {
    std::optional<BakedCollisions> collisions;  ///< none: find them
    std::string warning;                        ///< a damaged or foreign file stood in its place
};

/// The same for the collisions of an imported motion.
CollisionsLookup load_collisions(const Cache& cache, const std::string& key);
std::string store_collisions(const Cache& cache, const std::string& key, const BakedCollisions& collisions);

/// What bakes of noise and transfer had finished when they were stopped: empty where there is nothing. Storing the
/// whole deletes it, and so does finding the whole, where another process was stopped between the two. Not being able
/// to keep it is no reason to tell anyone: the whole will tell.
std::vector<NoiseMotion> load_begun_noise(const Cache& cache, const std::string& key);
void store_begun_noise(const Cache& cache, const BegunNoise& begun);
BegunTransfer load_begun_transfer(const Cache& cache, const std::string& key);
void store_begun_transfer(const Cache& cache, const BegunTransferFile& begun);

}  // namespace clangor::io
