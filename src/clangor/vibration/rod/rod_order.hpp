// Which row of the band belongs to which unknown. Internal to rod.
#pragma once

#include <clangor/vibration/rod/rod.hpp>

#include <algorithm>

namespace clangor::rods {

/// Open rods go from end to end, a point a block. Closed ones are laid double: points i and n − 1 − i share a block, so
/// that those that touch are never farther apart than two blocks.
struct RodOrder {
    long points = 0;
    int per_point = 4;
    bool closed = false;

    explicit RodOrder(const RodPlan& plan) : points(plan.points), per_point(plan.per_point), closed(plan.closed) {}
    int block() const { return closed ? 2 * per_point : per_point; }
    long blocks() const { return closed ? (points + 1) / 2 : points; }
    long row(long point, int unknown) const {
        if (!closed) return point * per_point + unknown;
        const long wrapped = (point + points) % points, other = points - 1 - wrapped;
        return std::min(wrapped, other) * block() + (wrapped > other ? per_point : 0) + unknown;
    }
};

}  // namespace clangor::rods
