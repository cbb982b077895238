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

/// What is wrong with a scene, each with its place in the file.
std::vector<std::string> problems_in(const io::SceneFile& file);

/// Throws them, if there are any.
void require_sound(const io::SceneFile& file);

/// The cache, and what the work may take.
BakeOptions bake_options(const Common& common, Quality quality);

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

/// Writes the sound, its report and the stems, and says so.
void deliver(const Scene& scene, const Baked& baked, const Motion& motion, Sounded sounded,
             const RenderOptions& options, const Common& common);

}  // namespace clangor::app
