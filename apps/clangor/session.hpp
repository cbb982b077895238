// What every baking command does around its work: threads, cache, progress, warnings.
#pragma once

#include "commands.hpp"
#include "console.hpp"

namespace clangor::app {

/// Applies --threads and chooses the cache, warning if there is none.
io::Cache open_cache(const Common& common);

/// The cache, and what the work may take.
BakeOptions bake_options(const Common& common, Quality quality);

/// Throws where the folder of a file to be written does not exist or is not writable: before the work, not after it.
void require_writable(const std::string& path);

/// "auto" or a number of decibels.
double gain_db_of(const std::string& gain, const Audio& audio);

/// "16", "24", "32f", or "" for what suits the file.
io::AudioCoding coding_of(const std::string& bits);

/// Writes the sound, its side-car and the stems, and says so.
void deliver(const Scene& scene, const Baked& baked, const Motion& motion, const Rendered& rendered,
             const RenderOptions& options, const Common& common);

}  // namespace clangor::app
