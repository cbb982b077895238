// Bodies that approach each other and, by their meshes, just do not touch.
#pragma once

#include <clangor/motion/rigid/rigid.hpp>

namespace clangor::rigid {

/// The velocity of a point of a body when its path begins, in the world [m/s].
Vec3 velocity_at(const RigidBody& body, const Vec3& at);

/// Moves those of the first `movers` bodies that approach something faster than `slowest`, and would miss it by up to
/// touch_gap, to where they meet it at a time [s]. True if there are any.
bool bring_together(RigidWorld& world, std::size_t movers, double time, double slowest);

}  // namespace clangor::rigid
