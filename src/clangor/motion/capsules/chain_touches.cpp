#include <clangor/motion/capsules/chain_touches.hpp>
#include <clangor/motion/capsules/features.hpp>

#include <algorithm>
#include <cmath>

namespace clangor::capsules {
namespace {

struct Nearest {
    NearestOnSegments at;
    Vec3 between = Vec3::Zero();  ///< from the second to the first
};

struct SegmentsInMotion {
    const CapsuleChain *a, *b;
    int i, j;

    Vec3 first(double along, double time) const { return place_at(*a, i, along, time); }
    Vec3 second(double along, double time) const { return place_at(*b, j, along, time); }
    Vec3 between(const NearestOnSegments& at, double time) const {
        return first(at.first, time) - second(at.second, time);
    }
    Nearest nearest(double time) const {
        const NearestOnSegments at =
            nearest_on_segments(first(0, time), first(1, time), second(0, time), second(1, time));
        return {at, between(at, time)};
    }

    // No two of their points approach each other by more over the step.
    double largest_approach() const {
        double largest = 0;
        for (const double u : {0.0, 1.0})
            for (const double v : {0.0, 1.0})
                largest = std::max(largest, (first(u, 1) - first(u, 0) - second(v, 1) + second(v, 0)).norm());
        return largest;
    }
};

// The first moment at which they touch, stepping on by what they can surely not have used up; 1 where they never do.
double moment_of_touch(const SegmentsInMotion& pair, double reach, double approach) {
    double time = 0;
    for (int round = 0; round < 100 && time < 1; ++round) {
        const double gap = pair.nearest(time).between.norm() - reach;
        if (gap <= 1e-3 * reach) return time;
        time += gap / approach;
    }
    return std::min(time, 1.0);
}

// A place that is an end but for the pull to the middle is the end: its two segments then agree on it.
double snapped(double along) {
    constexpr double pull = 1e-3;
    return along < pull ? 0.0 : along > 1 - pull ? 1.0 : along;
}

// Whether the chain comes nearer beyond the end of a segment that a place lies on: then the place is no minimum.
bool nearer_beyond(const CapsuleChain& chain, int segment, double along, const Vec3& towards) {
    if (0 < along && along < 1) return false;
    const int points = int(chain.after.rows()), here = along >= 1 ? segment + 1 : segment;
    const int beyond = along >= 1 ? segment + 2 : segment - 1;
    if (!chain.closed && (beyond < 0 || beyond >= points)) return false;
    const auto point = [&](int k) -> Vec3 { return chain.after.row((k + points) % points); };
    const Vec3 onwards = point(beyond) - point(here);
    return onwards.dot(towards) > 1e-6 * onwards.norm() * towards.norm();
}

}  // namespace

std::optional<CapsuleTouch> touch_of(std::span<const CapsuleChain> chains, const SegmentPair& pair, double margin) {
    const CapsuleChain &a = chains[size_t(pair.first_chain)], &b = chains[size_t(pair.second_chain)];
    const SegmentsInMotion moving{&a, &b, pair.first, pair.second};
    const double reach = a.radius + b.radius;
    double time = 1;
    Nearest nearest = moving.nearest(time);
    const double approach = moving.largest_approach();
    if (nearest.between.norm() > reach + margin + approach) return std::nullopt;

    // Where their axes may have crossed, or passed each other by, the end of the step does not tell the side on which
    // they met: the moment of their touch does.
    const Nearest earlier = moving.nearest(0);
    if (approach > 0.5 * std::min(earlier.between.norm(), reach)) {
        time = moment_of_touch(moving, reach, approach);
        nearest = moving.nearest(time);
    }
    nearest.at = {snapped(nearest.at.first), snapped(nearest.at.second)};
    nearest.between = moving.between(nearest.at, time);
    if (nearest.between.norm() == 0) nearest.between = earlier.between;
    const double length = nearest.between.norm();
    const Vec3 normal = length > 0 ? Vec3(nearest.between / length) : Vec3::UnitY();
    const double gap = normal.dot(moving.between(nearest.at, 1)) - reach;
    if (gap > margin) return std::nullopt;
    if (nearer_beyond(a, pair.first, nearest.at.first, -nearest.between) ||
        nearer_beyond(b, pair.second, nearest.at.second, nearest.between))
        return std::nullopt;
    return CapsuleTouch{
        .first = {pair.first_chain, pair.first, nearest.at.first},
        .second = {pair.second_chain, pair.second, nearest.at.second},
        .normal = normal,
        .point = moving.first(nearest.at.first, 1) - (a.radius + 0.5 * gap) * normal,
        .gap = gap,
        .gap_before = normal.dot(moving.between(nearest.at, 0)) - reach,
        .key = key_of(pair.first_chain, feature_of(a, pair.first, nearest.at.first), pair.second_chain,
                      feature_of(b, pair.second, nearest.at.second)),
    };
}

}  // namespace clangor::capsules
