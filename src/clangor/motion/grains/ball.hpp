// What a run keeps of a grain: 64 bytes that its neighbours read, and as much again that only its own events do.
// Internal to motion/grains.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdint>
#include <limits>

namespace clangor::grains {

constexpr double never = std::numeric_limits<double>::infinity();

/// Where a ball was at its own time, since when it has been falling freely. One line of the cache.
struct alignas(64) Ball {
    std::array<double, 3> x;  ///< [m]
    double t;                 ///< [s]
    std::array<double, 3> v;  ///< [m/s]
    double r;                 ///< [m]
};

/// Asleep: at rest, and does not fall. Stopped: the same, for a contact time. Gone: escaped, or told to be.
enum class Status : std::uint8_t { Awake, Asleep, Stopped, Gone };

/// The first ball that it would meet. It no longer counts where the other's course has changed since.
struct Meeting {
    double time = never;
    std::int32_t other = -1;
    std::uint32_t turns = 0;  ///< of the other, then
};

/// What comes first of all that is no ball. Codes: 0 to 5 leave the cell, down or up each axis; from `wall` on they
/// hit a part of a wall that stands, −1 and below one that moves.
struct Passing {
    static constexpr std::int32_t look = 6;    ///< look for walls again
    static constexpr std::int32_t resume = 7;  ///< what was stopped goes on
    static constexpr std::int32_t wall = 8;
};

/// The rest of what belongs to a ball.
struct Memory {
    std::array<double, 3> spin = {};      ///< [rad/s]
    double last = -never;                 ///< when it last collided [s]
    std::array<float, 3> anchor = {};     ///< from where it has not moved far …
    std::uint16_t calm = 0;               ///< … for so long before `last` [contact times/4096]
    std::uint16_t crowd_before : 15 = 0;  ///< as `crowd`, of the stretch before
    std::uint16_t lasted : 1 = 0;         ///< its last collision was one of a lasting contact
    std::uint32_t turns = 0;              ///< how often its course has changed
    std::uint16_t crowd = 0;              ///< so many collisions …
    std::uint8_t window = 0;              ///< … in this stretch of time, counted from the start, modulo 256
    std::uint8_t kind = 0;
};
static_assert(sizeof(Memory) == 56);

inline Vec3 vec(const std::array<double, 3>& a) { return {a[0], a[1], a[2]}; }
inline void put(std::array<double, 3>& a, const Vec3& v) { a = {v[0], v[1], v[2]}; }

}  // namespace clangor::grains
