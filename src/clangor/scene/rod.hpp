// Rods: what a scene may say of one.
#pragma once

#include <clangor/geometry/geometry.hpp>
#include <clangor/material/material.hpp>
#include <clangor/scene/mesh_source.hpp>
#include <clangor/scene/record.hpp>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace clangor::scene {

/// A straight rod along x from the origin.
struct StraightCurve {
    double length = 0.3;  ///< [m]
};

/// A coil about the x axis: it begins at the origin, its axis is below it.
struct HelixCurve {
    double radius = 0.03;  ///< of the coil, to the middle of the wire [m]
    double pitch = 0.005;  ///< from turn to turn [m]
    double turns = 10;
};

/// A closed ring about the z axis.
struct RingCurve {
    double radius = 0.05;  ///< [m]
};

/// A spiral about the z axis, from its inner end.
struct SpiralCurve {
    double inner_radius = 0.02;  ///< [m]
    double outer_radius = 0.07;  ///< [m]
    double turns = 4;
};

/// Places in order, or a file of them.
struct PointsCurve {
    std::vector<Vec3> points = {};    ///< [m]
    std::filesystem::path file = {};  ///< instead
};

using RodCurve = std::variant<PointsCurve, StraightCurve, HelixCurve, RingCurve, SpiralCurve>;

/// Clamped: neither moves nor turns. Pinned: stays, but may turn. Spring: is pulled back.
enum class RodHoldKind { Clamped, Pinned, Spring };

/// What holds a rod, so far along it.
struct RodHold {
    RodHoldKind kind = RodHoldKind::Clamped;
    double at = 0;         ///< along the rod [m]
    double stiffness = 0;  ///< of a spring, in every direction [N/m]
    double damping = 0;    ///< of a spring [N s/m]
};

/// A force that holds a rod bent at the start, and lets it go.
struct RodPull {
    double at = 0;              ///< along the rod [m]
    Vec3 force = Vec3::Zero();  ///< in the rod's own frame [N]
    double until = 0;           ///< when it lets go [s]
};

/// Auto: as everything else, where anything in the scene moves.
enum class RodGravity { Auto, On, Off };

/// A thin elastic rod: it bends, twists and stretches as far as it likes.
struct Rod {
    std::string name = {};
    RodCurve curve = {};
    bool closed = false;  ///< the last point joins the first
    int count = 0;        ///< of control points; 0: as its waves need
    Section section = CircleSection{};
    Vec3 section_x = Vec3::Zero();  ///< where the section's x axis points at the start of the rod; zero: anywhere
    Material material = {};
    Vec3 position = Vec3::Zero();      ///< of its frame's origin [m]
    Vec3 rotation_deg = Vec3::Zero();  ///< about the world's x axis, then its y axis, then its z axis
    Vec3 velocity = Vec3::Zero();      ///< at the start [m/s]
    Vec3 spin_deg = Vec3::Zero();      ///< at the start, about its centre and the world's axes [°/s]
    std::vector<RodHold> supports = {};
    std::vector<RodPull> pulls = {};
    double stretched_by = 0;  ///< how far its ends are pulled apart at the start [m]
    bool shear = false;
    double damping_hz = 1000;  ///< where damping is that of the material
    double friction = from_material;
    double restitution = from_material;
    double contact_stiffness = from_material;  ///< K of F = Kδ^{3/2}; 0: rigid; NaN: from the materials [N/m^{3/2}]
    bool touches = true;                       ///< other things, other rods and itself
    RodGravity gravity = RodGravity::Auto;
    double steps_per_second = 0;  ///< 0: four times the scene's sample rate
};

/// Its keys in a scene file.
Record record_of(Rod& rod);

/// How it is baked, moves and sounds: objects/rod.
SoundingObject sounding(const Rod& rod, BakeContext& context);

/// Whether it says how it moves.
bool asks_for_motion(const Rod& rod);

}  // namespace clangor::scene
