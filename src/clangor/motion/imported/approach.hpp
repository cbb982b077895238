// What recorded poses tell about a moment between them: how fast a point was moving, and how far off it may be.
#pragma once

#include <clangor/motion/record/record.hpp>

namespace clangor {

/// The velocity along `direction` (unit, in the world) of a point of the body just before `time`: from the recorded
/// poses up to then, never from one after it, which the impact has changed already [m/s]. Where the poses are coarse,
/// the speed is carried forward with the acceleration of the last two intervals; where those tell of an impact in
/// between, the greater of the two holds. Zero where the body has not moved yet, or no more.
double speed_before(const Trajectory& path, double time, const Vec3& point_body, const Vec3& direction);

/// How far the point may be from where the interpolated pose has it: a bounce between two frames is rounded off. As far
/// as the point goes within the interval, at the speed of this or a neighbouring one; zero at a recorded pose [m].
double play_at(const Trajectory& path, double time, const Vec3& point_body);

}  // namespace clangor
