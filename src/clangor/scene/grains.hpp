// Grains: what a scene may say of them.
#pragma once

#include <clangor/material/material.hpp>
#include <clangor/scene/mesh_source.hpp>
#include <clangor/scene/record.hpp>

#include <filesystem>
#include <string>

namespace clangor::scene {

/// Where grains are at the start: anywhere in a box, or in the upright cylinder that fits into it, where nothing is.
struct GrainRegion {
    Vec3 position = Vec3::Zero();  ///< of its middle [m]
    Vec3 size = Vec3::Zero();      ///< along the axes [m]
    bool round = false;            ///< the cylinder
    bool settled = false;          ///< they have come to rest; otherwise they hang where they are
    /// Height of a floor that holds them until time 0 only; NaN: none [m].
    double stopper = from_material;
};

/// Balls by the thousand: beads, sugar, sand. They meet each other and everything else, and move nothing. They are
/// filled in and simulated, or one of the files says what they do.
struct Grains {
    std::string name = {};
    Material material = {};
    double radius = 0.001;  ///< mean [m]
    double spread = 0;      ///< radii are uniform within this part of it
    int count = 0;
    GrainRegion fill = {};
    Vec3 velocity = Vec3::Zero();           ///< of all, at the start [m/s]
    std::filesystem::path collisions = {};  ///< a list of them from another simulator
    std::filesystem::path particles = {};   ///< places and velocities, frame by frame, of an animation
    std::filesystem::path grid = {};        ///< fills and velocities, frame by frame, of an animation
    double grains_per_particle = 1;
    bool sampled = false;  ///< collisions are drawn from their densities
    double friction = from_material;
    double restitution = from_material;
};

/// Their keys in a scene file.
Record record_of(Grains& grains);

/// How they move and sound: objects/grains.
SoundingObject sounding(const Grains& grains, BakeContext& context);

/// They fall.
inline bool asks_for_motion(const Grains&) { return true; }

}  // namespace clangor::scene
