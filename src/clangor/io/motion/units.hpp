// In which units another program wrote its motion, and what that is in ours.
#pragma once

#include <clangor/core/core.hpp>

#include <Eigen/Geometry>

#include <string>
#include <string_view>

namespace clangor::io {

struct MotionUnits {
    double length = 1;       ///< metres in one unit
    double time = 1;         ///< seconds in one unit
    double fps = 0;          ///< frames in a second; 0: not stated
    double first_frame = 0;  ///< the frame at time 0
    bool z_up = false;       ///< Blender's axes instead of ours
};

/// Takes one statement such as fps = 24, unit = cm, time = ms, up = z or start = 1. False: it is about something else.
/// Throws Error at `where` for a value that is not understood.
bool state_unit(MotionUnits& units, std::string_view key, std::string_view value, const std::string& where);

/// "# fps: 24": a comment that may state a unit. A comment about anything else is left alone.
void read_comment(MotionUnits& units, std::string_view comment, const std::string& where);

/// The factor of "cm", "mm/s", "ms", "deg" and so on to SI (angles: to degrees), for the given kind of quantity.
enum class Quantity { Length, Time, Angle, Speed, Impulse, Number };
double factor_of(std::string_view unit, Quantity quantity, const std::string& where);

/// The time of a frame. Throws Error at `where` if the frame rate is not stated.
double time_of_frame(const MotionUnits& units, double frame, const std::string& where);

/// (x, y, z) → (x, z, −y) where z is up: a turn by −90° about x, of positions, directions and bodies alike.
Vec3 y_up(const MotionUnits& units, const Vec3& vector);

/// The same turn of a rotation, seen from both sides: R' = C R Cᵀ, since the body's own axes are turned with the
/// world's.
Eigen::Quaterniond y_up(const MotionUnits& units, const Eigen::Quaterniond& rotation);

/// In lower case, without spaces at its ends.
std::string tidy(std::string_view text);

}  // namespace clangor::io
