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
#include <clangor/radiation/acceleration/acceleration.hpp>
#include <clangor/radiation/transfer/transfer.hpp>
#include <clangor/scene/scene.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace clangor {

/// Draft: coarser meshes, compact radiation. Reference: finer meshes, radiation by boundary elements, oscillators in
/// double.
enum class Quality { Draft, Standard, Reference };

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

struct BakedObject {
    /// equal objects share one; none for a ground and for silent objects
    std::shared_ptr<const io::BakedSolid> model = {};
    /// the sound fields of the model's modes; none where they are compact
    std::shared_ptr<const ModalTransfer> transfer = {};
    /// the click of its accelerations; none where it is not heard
    std::shared_ptr<const AccelerationNoise> noise = {};
    bool from_cache = false;
    double seconds = 0;  ///< that it took to bake or to load
};

/// One entry for each object of the scene, in its order.
struct Baked {
    std::vector<BakedObject> objects;
    std::vector<std::string> warnings;
};

/// All that a render would refuse, as far as it can be told without baking or simulating: files that hold no mesh,
/// path, impacts or ears, bodies without volume, strikes that miss, listeners inside of objects or nearer to one that
/// is hit than its click is known. Reads the files that the scene names, but no mesh whose model is in `known`:
/// fractions of a second for most scenes.
std::vector<SceneProblem> problems_of(const Scene& scene, const Baked& known = {});

/// Everything slow. Each model is stored as soon as it is ready, so a bake that is stopped goes on where it was.
Baked bake(const Scene& scene, const BakeOptions& options, const Progress& progress = {});

/// One model, from a surface as it was read (in metres). Throws, before it has begun, if it would take more than
/// `memory`, which is that of BakeOptions.
io::BakedSolid bake_solid(const std::string& name, const Surface& surface, const Material& material,
                          const scene::SolidOptions& options, const Progress& progress = {}, double memory = 0);

/// A length as people say it: "6.1 m", "85 mm".
std::string length_text(double length);

/// "6.1 × 5.3 × 3 m".
std::string size_text(const Surface& surface);

/// Nothing for bodies of 3 mm to 3 m. Otherwise "6.1 m long: if its mesh is in millimetres its scale is 0.001 (6.1 mm),
/// …", with the units that would give it an ordinary size; `scale` is the one it has.
std::string unit_remark(const Surface& surface, double scale);

/// The click of one body. A ball's is known in closed form; others take a wave simulation, seconds to a minute.
io::BakedNoise bake_noise(const std::string& name, const Surface& surface, const Material& material, const Air& air,
                          Quality quality, const AccelerationResume& resume = {}, const Progress& progress = {},
                          double memory = 0);

/// The sound fields of a model's modes. Seconds to minutes; for reference quality, minutes to hours.
io::BakedTransfer bake_radiation(const io::BakedSolid& model, const Air& air, Quality quality,
                                 const TransferResume& resume = {}, const Progress& progress = {}, double memory = 0);

/// The same, found in the cache or kept there; a bake that was stopped goes on where it was.
struct CachedRadiation {
    std::shared_ptr<const ModalTransfer> transfer = {};
    bool from_cache = false;
    std::vector<std::string> messages = {};  ///< about the bake
    std::string cache_warning = {};          ///< a damaged entry, or why nothing could be kept
};
CachedRadiation cached_radiation(const io::BakedSolid& model, const Air& air, const BakeOptions& options,
                                 const Progress& progress = {});

/// What its own sound takes from each mode of an object, as a part of critical damping: from its sound fields where it
/// has them, else estimated by its compact sources (docs/theory/compact-radiation.md says how well).
Eigen::VectorXd radiation_damping_of(const BakedObject& object, const Air& air);

/// The surface of a file or a shape, in metres.
Surface surface_of_source(const scene::MeshSource& source, double scale);

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
void write_motion(const std::filesystem::path& path, const Scene& scene, const Motion& motion, double frame_rate);

/// One picture a mode of every object whose sound fields are known: loudness over all directions at a distance, +y at
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
    /// Sound is made in windows of so many frames, 22 s at 48 kHz: memory does not grow with the duration, and the
    /// samples do not depend on it. A multiple of 64.
    long window_frames = 1L << 20;
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
    Audio audio;  ///< one or more channels a listener [Pa]
    std::vector<ListenerChannels> listeners;
    std::vector<Stem> stems;
    long impacts = 0;  ///< heard: scripted strikes and blows of the motion
    std::vector<std::string> warnings;
    double seconds = 0;  ///< of synthesis
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
