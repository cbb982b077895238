/// @file objects.hpp — kinds of objects: all that render knows of any of them.
/// Model     A kind is a struct in scene/, with its record, and one folder beside this file. The one function that it
///           gives is declared beside its struct: SoundingObject sounding(const scene::Solid&, BakeContext&).
///           Objects are baked side by side. A kind of which one bake serves several may also declare
///           std::string bakes_after(const scene::Solid&, const BakeContext&): equal texts are baked in turn.
/// In        the scene's structs, and a BakeContext: quality, air, cache, and what equal objects share.
/// Out       SoundingObject: how it moves, what contacts do to it, what it emits.
/// Not here  what any kind does (objects/solid, …), the pipeline (render). docs/howto/add-an-object-kind.md
///
///     const SoundingObject bowl = sounding(solid, context);
///     const std::vector<Emitter> emitters = bowl.emitters(excitation, emission, warnings);
#pragma once

#include <clangor/io/io.hpp>
#include <clangor/motion/contact/contact.hpp>
#include <clangor/motion/rigid/rigid.hpp>
#include <clangor/objects/body.hpp>
#include <clangor/objects/meshes.hpp>
#include <clangor/objects/quality.hpp>
#include <clangor/objects/shared.hpp>
#include <clangor/objects/sound_path.hpp>
#include <clangor/objects/units.hpp>
#include <clangor/vibration/oscillator/oscillator.hpp>

#include <nlohmann/json_fwd.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace clangor {

/// How an object gives way under a contact, beside moving as a whole: its modes.
struct ModalMobility {
    Eigen::VectorXd omega;  ///< [rad/s]
    /// uᵀJ of each mode at a point of the body's surface [N·s·kg^-1/2]
    std::function<Eigen::VectorXd(const ContactPoint& contact, const Vec3& impulse)> modal_impulse;
    Eigen::VectorXd xi = {};  ///< of the body alone, without air and what it touches; empty: 0
    bool is_coupled = false;  ///< modes move together: contacts are told how they were followed
};

/// What motion does to one object, and where it is meanwhile.
struct Excitation {
    std::vector<ModalImpulse> impulses = {};  ///< per mode of its mobility
    std::vector<ContactPulse> pulses = {};    ///< where its accelerations are heard, by time
    std::vector<DampingKnot> damping = {};    ///< xi is what is added to the material's; empty: it never rests
    const Trajectory* path = nullptr;         ///< outlives the emitters
};

/// What an object sends along one path, piece by piece: `next` fills the samples from `first` on, which follow those
/// of the call before, and are whole blocks of the resonators or all that are left.
struct Emission {
    std::function<void(long first, std::span<float> out)> next;
    std::function<bool()> over;  ///< nothing will follow
    bool is_near = false;        ///< heard from nearer than the sound is known
};

/// What is known of a sound once it has been made.
struct SoundAccount {
    std::vector<std::pair<std::string, double>> figures = {};  ///< for the report
    std::vector<std::string> warnings = {};                    ///< whole sentences, with the object's name
};

/// Something that sounds.
struct Emitter {
    std::string mechanism;             ///< the stem: "modal", "acceleration"
    const Trajectory* path = nullptr;  ///< where it is
    Vec3 centre = Vec3::Zero();        ///< in the frame that moves along the path: delays are counted from here [m]
    /// Pressure towards one path, over emission time, undelayed; none: it is silent. Paths are asked for in parallel.
    std::function<Emission(const SoundPath& path)> emission = {};
    std::string near_warning = {};               ///< about a listener, whose name stands before it: "is within …"
    std::function<SoundAccount()> account = {};  ///< asked for when all of it has been heard; none: nothing to say
};

/// How the emitters of a rendering sound.
struct EmissionContext {
    double sample_rate = 48000;
    double duration = 0;  ///< of the sound [s]
    long frames = 0;      ///< that are emitted: a little longer
    Air air = {};
    QualitySettings settings = {};
    Shared shared = {};  ///< by equal objects
};

/// Sound that is not known nearer than this.
struct NearLimit {
    Vec3 centre = Vec3::Zero();  ///< in the body frame [m]
    double known_from = 0;       ///< from the centre [m]
    std::string sound = {};      ///< as users call it: "click"
    std::string advice = {};     ///< what to do about it
};

struct SoundingObject;

/// Another object, as one sees it that moves by itself.
struct Neighbour {
    int object = -1;                           ///< in the scene
    const SoundingObject* sounding = nullptr;  ///< its body, collision shape and material
    const Trajectory* path = nullptr;          ///< how it moves
    bool gives_way = false;                    ///< what pushes it changes its path
    std::vector<Push> felt = {};               ///< what its path knows already of what this object does to it
};

/// What an object that moves by itself does to others. Of each impact and touch the first side is the other's, the
/// second its own; touches are short, long ones a row of them.
struct OwnMotion {
    std::vector<Impact> impacts = {};
    std::vector<Touch> touches = {};
    std::vector<std::string> warnings = {};  ///< whole sentences, with its name
};

/// One of those that are moved by one call.
struct MovedTogether {
    int object = -1;  ///< in the scene
    const SoundingObject* sounding = nullptr;
    std::vector<const scene::Strike*> strikes = {};  ///< on it
};

/// Among which things an object moves by itself, and for how long.
struct Surroundings {
    int self = -1;                             ///< its number in the scene
    std::vector<MovedTogether> together = {};  ///< itself first, and all that it moves with
    std::vector<Neighbour> neighbours = {};    ///< all that can be touched
    std::span<const RigidPair> pairs = {};     ///< of objects with a friction or restitution of their own
    double min_approach_speed = 0.05;          ///< contacts slower than this are touches, not impacts [m/s]
    Vec3 gravity = {0, -9.81, 0};              ///< [m/s²]
    double duration = 0;                       ///< from time 0 on [s]
    double heard = 0;                          ///< of that; what comes later only tells how contacts end [s]
    double sample_rate = 48000;                ///< of the sound that is made of it [Hz]
    std::uint64_t seed = 0;
};

/// An object of the scene. What is left empty it does not have.
struct SoundingObject {
    std::string name = {};
    std::shared_ptr<const Body> body = {};  ///< none: it has no surface of its own
    /// How it moves as one body, but for its path and shape; none: it moves by itself, or not at all.
    std::optional<RigidBody> rigid = {};
    bool is_movable = false;         ///< otherwise fixed: contacts do not push it
    bool must_be_simulated = false;  ///< the scene says so
    /// Its body is one of many alike, each too light to feel how others give way: no contact goes on with another, and
    /// each is a pulse of the impulse that motion says.
    bool is_one_of_many = false;
    /// Of the rigid body, made when motion asks for it, since it takes long; `shape_source` tells what it is made of.
    std::function<CollisionShapePtr()> shape = {};
    std::string shape_source = {};
    /// Where it is over time, as far as the scene says: its trajectory, or its pose at the start.
    std::function<io::ImportedPath()> path = {};
    /// It moves by itself: rods, grains. Keeps what its emitters need, and is asked again where what it does to others
    /// changes how they move; the last time counts.
    std::function<OwnMotion(const Surroundings& around, const Progress& progress)> move = {};
    /// Objects of one text, not "", may touch each other: the first one's `move` moves all of them.
    std::string moves_with = {};
    /// As motion files show what moved by itself; none: its collision surface on its path.
    std::function<io::MovingShape()> picture = {};
    /// Whether a scripted strike meets it: throws Error where not; none: its surface tells.
    std::function<void(const scene::Strike& strike)> check_strike = {};
    /// What is wrong with where it and those that it moves with are at the start, among others; whole sentences, with
    /// names.
    std::function<std::vector<std::string>(const Surroundings& around)> check_start = {};
    std::shared_ptr<void> own = {};              ///< what its kind keeps of it: by this they know each other
    std::optional<Reflector> reflector = {};     ///< where it is a floor
    std::optional<ModalMobility> mobility = {};  ///< none: it does not ring
    bool hears_pulses = false;                   ///< its accelerations are heard: it wants ContactPulses
    std::optional<NearLimit> near_limit = {};
    std::shared_ptr<const ModalTransfer> transfer = {};  ///< the sound fields of its modes, for pictures
    /// It vibrates once; its emitters share the result.
    std::function<std::vector<Emitter>(Excitation, const EmissionContext&, std::vector<std::string>& warnings)>
        emitters = {};
    std::function<void(nlohmann::json& entry)> report = {};  ///< what the report says of it, beside its name
    bool from_cache = false;
    double seconds = 0;                      ///< that it took to bake or to load
    std::vector<std::string> warnings = {};  ///< whole sentences, with its name
    std::vector<std::string> problems = {};  ///< what a check found; without its name
};

/// What a bake needs, and what equal objects share. One for all objects of a scene.
struct BakeContext {
    Air air = {};
    bool still = true;                                   ///< nothing moves in the scene
    bool simulated = false;                              ///< its motion is simulated, not imported
    std::set<std::string, std::less<>> struck = {};      ///< names of the objects that strikes hit
    std::set<std::string, std::less<>> by_mallets = {};  ///< those of them that a mallet hits
    bool check_only = false;  ///< says what is wrong, as far as it can be told without baking, and bakes nothing
    Quality quality = Quality::Standard;
    double memory = 0;  ///< that the work may take; 0: 80 % of what is free [bytes]
    io::Cache cache = {};
    Progress progress = {};  ///< of the object that is baked now
    Meshes meshes = {};
    Shared shared = {};
};

/// "object "bowl"", for messages.
std::string object_named(const std::string& name);

}  // namespace clangor
