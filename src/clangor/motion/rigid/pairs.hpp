// Which bodies may touch, and what holds between them.
#pragma once

#include <clangor/motion/rigid/bodies.hpp>

#include <map>
#include <utility>
#include <vector>

namespace clangor::rigid {

struct PairMaterial {
    double friction = 0;
    double restitution = 0;
};

/// Friction and restitution of each pair. Throws Error for pairs that name no body, and numbers out of range.
class PairMaterials {
public:
    explicit PairMaterials(const RigidWorld& world);
    PairMaterial operator()(int a, int b) const;

private:
    const RigidWorld& world_;
    std::map<std::pair<int, int>, RigidPair> given_;
};

/// Pairs whose boxes come within a margin of each other, by number, lower first. Pairs of which none is
/// simulated are left out.
std::vector<std::pair<int, int>> near_pairs(const RigidWorld& world, const std::vector<MovingBody>& bodies,
                                            double margin);

}  // namespace clangor::rigid
