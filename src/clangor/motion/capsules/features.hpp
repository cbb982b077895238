// Names of points and insides of segments.
#pragma once

#include <clangor/motion/capsules/capsules.hpp>

namespace clangor::capsules {

/// 2k for point k of a chain, 2k + 1 for the inside of segment k.
inline std::uint64_t feature_of(const CapsuleChain& chain, int segment, double along) {
    if (along <= 0) return 2 * std::uint64_t(segment);
    if (along >= 1) return 2 * std::uint64_t((segment + 1) % int(chain.after.rows()));
    return 2 * std::uint64_t(segment) + 1;
}

/// Chains below 4096, features below 2^20; the second of shapes is chain `4095 − shape`.
inline std::uint64_t key_of(int chain, std::uint64_t feature, int second_chain, std::uint64_t second_feature) {
    return std::uint64_t(chain) << 52 | feature << 32 | std::uint64_t(second_chain) << 20 | second_feature;
}

/// A point along a segment, part of the way through the step.
inline Vec3 place_at(const CapsuleChain& chain, int segment, double along, double time) {
    const long next = (segment + 1) % chain.after.rows();
    const Vec3 before = (1 - along) * chain.before.row(segment) + along * chain.before.row(next);
    const Vec3 after = (1 - along) * chain.after.row(segment) + along * chain.after.row(next);
    return (1 - time) * before + time * after;
}

}  // namespace clangor::capsules
