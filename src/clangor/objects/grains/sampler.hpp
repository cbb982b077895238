// Collisions drawn from the densities of others, as those come. Internal to objects/grains.
#pragma once

#include <clangor/motion/collision_density/collision_density.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace clangor {

/// With two numbers in (0, 1] of its own, for what densities do not know.
struct DrawnEncounter {
    Encounter encounter = {};
    std::array<double, 2> random = {};
};

class Sampler {
public:
    explicit Sampler(std::uint64_t seed) : seed_(seed) {}

    void add(const Encounter& encounter) { recorded_.push_back(encounter); }
    /// As many as happened in whole windows before this time, by time. None may be added before them afterwards.
    std::vector<DrawnEncounter> take_before(double time);

private:
    std::uint64_t seed_;
    std::vector<Encounter> recorded_ = {};  ///< since the last window that was taken
};

}  // namespace clangor
