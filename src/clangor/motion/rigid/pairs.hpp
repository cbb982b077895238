// Which bodies may touch, and what holds between them.
#pragma once

#include <clangor/motion/rigid/bodies.hpp>

#include <map>
#include <span>
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

/// The box around a body in the world.
struct Extent {
    Vec3 middle = Vec3::Zero(), half = Vec3::Zero();
};
Extent extent_of(const CollisionShape& shape, const MovingBody& body);

/// Never more than the distance of two bodies, by their boxes, or by one and the half space that the other is; negative
/// where those overlap [m].
double box_gap(const CollisionShape& shape_a, const MovingBody& a, const CollisionShape& shape_b, const MovingBody& b);

/// Pairs whose boxes come within the sum of what each of them reaches, by number, lower first. Pairs of which none is
/// simulated are left out.
std::vector<std::pair<int, int>> near_pairs(const RigidWorld& world, const std::vector<MovingBody>& bodies,
                                            std::span<const double> reach);

/// Within one margin.
std::vector<std::pair<int, int>> near_pairs(const RigidWorld& world, const std::vector<MovingBody>& bodies,
                                            double margin);

}  // namespace clangor::rigid
