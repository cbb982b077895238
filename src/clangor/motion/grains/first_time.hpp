// When what falls first reaches something that does not. Internal to motion/grains.
#pragma once

#include <clangor/motion/grains/ball.hpp>

#include <array>

namespace clangor::grains {

/// x(t) = x + v t + ½ a t².
struct Fall {
    Vec3 x, v, a;
    Vec3 at(double t) const { return x + t * v + 0.5 * t * t * a; }
    Vec3 velocity(double t) const { return v + t * a; }
};

/// The first t ≥ 0 from which on s + v t + ½ a t² ≤ 0 falls. Where it is below 0 from the start (what rounding left of
/// a contact, or another side of a wall), that is as soon as it falls.
double falls_below_zero(double s, double v, double a);

/// Times before `end` from which on |x(t)|² ≤ distance² and falls, ascending; two at most   docs/theory/grains.md.
/// A quartic: its roots are separated by those of its derivatives.
struct Times {
    std::array<double, 2> at;
    int count = 0;
};
Times comes_within(const Fall& fall, double distance, double end);

}  // namespace clangor::grains
