// Solids: what a scene may say of one.
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/scene/mesh_source.hpp>
#include <clangor/scene/record.hpp>
#include <clangor/scene/supports.hpp>

#include <optional>
#include <string>
#include <vector>

namespace clangor::scene {

enum class Elements { Quadratic, Linear };

/// How a surface turns vibration into sound. Compact: every patch is a small source. Transfer: the sound field of each
/// mode around the body, solved for. Auto: compact for drafts, transfer otherwise.
enum class Radiation { Auto, Compact, Transfer };

/// What is kept of a mode's sound field. Complex: loudness, phase and delay. Magnitude: loudness and delay.
enum class RadiationPhase { Complex, Magnitude };

/// How a solid is meshed and held, and which of its modes are kept.
struct SolidOptions {
    Parts parts = Parts::Auto;  ///< what becomes of pieces that lie apart
    double thickness = 0;       ///< of sheets and of walls without any; 0: a hundredth of the longest side [m]
    double edge_length = 0;     ///< largest tetrahedron edge; 0: chosen from size and wall thickness [m]
    double refinement = 1;      ///< with edge_length 0: divides the chosen length
    Elements elements = Elements::Quadratic;
    double min_hz = 20;
    double max_hz = 20e3;
    int max_modes = 0;                   ///< the lowest so many; 0: all up to max_hz
    std::vector<Support> supports = {};  ///< what holds it; none: it is free
};

/// Auto: simulated, unless nothing in the scene calls for motion (see is_still).
enum class Moves { Auto, Simulated, Fixed };

/// An elastic body that rings.
struct Solid {
    std::string name = {};
    MeshSource mesh = {};
    Material material = {};
    Vec3 position = Vec3::Zero();      ///< of the body frame's origin [m]
    Vec3 rotation_deg = Vec3::Zero();  ///< about the world's x axis, then its y axis, then its z axis
    double scale = 1;                  ///< metres per unit of the mesh
    double size = 0;                   ///< length of the longest side instead of a scale; 0: the scale holds [m]
    Moves moves = Moves::Auto;
    Vec3 velocity = Vec3::Zero();           ///< of the centre of mass at the start [m/s]
    Vec3 spin_deg = Vec3::Zero();           ///< angular velocity at the start, about the world's axes [°/s]
    std::filesystem::path trajectory = {};  ///< a file that moves it, instead of the simulation; "" for none
    std::optional<Vec3> hangs_at = {};  ///< a point of the body frame that stays where it is at the start: a string [m]
    double friction = from_material;
    double restitution = from_material;
    bool silent = false;             ///< it moves and is hit, but neither bakes nor sounds
    bool acceleration_noise = true;  ///< the click of its sudden accelerations is heard, beside its ringing
    SolidOptions options = {};
    Radiation radiation = Radiation::Auto;
    RadiationPhase radiation_phase = RadiationPhase::Complex;
};

/// Takes body coordinates [m] to world coordinates [m] at the start: R = R_z R_y R_x (extrinsic x-y-z), then the
/// position.
Eigen::Isometry3d world_from_body(const Solid& solid);

/// Its keys in a scene file.
Record record_of(Solid& solid);

/// How it is baked, moves and sounds: objects/solid.
SoundingObject sounding(const Solid& solid, BakeContext& context);

/// Solids of one shape and material, whatever their size: what is baked of one serves the others.
std::string bakes_after(const Solid& solid, const BakeContext& context);

/// Whether contacts leave it in its place: it is fixed, or held by supports.
bool is_fixed(const Solid& solid);

/// Whether it says how it moves: by moves, velocity, spin, a trajectory or a string.
bool asks_for_motion(const Solid& solid);

}  // namespace clangor::scene
