/// @file scene.hpp — what sounds, what strikes it, and who listens: the description that everything starts from.
/// Model     a body's frame is its mesh's frame after scaling [m]; world = rotation · body + position
/// In        nothing: io reads a scene from a file, and a program may fill one in.
/// Out       Scene: render makes its sound.
/// Not here  files and their checks (io), meshes and modes (geometry, vibration), contact forces over time (motion).
///
///     const Scene scene{.duration = 2,
///                       .objects = {scene::Solid{.name = "bowl", .mesh = Bowl{}, .material = *find_material("glass")}},
///                       .strikes = {{.object = "bowl", .at = {0.08, 0.05, 0}, .impulse = {-0.01, 0, 0}}},
///                       .listeners = {{.name = "mic", .position = {0, 0.5, 1}}}};
#pragma once

#include <clangor/core/core.hpp>
#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/motion/contact/contact.hpp>

#include <Eigen/Geometry>

#include <cstdint>
#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace clangor::scene {

/// A mesh file, or a procedural shape.
using MeshSource = std::variant<std::filesystem::path, Shape>;

enum class Elements { Quadratic, Linear };

/// How a surface turns vibration into sound. Compact: every patch is a small source.
enum class Radiation { Compact };

/// How a solid is meshed and which of its modes are kept.
struct SolidOptions {
    double edge_length = 0;  ///< largest tetrahedron edge; 0: chosen from size and wall thickness [m]
    double refinement = 1;   ///< with edge_length 0: divides the chosen length
    Elements elements = Elements::Quadratic;
    double min_hz = 20;
    double max_hz = 20e3;
    int max_modes = 0;  ///< the lowest so many; 0: all up to max_hz
};

/// An elastic body that rings.
struct Solid {
    std::string name = {};
    MeshSource mesh = {};
    Material material = {};
    Vec3 position = Vec3::Zero();      ///< of the body frame's origin [m]
    Vec3 rotation_deg = Vec3::Zero();  ///< about the world's x axis, then its y axis, then its z axis
    double scale = 1;                  ///< metres per unit of the mesh
    SolidOptions options = {};
    Radiation radiation = Radiation::Compact;
};

/// Everything that can stand in a scene.
using Object = std::variant<Solid>;

/// One scripted blow. The point and the impulse turn and move with the object.
struct Strike {
    std::string object = {};      ///< the name of what is struck
    double time = 0;              ///< when the contact begins [s]
    Vec3 at = Vec3::Zero();       ///< in the body frame; the closest surface point is struck [m]
    Vec3 impulse = Vec3::Zero();  ///< in the body frame [N·s]
    double contact_time = 2e-4;   ///< a hard mallet's; 0: instantaneous [s]
    PulseShape shape = PulseShape::Hertz;
};

enum class ListenerKind { Mono };

struct Listener {
    std::string name = {};
    ListenerKind kind = ListenerKind::Mono;
    Vec3 position = Vec3::Zero();  ///< [m]
};

/// Names of objects are unique, and so are those of listeners; every strike names an object.
struct Scene {
    int version = 1;              ///< of the file format
    double duration = 0;          ///< [s]
    double sample_rate = 48'000;  ///< [Hz]
    Air air = {};
    std::uint64_t seed = 0;  ///< of all randomness
    std::vector<Object> objects = {};
    std::vector<Strike> strikes = {};
    std::vector<Listener> listeners = {};
};

const std::string& name_of(const Object& object);

/// Takes body coordinates [m] to world coordinates [m]: R = R_z R_y R_x (extrinsic x-y-z), then the position.
Eigen::Isometry3d world_from_body(const Solid& solid);

}  // namespace clangor::scene

namespace clangor {
using scene::Scene;
}
