// Boxes about what the segments of a chain sweep over, and what they may meet.
#pragma once

#include <clangor/motion/capsules/capsules.hpp>

#include <utility>
#include <vector>

namespace clangor::capsules {

/// A heap of boxes: node 1 is about all, nodes 2k and 2k + 1 about the halves of node k, as many leaves as the next
/// power of two; those behind the last segment are empty. Chains keep neighbours together, so nothing is sorted.
using BoxTree = std::vector<Eigen::AlignedBox3d>;

int segments_of(const CapsuleChain& chain);

/// Before and after the step, with half the margin about it.
void fit(BoxTree& tree, const CapsuleChain& chain, double margin);

/// Segments whose boxes overlap, the first of each pair of `a`, the second of `b`; of one tree, each pair once.
void overlaps(const BoxTree& a, const BoxTree& b, std::vector<std::pair<int, int>>& pairs);
void own_overlaps(const BoxTree& tree, std::vector<std::pair<int, int>>& pairs);

/// Segments whose boxes come within `reach` of a point.
void near_point(const BoxTree& tree, const Vec3& point, double reach, std::vector<int>& segments);

}  // namespace clangor::capsules
