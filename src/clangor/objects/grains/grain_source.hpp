// What files say of the grains of an object. Internal to objects/grains.
#pragma once

#include <clangor/motion/grain_databank/grain_databank.hpp>
#include <clangor/objects/objects.hpp>

#include <memory>
#include <variant>
#include <vector>

namespace clangor {

/// They are simulated.
struct FilledIn {};

/// Their collisions are known.
using KnownCollisions = std::shared_ptr<const io::CollisionList>;

/// An animation, and how grains of their kind meet.
struct Animated {
    std::vector<io::FlowFrame> particles = {};
    io::FlowGrid grid = {};  ///< instead of particles
    GrainDatabank databank = {};
};
using AnimatedPtr = std::shared_ptr<const Animated>;

using GrainSource = std::variant<FilledIn, KnownCollisions, AnimatedPtr>;

/// Reads what the scene names. Animations want a databank, which is taught where the cache has none.
GrainSource source_of(const scene::Grains& grains, BakeContext& context, std::vector<std::string>& warnings);

}  // namespace clangor
