// A point that beeps: the smallest kind of object, which docs/howto/add-an-object-kind.md walks through.
#pragma once

#include <clangor/scene/record.hpp>

#include <functional>
#include <string>

namespace clangor::scene {

/// A point that makes the same tone in all directions, once.
struct Beeper {
    std::string name = {};
    Vec3 position = Vec3::Zero();  ///< [m]
    double hz = 1000;              ///< of its tone
    double amplitude = 1;          ///< of the pressure, 1 m away [Pa]
    double start = 0;              ///< [s]
    double duration = 0.1;         ///< [s]
};

/// Its keys in a scene file.
Record record_of(Beeper& beeper);

/// How it is baked, moves and sounds: objects/beeper.
SoundingObject sounding(const Beeper& beeper, BakeContext& context);

/// What tests of the pipeline want to happen while one is baked.
inline std::function<void(const Beeper& beeper, const BakeContext& context)> while_baking = {};

/// It stays where it is.
inline bool asks_for_motion(const Beeper&) { return false; }

}  // namespace clangor::scene
