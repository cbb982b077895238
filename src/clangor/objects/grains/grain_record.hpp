// All collisions that can be heard of a run, in memory or, where there are many, on the disk. Internal to
// objects/grains.
#pragma once

#include <clangor/core/core.hpp>

#include <array>
#include <cstdio>
#include <memory>
#include <span>
#include <vector>

namespace clangor {

/// One of them, small.
struct RecordedCollision {
    double time = 0;                    ///< when the contact begins [s]
    std::array<float, 3> point = {};    ///< [m]
    std::array<float, 3> normal = {};   ///< out of the second, into the first
    std::array<float, 3> impulse = {};  ///< that the first receives [N·s]
    std::array<float, 2> radii = {};    ///< 0 for what is no grain [m]
    std::array<float, 2> masses = {};   ///< likewise [kg]
    float duration = 0;                 ///< [s]
};

/// Written once from its beginning to its end, then read by many threads.
class GrainRecord {
public:
    /// By time. Throws Error where the disk is full.
    void add(const RecordedCollision& collision);
    void finish();

    long size() const { return size_; }
    /// As many as are there from `first` on, up to the size of `out`.
    std::span<const RecordedCollision> read(long first, std::span<RecordedCollision> out) const;

private:
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    std::vector<RecordedCollision> kept_ = {};     // the first of them
    std::vector<RecordedCollision> waiting_ = {};  // to be written
    std::unique_ptr<std::FILE, Close> file_ = {};  // those that follow
    long size_ = 0;
};

}  // namespace clangor
