// Touches of segments with segments, and of chains with shapes.
#pragma once

#include <clangor/motion/capsules/capsules.hpp>

#include <optional>
#include <vector>

namespace clangor::capsules {

struct SegmentPair {
    int first_chain = 0, first = 0, second_chain = 0, second = 0;
};

/// None where they stay apart, or where a neighbour of one of them is nearer to the other.
std::optional<CapsuleTouch> touch_of(std::span<const CapsuleChain> chains, const SegmentPair& pair, double margin);

/// Of one chain with one shape; `near` names segments that may touch it, for shapes that end somewhere.
void shape_touches(std::span<const CapsuleChain> chains, int chain, const MovingShape& shape, int shape_number,
                   std::span<const int> near, double margin, std::vector<CapsuleTouch>& touches);

}  // namespace clangor::capsules
