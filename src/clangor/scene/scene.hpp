/// @file scene.hpp — what sounds, what strikes it, and who listens: the description that everything starts from.
/// Model     a body's frame is its mesh's frame after scaling [m]; world = rotation · body + position
/// In        nothing: io reads a scene from a file, and a program may fill one in.
/// Out       Scene: render makes its sound.
/// Not here  files and their checks (io), meshes and modes (geometry, vibration), contact forces over time (motion).
///
///     const Scene scene{.duration = 2,
///                       .objects = {scene::Solid{.name = "bowl", .mesh = Bowl{},
///                                                .material = *find_material("glass")}},
///                       .strikes = {{.object = "bowl", .at = {0.08, 0.05, 0}, .impulse = {-0.01, 0, 0}}},
///                       .listeners = {{.name = "mic", .position = {0, 0.5, 1}}}};
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/geometry/geometry.hpp>
#include <clangor/listening/listening.hpp>
#include <clangor/material/material.hpp>
#include <clangor/motion/contact/contact.hpp>
#include <clangor/scene/mallet.hpp>
#include <clangor/scene/object.hpp>
#include <clangor/scene/record.hpp>

#include <Eigen/Geometry>

#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace clangor::scene {

/// What a listener hears that comes nearer to a body than its sound field is known. Refuse: an error. Clamp: what is
/// heard at the nearest place where it is known.
enum class NearField { Refuse, Clamp };

/// What holds between two objects, instead of what follows from their materials.
struct ContactPair {
    std::string object = {};
    std::string other = {};
    double friction = from_material;
    double restitution = from_material;
};

/// How the scene moves.
struct MotionOptions {
    Vec3 gravity = {0, -9.81, 0};        ///< [m/s²]
    double step_hz = 0;                  ///< of the simulation; 0: chosen from sizes and speeds, 1 to 10 kHz
    double min_approach_speed = 0.05;    ///< slower contacts rest: they make no impact of their own [m/s]
    double roughness = 1;                ///< of surfaces that slide and roll, times the usual; 0: they do so silently
    double contact_damping = 1;          ///< of bodies that rest on others, times the usual; 0: they ring on
    std::filesystem::path impacts = {};  ///< a file of impacts from another program; "" for none
    std::vector<ContactPair> contacts = {};
};

/// One scripted strike: an impulse, or whatever a mallet gives. All of it turns and moves with the object, which it
/// pushes where the object can move.
struct Strike {
    std::string object = {};      ///< the name of what is struck
    double time = 0;              ///< when the contact begins [s]
    Vec3 at = Vec3::Zero();       ///< in the body frame; the closest surface point is struck [m]
    double along = 0;             ///< on a rod instead: so far along it [m]
    Vec3 impulse = Vec3::Zero();  ///< in the body frame; not read where there is a mallet [N·s]
    double contact_time = 2e-4;   ///< of the impulse; 0: instantaneous [s]
    PulseShape shape = PulseShape::Hertz;
    std::optional<Mallet> mallet = {};
};

/// One place of a listener's path.
struct PathPoint {
    double time = 0;               ///< [s]
    Vec3 position = Vec3::Zero();  ///< [m]
};

struct Listener {
    std::string name = {};
    ListenerKind kind = ListenerKind::Mono;
    Vec3 position = Vec3::Zero();  ///< in the world, or in the frame of the object that it is attached to [m]
    Vec3 facing = {0, 0, -1};      ///< the direction of its front; its up is the frame's +y as far as that allows
    std::string attached_to = {};  ///< an object whose frame it moves with; "" for none
    std::filesystem::path trajectory = {};  ///< a file that moves it; "" for none
    std::vector<PathPoint> path = {};       ///< or the places it passes; times ascend
    std::filesystem::path sofa = {};        ///< measured ears for Binaural; "": a spherical head
    double head_radius = 0.0875;            ///< of the spherical head [m]
    NearField near_field = NearField::Refuse;
};

/// Names of objects are unique, and so are those of listeners; every strike names an object.
struct Scene {
    int version = 1;              ///< of the file format
    double duration = 0;          ///< [s]
    double sample_rate = 48'000;  ///< [Hz]
    Air air = {};
    std::uint64_t seed = 0;  ///< of all randomness
    MotionOptions motion = {};
    std::vector<Object> objects = {};
    std::vector<Strike> strikes = {};
    std::vector<Listener> listeners = {};
};

const std::string& name_of(const Object& object);

/// Nothing moves: there are strikes, but no ground, no imported impacts, and no object that says how it moves (by
/// moves, velocity, spin, a trajectory or a string).
bool is_still(const Scene& scene);

/// The scene format, described once: the reader, the JSON schema and the reference page all come from these records.
Record scene_record(Scene& scene);
Record motion_record(MotionOptions& motion);
Record listener_record(Listener& listener);
Record shape_record(Shape& shape);
Record material_record(Material& material);

/// Each kind of shape once, with its default sizes.
std::vector<Shape> every_shape();

/// Of each kind of object, what may not be said of it.
std::vector<KindRules> object_kinds();

}  // namespace clangor::scene

namespace clangor {
using scene::Scene;
}
