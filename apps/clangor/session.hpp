// What every baking command does around its work: threads, cache, progress, warnings.
#pragma once

#include "commands.hpp"
#include "console.hpp"

#include <deque>
#include <optional>
#include <utility>

namespace clangor::app {

/// Applies --threads and chooses the cache, warning if there is none.
io::Cache open_cache(const Common& common);

/// Throws where the folder of a file to be written does not exist or is not writable: before the work, not after it.
void require_writable(const std::string& path);

/// "auto", for a sound with this peak [Pa], or a number of decibels.
double gain_db_of(const std::string& gain, double peak);

/// "16", "24", "32f", or "" for what suits the file.
io::AudioCoding coding_of(const std::string& bits);

/// Sound as it was made; long sound is on the disk, beside where it will be written.
struct Sounded {
    Rendered rendered;
    std::optional<io::AudioSpool> sound;
    std::deque<std::pair<std::string, io::AudioSpool>> stems;  ///< by name
};
Sounded sounded(const Scene& scene, const Baked& baked, const Motion& motion, const RenderOptions& options,
                const Progress& progress);

/// Writes the sound, its side-car and the stems, and says so.
void deliver(const Scene& scene, const Baked& baked, const Motion& motion, Sounded sounded,
             const RenderOptions& options, const Common& common);

}  // namespace clangor::app
