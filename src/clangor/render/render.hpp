/// @file render.hpp — the pipeline that joins the stages: a scene in, the sound at its listeners out.
/// Model     surface → tetrahedra → modes → sources (baked, slow, cached); motion → impacts → forces → oscillators →
///           pressure → delays → channels (every time).
/// In        a Scene, from io or filled in by a program.
/// Out       Baked, Rendered, and the report that stands beside the sound file.
/// Not here  the physics of any stage; printing, exit codes (apps).
///
///     const Scene scene = io::read_scene("bell.json");
///     const Baked baked = bake(scene, {.cache = io::default_cache().cache});
///     const Motion motion = motion_of(scene, baked);
///     const Rendered rendered = synthesize(scene, baked, motion, {});
///     io::write_wav("bell.wav", rendered.audio);
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/listening/listening.hpp>
#include <clangor/motion/record/record.hpp>
#include <clangor/objects/objects.hpp>
#include <clangor/scene/scene.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clangor {

/// Something that a scene asks for and cannot have.
struct SceneProblem {
    enum class Part { Object, Strike, Listener, Motion };
    Part part = Part::Object;
    std::size_t index = 0;  ///< among the objects, strikes or listeners of the scene
    std::string message;
};

struct BakeOptions {
    io::Cache cache;  ///< empty: nothing is kept
    Quality quality = Quality::Standard;
    /// that the work may take; 0: 80 % of what is free. More is refused; it changes no result [bytes]
    double memory = 0;
};

/// One entry for each object of the scene, in its order.
struct Baked {
    std::vector<SoundingObject> objects;
    std::vector<std::string> warnings;
};

/// What a bake of the scene's objects starts from.
BakeContext bake_context(const Scene& scene, const BakeOptions& options);

/// All that a render would refuse, as far as it can be told without baking or simulating: files that hold no mesh,
/// path, impacts or measured heads, bodies without volume, strikes that miss, listeners inside of objects or nearer to
/// one that is hit than its click is known. Reads the files that the scene names, but no mesh of an object that is in
/// `known`: fractions of a second for most scenes.
std::vector<SceneProblem> problems_of(const Scene& scene, const Baked& known = {});

/// Everything slow. Each model is stored as soon as it is ready, so a bake that is stopped goes on where it was.
Baked bake(const Scene& scene, const BakeOptions& options, const Progress& progress = {});

/// The scene is followed for so long after its end. What is heard before it then does not depend on where it lies: the
/// first seconds of a longer scene are those of a shorter one, to the last bit [s].
constexpr double lookahead = 0.25;

/// How the scene moves, one body for each object, in its order: simulated, imported, or (is_still) at rest; up to the
/// end of its duration and the lookahead. Errors name the object; what was put right or left out is in its warnings.
/// The collisions of imported motion are kept in the cache.
Motion motion_of(const Scene& scene, const Baked& baked, const io::Cache& cache = {}, const Progress& progress = {});

/// How many impacts begin before a time.
long impacts_until(const Motion& motion, double time);

/// Writes the motion as a glTF animation, with the objects' surfaces, the ground and the listeners.
void write_motion(const std::filesystem::path& path, const Scene& scene, const Baked& baked, const Motion& motion,
                  double frame_rate);

/// Writes a table (CSV) of all impacts and strikes before the scene's end, with the bodies in the loop: when and where
/// they were, how fast the bodies met and parted, impulse and peak of the force, start and end of each contact, and
/// what it left in the modes of both [J]. Energies of impacts at the same time are shared by their impulses. Strikes by
/// an impulse have no other body and no speeds.
void write_impacts(const std::filesystem::path& path, const Scene& scene, const Baked& baked, const Motion& motion);

/// One picture per mode of every object whose sound fields are known: loudness over all directions at a distance, +y at
/// the top, +x in the middle and +z a quarter of the width to the right of it, 360 × 180 pixels, from black (40 dB
/// below the loudest direction) to pale yellow; and maps.json, which lists them with frequencies and levels [Pa kg^-1/2
/// m^-1]. Returns how many.
int write_transfer_pictures(const std::filesystem::path& folder, const Scene& scene, const Baked& baked,
                            double distance_in_radii = 5, const Progress& progress = {});

/// Of what is in a folder already, what pictures drawn there may replace: maps.json, and pictures of modes.
std::vector<std::filesystem::path> pictures_in(const std::filesystem::path& folder);

/// Whether a file is a maps.json, so that another may replace it.
bool is_picture_list(const std::filesystem::path& path);

struct SynthesisOptions {
    Quality quality = Quality::Standard;
    bool stems = false;  ///< keep each object's sound by itself too
    /// Sound is made in windows of so many frames, 2.7 s at 48 kHz: memory does not grow with the duration, and the
    /// samples do not depend on it. A multiple of 64.
    long window_frames = 1L << 17;
};

/// What one object adds at all listeners, by one mechanism.
struct Stem {
    std::string name;  ///< "bowl.modal", "bowl.acceleration"
    Audio audio;
};

/// Which channels of the audio are one listener's.
struct ListenerChannels {
    std::string name;
    int first = 0, count = 0;
};

struct Rendered {
    Audio audio;  ///< one or more channels per listener [Pa]
    std::vector<ListenerChannels> listeners;
    std::vector<Stem> stems;
    long impacts = 0;  ///< heard: scripted strikes and impacts of the motion
    std::vector<std::string> warnings;
    double seconds = 0;  ///< of synthesis
    /// What is known of sounds that were made, by object and mechanism; their warnings are among those above.
    std::vector<std::pair<std::string, SoundAccount>> accounts = {};
};

/// From motion to sound. The same scene gives the same samples for any number of threads. Throws where a scripted
/// strike misses its object by more than a tenth of the object's size.
Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const Progress& progress = {});

/// Adds samples (channels × frames) to a sound, from frame `begin` on. Windows of one sound may come in any order, and
/// more than once.
using AddSound = std::function<void(long begin, const Samples& samples)>;

/// Where sound goes that is too long to be in memory: each function is called before the first samples of its sound.
struct SoundSinks {
    std::function<AddSound(const std::vector<std::string>& channels, long frames)> open;  ///< of the whole
    std::function<AddSound(const std::string& name, const std::vector<std::string>& channels, long frames)> stem =
        {};  ///< none: no stems
};

/// The same, window by window; `audio` and `stems` of the result are empty.
Rendered synthesize(const Scene& scene, const Baked& baked, const Motion& motion, const SynthesisOptions& options,
                    const SoundSinks& sinks, const Progress& progress = {});

/// How loud each channel is.
struct SoundLevels {
    double sample_rate = 48000;
    long frames = 0;
    std::vector<std::string> channels = {};
    std::vector<double> peaks_pa = {}, squares_pa = {};  ///< the latter summed over all frames [Pa²]

    double peak_pa() const;
    double rms_pa() const;
};
SoundLevels levels_of(const io::AudioSpool& spool);
SoundLevels levels_of(const Audio& audio);

/// What the report beside the sound holds.
nlohmann::json report_of(const Scene& scene, const Baked& baked, const Motion& motion, const Rendered& rendered,
                         const SoundLevels& levels, double gain_db);

/// Whether a file is such a report, so that another may replace it.
bool is_report(const std::filesystem::path& path);

}  // namespace clangor
